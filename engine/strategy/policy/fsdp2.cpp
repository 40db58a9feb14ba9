// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch's fully_shard (FSDP2): parameters are sharded, gathered for each pass and prefetched.
#include "engine/base/phrase.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <utility>

namespace syncopate::policy {

namespace {

bool isOn(const CommPolicy &policy, std::string_view setting) { return policy.value(setting) == 1; }

/// min_num_params of size_based_auto_wrap_policy (torch/distributed/fsdp/wrap.py), in float32. fully_shard itself wraps the
/// module that it is called on.
constexpr double usualModule = 1e8 * 4;

/// Consecutive layers become a module once they have `module` bytes; the rest belongs to the root.
Result<std::vector<Fusion>> fuseModules(const CommPolicy &policy, const Traffic &traffic) {
    const double size = policy.value("module");
    std::vector<Fusion> modules; // in forward order
    Fusion open{.isRoot = true};
    double bytes = 0;
    for (std::size_t end = traffic.messages.size(); end > 0;) {
        const LayerId layer = traffic.messages[end - 1].lastLayer;
        for (; end > 0 && traffic.messages[end - 1].lastLayer == layer; --end) {
            const Message &message = traffic.messages[end - 1];
            if (!message.isCollective || message.isSparse) {
                modules.push_back({.messages = {end - 1}});
                continue;
            }
            open.messages.push_back(end - 1);
            bytes += message.sizeBytes;
        }
        if (open.messages.empty() || !(bytes >= size))
            continue;
        open.isRoot = false;
        modules.push_back(std::exchange(open, {.isRoot = true}));
        bytes = 0;
    }
    if (!open.messages.empty())
        modules.push_back(std::move(open));
    for (Fusion &module : modules) // in the order of readiness
        std::sort(module.messages.begin(), module.messages.end());
    std::reverse(modules.begin(), modules.end());
    return modules;
}

Discipline queues(const CommPolicy &policy, const TrainingNodes &) {
    const bool apart = isOn(policy, "separate_reduce_scatter_group");
    return {.channels = apart ? 2 : 1,
            .sharding = Sharding{.forwardPrefetch = static_cast<std::int32_t>(policy.value("forward_prefetch")),
                                 .backwardPrefetch = static_cast<std::int32_t>(policy.value("backward_prefetch")),
                                 .reshardsAfterForward = isOn(policy, "reshard_after_forward"),
                                 .scattersApart = apart}};
}

Result<void> checkModule(const LauncherRequest &request) {
    if (!request.policy.barrier)
        return fail("FSDP2's optimiser steps when every gradient is reduced, and this policy has barrier=off",
                    "simulate barrier=on");
    if (request.policy.algorithm != CollectiveAlgorithm::Ring)
        return fail("FSDP2 leaves the algorithms of its collectives to their backend", "simulate algorithm=ring");
    return {};
}

/// A list of modules, each of which prefetches those that follow it.
std::string prefetchText(const char *list, const char *call, double ahead) {
    return fmt::format("    for i, module in enumerate({0}):\n        module.{1}({0}[i + 1:i + 1 + {2:.0f}])\n", list, call,
                       ahead);
}

std::string backwardText(double ahead) {
    if (ahead == 1)
        return "    # Each module gathers the one before it during its backward, as by default.\n";
    if (ahead == 0)
        return "    # A module that is to prefetch itself, which is gathered already, prefetches nothing.\n"
               "    for module in modules:\n        module.set_modules_to_backward_prefetch([module])\n";
    return "    backward = modules[:1 if size or tied else 0] + modules[:0:-1]  # a root without parameters of its own gathers "
           "nothing\n" +
           prefetchText("backward", "set_modules_to_backward_prefetch", ahead);
}

/// torch.distributed.fsdp.fully_shard over consecutive leaves of the module tree.
Result<std::string> writeModule(const LauncherRequest &request) {
    const std::string system = "PyTorch FSDP2";
    CommPolicy policy = request.policy;
    TRY(checkModule(request));
    const auto way = TRY(commonWay(request.strategy, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    const bool hasSize = std::isfinite(policy.value("module"));
    const std::int64_t size = hasSize ? TRY(roundToUnits(policy, "module", 1, "bytes")) : 0;
    std::string text = settingsHeading(request, policy, system,
                                       "Use it with: from FILE import shard; model = shard(model), before the optimiser is made");
    const bool casts = way.compressor == Compressor::Horovod;
    text += hasSize ? "from collections import Counter\n\n" : "";
    text += casts ? "import torch\nfrom torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard\n\n\n"
                  : "from torch.distributed.fsdp import fully_shard\n\n\n";
    text += "def shard(model, **arguments):\n";
    if (casts)
        text += "    arguments.setdefault('mp_policy', MixedPrecisionPolicy(reduce_dtype=torch.float16))\n";
    text += "    modules, group, size, tied = [model], [], 0, False\n";
    if (hasSize) {
        text += fmt::format(
            "    # Modules without children, in the order in which they are registered. That has to be the order of the forward\n"
            "    # pass, which has to call each (torch.nn.MultiheadAttention does not call its out_proj). A parameter of "
            "several\n"
            "    # modules stays with the model.\n"
            "    owners = Counter(p for module in model.modules() for p in module.parameters(recurse=False))\n"
            "    for leaf in model.modules():\n"
            "        own = list(leaf.parameters())\n"
            "        if any(True for _ in leaf.children()) or not own:\n"
            "            continue\n"
            "        if any(owners[p] > 1 for p in own):\n"
            "            tied = True\n"
            "            continue\n"
            "        group.append(leaf)\n"
            "        size += sum(p.numel() * p.element_size() for p in own)\n"
            "        if size >= {}:  # bytes\n"
            "            fully_shard(group, reshard_after_forward={}, **arguments)\n"
            "            modules.append(group[0])\n"
            "            group, size = [], 0\n",
            size, isOn(policy, "reshard_after_forward") ? "True" : "False");
    }
    text += "    fully_shard(model, **arguments)  # what is left\n";
    if (const double ahead = policy.value("forward_prefetch"); ahead > 0)
        text += prefetchText("modules", "set_modules_to_forward_prefetch", ahead);
    text += backwardText(policy.value("backward_prefetch"));
    if (isOn(policy, "separate_reduce_scatter_group"))
        text += "    model.set_separate_reduce_scatter_group(True)  # of all modules; PyTorch 2.13\n";
    return text + "    return model\n";
}

constexpr Launcher launcher{"fsdp2", "PyTorch FSDP2", ".py", "PyTorch FSDP2", "fsdp2", writeModule};

PolicyParameter prefetchParameter(const char *key, double usual, const char *label, const char *about) {
    return {.key = key,
            .unit = ParameterUnit::Integer,
            .usual = usual,
            .min = 0,
            .knob = PolicyKnob{.id = key, .label = label, .about = about, .min = 0, .max = 8}};
}

} // namespace

const Policy &fsdp2() {
    static const Policy policy{
        .name = "fsdp2",
        .about = translatable("PyTorch's sharded parameters, gathered before each pass"),
        .opens = ncclConnections,
        .parameters =
            {{.key = "module",
              .usual = usualModule,
              .words = {"model", "off"},
              .meaning = std::numeric_limits<double>::infinity(),
              .knob = PolicyKnob{.id = "module",
                                 .label = "Module size",
                                 .about = "consecutive layers of at least this many bytes are gathered and scattered together",
                                 .min = 64.0 * 1024,
                                 .max = 4.0 * 1024 * 1024 * 1024,
                                 .remedyFactors = {0.5, 2}}},
             prefetchParameter("forward_prefetch", 0, "Forward prefetch",
                               "modules whose all-gathers are issued ahead in the forward pass; 0: as the streams allow"),
             prefetchParameter("backward_prefetch", 1, "Backward prefetch",
                               "modules whose all-gathers are issued ahead in the backward pass"),
             {.key = "reshard_after_forward", .unit = ParameterUnit::Choice, .usual = 1, .words = {"off", "on"}},
             {.key = "separate_reduce_scatter_group", .unit = ParameterUnit::Choice, .words = {"off", "on"}}},
        .fuse = fuseModules,
        .fusedName = "module",
        .queues = queues,
        .assumption = "Parameters, gradients and optimiser state are sharded over all replicas, and a replica updates its shard. "
                      "The CPU issues collectives far enough ahead, all-gathers have the gradients' number of bytes, and copies "
                      "into and out of their buffers are free. Sparse gradients are gathered at once and served variables are "
                      "not sharded.",
        .launchers = {&launcher},
    };
    return policy;
}

} // namespace syncopate::policy
