// SPDX-License-Identifier: GPL-3.0-or-later
// Names that are nearly those of settings. The lists have the names that concern communication in XLA
// (xla/debug_options_flags.cc), DeepSpeed (deepspeed/runtime/zero/config.py, runtime/constants.py), Megatron-LM
// (megatron/training/arguments.py), Horovod (horovod/common/common.h), BytePS (docs/env.md, byteps/common/global.cc) and
// ByteScheduler (bytescheduler/common), and valid names that are close to these.
#include "engine/strategy/settings/near_names.h"
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>

namespace syncopate {

namespace {

constexpr std::array<std::string_view, 30> xlaFlags{"--xla_gpu_enable_latency_hiding_scheduler",
                                                    "--xla_gpu_all_reduce_combine_threshold_bytes",
                                                    "--xla_gpu_all_gather_combine_threshold_bytes",
                                                    "--xla_gpu_reduce_scatter_combine_threshold_bytes",
                                                    "--xla_gpu_collective_permute_combine_threshold_bytes",
                                                    "--xla_gpu_enable_pipelined_all_reduce",
                                                    "--xla_gpu_enable_pipelined_all_gather",
                                                    "--xla_gpu_enable_pipelined_reduce_scatter",
                                                    "--xla_gpu_enable_pipelined_p2p",
                                                    "--xla_gpu_enable_pipelined_collectives",
                                                    "--xla_gpu_enable_while_loop_double_buffering",
                                                    "--xla_gpu_enable_while_loop_unrolling",
                                                    "--xla_gpu_enable_all_gather_combine_by_dim",
                                                    "--xla_gpu_enable_reduce_scatter_combine_by_dim",
                                                    "--xla_gpu_disable_async_collectives",
                                                    "--xla_gpu_enable_highest_priority_async_stream",
                                                    "--xla_gpu_experimental_parallel_collective_overlap_limit",
                                                    "--xla_gpu_memory_limit_slop_factor",
                                                    "--xla_gpu_enable_analytical_sol_latency_estimator",
                                                    "--xla_gpu_enable_analytical_latency_estimator",
                                                    "--xla_gpu_threshold_for_windowed_einsum_mib",
                                                    "--xla_gpu_multi_streamed_windowed_einsum",
                                                    "--xla_gpu_enable_nccl_user_buffers",
                                                    "--xla_gpu_enable_nccl_comm_splitting",
                                                    "--xla_gpu_enable_nccl_per_stream_comms",
                                                    "--xla_gpu_collective_inflation_factor",
                                                    "--xla_gpu_collective_permute_decomposer_threshold",
                                                    "--xla_gpu_nccl_collective_max_nchannels",
                                                    "--xla_gpu_nccl_p2p_max_nchannels",
                                                    "--xla_gpu_pgle_profile_file_or_directory_path"};

constexpr std::array<std::string_view, 31> megatronArguments{"--ddp-bucket-size",
                                                             "--ddp-num-buckets",
                                                             "--ddp-pad-buckets-for-high-nccl-busbw",
                                                             "--ddp-average-in-collective",
                                                             "--overlap-grad-reduce",
                                                             "--overlap-param-gather",
                                                             "--overlap-param-gather-with-optimizer-step",
                                                             "--no-align-grad-reduce",
                                                             "--no-align-param-gather",
                                                             "--align-grad-reduce",
                                                             "--align-param-gather",
                                                             "--no-delay-grad-reduce",
                                                             "--delay-grad-reduce",
                                                             "--delay-param-gather",
                                                             "--use-distributed-optimizer",
                                                             "--num-distributed-optimizer-instances",
                                                             "--accumulate-allreduce-grads-in-fp32",
                                                             "--grad-reduce-in-bf16",
                                                             "--no-overlap-p2p-communication",
                                                             "--overlap-p2p-communication",
                                                             "--overlap-p2p-communication-warmup-flush",
                                                             "--tensor-model-parallel-size",
                                                             "--pipeline-model-parallel-size",
                                                             "--context-parallel-size",
                                                             "--expert-model-parallel-size",
                                                             "--expert-tensor-parallel-size",
                                                             "--model-parallel-size",
                                                             "--distributed-backend",
                                                             "--distributed-timeout-minutes",
                                                             "--nccl-communicator-config-path",
                                                             "--use-ring-exchange-p2p"};

constexpr std::array<std::string_view, 78> variables{"HOROVOD_FUSION_THRESHOLD",
                                                     "HOROVOD_CYCLE_TIME",
                                                     "HOROVOD_CACHE_CAPACITY",
                                                     "HOROVOD_HIERARCHICAL_ALLREDUCE",
                                                     "HOROVOD_HIERARCHICAL_ALLGATHER",
                                                     "HOROVOD_TORUS_ALLREDUCE",
                                                     "HOROVOD_NUM_NCCL_STREAMS",
                                                     "HOROVOD_BATCH_D2D_MEMCOPIES",
                                                     "HOROVOD_DISABLE_GROUP_FUSION",
                                                     "HOROVOD_TIMELINE",
                                                     "HOROVOD_TIMELINE_MARK_CYCLES",
                                                     "HOROVOD_AUTOTUNE",
                                                     "HOROVOD_AUTOTUNE_LOG",
                                                     "HOROVOD_AUTOTUNE_WARMUP_SAMPLES",
                                                     "HOROVOD_AUTOTUNE_STEPS_PER_SAMPLE",
                                                     "HOROVOD_AUTOTUNE_BAYES_OPT_MAX_SAMPLES",
                                                     "HOROVOD_AUTOTUNE_GAUSSIAN_PROCESS_NOISE",
                                                     "HOROVOD_STALL_CHECK_DISABLE",
                                                     "HOROVOD_STALL_CHECK_TIME_SECONDS",
                                                     "HOROVOD_STALL_SHUTDOWN_TIME_SECONDS",
                                                     "HOROVOD_MPI_THREADS_DISABLE",
                                                     "HOROVOD_THREAD_AFFINITY",
                                                     "HOROVOD_CPU_OPERATIONS",
                                                     "HOROVOD_GPU_OPERATIONS",
                                                     "HOROVOD_GPU_ALLREDUCE",
                                                     "HOROVOD_GPU_ALLGATHER",
                                                     "HOROVOD_GPU_BROADCAST",
                                                     "HOROVOD_CONTROLLER",
                                                     "HOROVOD_CCL_CACHE",
                                                     "HOROVOD_GLOO_IFACE",
                                                     "HOROVOD_ADASUM_MPI_CHUNK_SIZE",
                                                     "HOROVOD_DISABLE_NVTX_RANGES",
                                                     "HOROVOD_ENABLE_ASYNC_COMPLETION",
                                                     "HOROVOD_ENABLE_XLA_OPS",
                                                     "HOROVOD_DYNAMIC_PROCESS_SETS",
                                                     "HOROVOD_ELASTIC",
                                                     "HOROVOD_RANK",
                                                     "HOROVOD_SIZE",
                                                     "HOROVOD_LOCAL_RANK",
                                                     "HOROVOD_LOCAL_SIZE",
                                                     "HOROVOD_LOG_LEVEL",
                                                     "BYTEPS_PARTITION_BYTES",
                                                     "BYTEPS_SCHEDULING_CREDIT",
                                                     "BYTEPS_SERVER_ENABLE_SCHEDULE",
                                                     "BYTEPS_SERVER_ENGINE_THREAD",
                                                     "BYTEPS_SERVER_ENGINE_BLOCKING",
                                                     "BYTEPS_SERVER_DEBUG",
                                                     "BYTEPS_NCCL_GROUP_SIZE",
                                                     "BYTEPS_NCCL_NUM_RINGS",
                                                     "BYTEPS_PCIE_SWITCH_SIZE",
                                                     "BYTEPS_REDUCE_ROOTS",
                                                     "BYTEPS_OMP_THREAD_PER_GPU",
                                                     "BYTEPS_THREADPOOL_SIZE",
                                                     "BYTEPS_MIN_COMPRESS_BYTES",
                                                     "BYTEPS_KEY_HASH_FN",
                                                     "BYTEPS_BUILT_IN_HASH_COEF",
                                                     "BYTEPS_ENABLE_MIXED_MODE",
                                                     "BYTEPS_MIXED_MODE_BOUND",
                                                     "BYTEPS_ENABLE_ASYNC",
                                                     "BYTEPS_ENABLE_IPC",
                                                     "BYTEPS_ENABLE_GDB",
                                                     "BYTEPS_FORCE_DISTRIBUTED",
                                                     "BYTEPS_TRACE_ON",
                                                     "BYTEPS_TRACE_START_STEP",
                                                     "BYTEPS_TRACE_END_STEP",
                                                     "BYTEPS_TRACE_DIR",
                                                     "BYTEPS_TELEMETRY_ON",
                                                     "BYTEPS_LOCAL_RANK",
                                                     "BYTEPS_LOCAL_SIZE",
                                                     "BYTEPS_GLOBAL_RANK",
                                                     "BYTEPS_LOG_LEVEL",
                                                     "BYTESCHEDULER_PARTITION",
                                                     "BYTESCHEDULER_CREDIT",
                                                     "BYTESCHEDULER_CREDIT_TUNING",
                                                     "BYTESCHEDULER_PARTITION_TUNING",
                                                     "BYTESCHEDULER_ROOT_PORT",
                                                     "BYTESCHEDULER_TIMELINE",
                                                     "USE_BYTESCHEDULER"};

/// All keys of zero_optimization, by their names and aliases.
constexpr std::array<std::string_view, 53> zeroKeys{"stage",
                                                    "contiguous_gradients",
                                                    "reduce_scatter",
                                                    "reduce_bucket_size",
                                                    "use_multi_rank_bucket_allreduce",
                                                    "allgather_partitions",
                                                    "allgather_bucket_size",
                                                    "overlap_comm",
                                                    "load_from_fp32_weights",
                                                    "elastic_checkpoint",
                                                    "offload_param",
                                                    "offload_optimizer",
                                                    "zenflow",
                                                    "sub_group_size",
                                                    "cpu_offload",
                                                    "cpu_offload_param",
                                                    "cpu_offload_params",
                                                    "cpu_offload_use_pin_memory",
                                                    "stage3_prefetch_bucket_size",
                                                    "prefetch_bucket_size",
                                                    "stage3_param_persistence_threshold",
                                                    "param_persistence_threshold",
                                                    "stage3_model_persistence_threshold",
                                                    "model_persistence_threshold",
                                                    "stage3_max_live_parameters",
                                                    "max_live_parameters",
                                                    "stage3_max_reuse_distance",
                                                    "max_reuse_distance",
                                                    "stage3_gather_16bit_weights_on_model_save",
                                                    "stage3_gather_fp16_weights_on_model_save",
                                                    "gather_16bit_weights_on_model_save",
                                                    "stage3_module_granularity_threshold",
                                                    "module_granularity_threshold",
                                                    "stage3_use_all_reduce_for_fetch_params",
                                                    "use_all_reduce_for_fetch_params",
                                                    "stage3_allgather_sequential",
                                                    "allgather_sequential",
                                                    "stage3_partition_stream_chunk_size",
                                                    "partition_stream_chunk_size",
                                                    "ignore_unused_parameters",
                                                    "legacy_stage1",
                                                    "round_robin_gradients",
                                                    "zero_hpz_partition_size",
                                                    "zero_quantized_weights",
                                                    "zero_quantized_nontrainable_weights",
                                                    "zero_quantized_gradients",
                                                    "zeropp_loco_param",
                                                    "mics_shard_size",
                                                    "mics_hierarchical_params_gather",
                                                    "memory_efficient_linear",
                                                    "pipeline_loading_checkpoint",
                                                    "override_module_apply",
                                                    "log_trace_cache_warnings"};

constexpr std::array<std::string_view, 16> deepSpeedKeys{"zero_optimization",
                                                         "train_batch_size",
                                                         "train_micro_batch_size_per_gpu",
                                                         "gradient_accumulation_steps",
                                                         "gradient_clipping",
                                                         "prescale_gradients",
                                                         "gradient_predivide_factor",
                                                         "sparse_gradients",
                                                         "communication_data_type",
                                                         "seq_parallel_communication_data_type",
                                                         "fp32_allreduce",
                                                         "zero_allow_untested_optimizer",
                                                         "zero_force_ds_cpu_optimizer",
                                                         "activation_checkpointing",
                                                         "comms_logger",
                                                         "wall_clock_breakdown"};

/// Of horovodrun's config file (horovod/runner/common/util/config_parser.py), which ignores others.
constexpr std::array<std::string_view, 23> horovodKeys{"params.fusion_threshold_mb",
                                                       "params.cycle_time_ms",
                                                       "params.cache_capacity",
                                                       "params.hierarchical_allreduce",
                                                       "params.hierarchical_allgather",
                                                       "autotune.enabled",
                                                       "autotune.log_file",
                                                       "autotune.warmup_samples",
                                                       "autotune.steps_per_sample",
                                                       "autotune.bayes_opt_max_samples",
                                                       "autotune.gaussian_process_noise",
                                                       "timeline.filename",
                                                       "timeline.mark_cycles",
                                                       "stall_check.enabled",
                                                       "stall_check.warning_time_seconds",
                                                       "stall_check.shutdown_time_seconds",
                                                       "controller",
                                                       "library_options.mpi_threads_disable",
                                                       "library_options.num_nccl_streams",
                                                       "library_options.ccl_bgt_affinity",
                                                       "library_options.gloo_timeout_seconds",
                                                       "logging.level",
                                                       "logging.with_timestamp"};

std::string didYouMean(std::string_view name) { return fmt::format("did you mean {}?", name); }

bool isVariable(const std::string &name) {
    return std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_'; });
}

/// Of XLA's flags. Programs on TPUs have flags of their own, which are not listed here.
void checkFlag(SettingsRules &rules, const std::string &name) {
    const bool isForGpu = name.starts_with("--xla_gpu");
    if (name.starts_with("--xla_tpu") || name.starts_with("--xla_cpu") || (!isForGpu && rules.settings.hasAny("--xla_tpu")))
        return;
    if (const auto near = nearestName(name, xlaFlags, NameSlips::Words))
        rules.add(
            SettingFault::Refused, name,
            "none of XLA's communication flags has this name, and XLA stops with 'Unknown flags in XLA_FLAGS' at an unknown one",
            didYouMean(*near));
}

/// `isMegatron`: other arguments are Megatron-LM's, so that no other program is meant.
void checkArgument(SettingsRules &rules, const std::string &name, bool isMegatron) {
    const auto near = nearestName(name, megatronArguments, isMegatron ? NameSlips::Words : NameSlips::Letters);
    if (!near)
        return;
    if (isMegatron)
        rules.add(SettingFault::Refused, name, "Megatron-LM has no such argument, and stops", didYouMean(*near));
    else
        rules.add(SettingFault::Note, name, "Megatron-LM has no such argument", didYouMean(*near));
}

void checkVariable(SettingsRules &rules, const std::string &name) {
    if (const auto near = nearestName(name, variables, NameSlips::Words))
        rules.add(SettingFault::Ignored, name, "Horovod, BytePS and ByteScheduler read no variable of this name",
                  didYouMean(*near));
}

/// The unknown part of a key of DeepSpeed's JSON; `seen`: keys that were reported.
void checkKey(SettingsRules &rules, const std::string &name, std::set<std::string> &seen) {
    constexpr std::string_view zero = "zero_optimization.";
    if (name.starts_with(zero)) {
        const std::string key = name.substr(zero.size(), name.find('.', zero.size()) - zero.size());
        const auto near = nearestName(key, zeroKeys, NameSlips::Words);
        if (near && seen.insert(std::string(zero) + key).second)
            rules.add(SettingFault::Refused, std::string(zero) + key, "DeepSpeed has no such key there, and stops",
                      didYouMean(std::string(zero) + std::string(*near)));
        return;
    }
    const std::string key = name.substr(0, name.find('.'));
    const bool misplaced = key != "stage" && std::find(zeroKeys.begin(), zeroKeys.end(), key) != zeroKeys.end();
    const auto near = misplaced ? std::nullopt : nearestName(key, deepSpeedKeys, NameSlips::Words);
    if ((misplaced || near) && seen.insert(key).second)
        rules.add(SettingFault::Ignored, key, "DeepSpeed ignores a key of this name",
                  didYouMean(misplaced ? std::string(zero) + key : std::string(*near)));
}

/// A key of YAML. Outside of its section only keys that no other system's file has are taken for Horovod's.
void checkHorovodKey(SettingsRules &rules, const std::string &name) {
    const auto misplaced = std::ranges::find_if(horovodKeys, [&](std::string_view known) {
        return known.starts_with("params.") && known.substr(known.find('.') + 1) == name;
    });
    const auto near =
        misplaced != horovodKeys.end() ? std::optional(*misplaced) : nearestName(name, horovodKeys, NameSlips::Words);
    if (near)
        rules.add(SettingFault::Ignored, name, "horovodrun's config file has no such key, and it is ignored", didYouMean(*near));
}

} // namespace

void lintNames(SettingsRules &rules) {
    const bool isMegatron = hasMegatron(rules.settings);
    std::set<std::string> marked, seen;
    for (const SettingMark &mark : rules.findings.marks)
        marked.insert(mark.setting);
    for (const auto &[name, written] : rules.settings.all()) {
        if (marked.contains(name)) // it is known
            continue;
        if (name.starts_with("--xla"))
            checkFlag(rules, name);
        else if (name.starts_with("--"))
            checkArgument(rules, name, isMegatron);
        else if (written.place.empty()) // of JSON
            checkKey(rules, name, seen);
        else if (isVariable(name))
            checkVariable(rules, name);
        else // of YAML
            checkHorovodKey(rules, name);
    }
}

} // namespace syncopate
