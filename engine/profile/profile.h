// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/job/job.h"
#include "engine/profile/op_graph/op_graph.h"
#include "engine/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace syncopate {

struct RecordedStep;

/// One training step found in a profile. Seconds from the profile's start; sums over the step's own tasks.
struct ProfileStep {
    std::string name; ///< "ProfilerStep#3"
    double startSeconds = 0;
    double endSeconds = 0; ///< of the last device work that the step launched
    double forwardSeconds = 0, backwardSeconds = 0, updateSeconds = 0;
    double communicationSeconds = 0;
    double exposedCommunicationSeconds = 0;
    double lengthSeconds = 0; ///< until the next step's first work, where there is one: the cost of a step in a sequence of steps
};

/// A gradient collective lifted out of the profile.
struct GradientCollective {
    std::int32_t step = 0;
    std::int64_t elements = 0;
    DataType dtype = DataType::Float32;
    double startSeconds = 0, durationSeconds = 0;
};

/// The durations of one complete step, over the layers of the job: one sample of a step. Seconds, as in Layer.
struct StepSample {
    std::int32_t step = 0; ///< index into the profile's steps
    std::vector<double> forwardSeconds, backwardSeconds;
    double updateSeconds = 0;
    /// The parts of the times above in which the device waits for the host (launch gaps), by layer; empty = unknown.
    std::vector<double> forwardHostSeconds = {}, backwardHostSeconds = {};
    double updateHostSeconds = 0;
};

/// How much of a device's communication lies under its computation, over the whole profile. Figures are lengths of unions of
/// intervals, so kernels side by side count once. Hidden = communicating while a compute kernel runs on the same device.
struct OverlapFigures {
    std::int64_t rank = -1; ///< -1 = the profile does not say
    std::string device;     ///< its index as recorded; "cpu" where no device was recorded and the outermost ops compute
    std::uint64_t computeKernels = 0, communicationKernels = 0, copies = 0; ///< events (ops, collectives) of each kind
    double computeSeconds = 0, communicationSeconds = 0, hiddenSeconds = 0;
    double busySeconds = 0; ///< computing, communicating or copying

    [[nodiscard]] double hiddenRatio() const { return communicationSeconds > 0 ? hiddenSeconds / communicationSeconds : 0; }
};

/// Facts of one of several ranks: its clock, and the time its collectives spend waiting for the slowest rank.
struct RankFigures {
    std::int64_t rank = -1;
    std::string file;
    double clockOffsetSeconds = 0; ///< its clock minus the first rank's, taken off its times
    double stepSeconds = 0;        ///< mean length of its complete steps, waiting included
    double computeSeconds = 0;     ///< forward, backward and update of the step of its own job, without waits for the host
    std::uint64_t collectives = 0; ///< number found on other ranks, too
    double transferSeconds = 0;    ///< the shortest duration over the ranks, summed over these collectives
    double waitingSeconds = 0;     ///< the rest of their durations on this rank
    bool waitingKnown = true;      ///< false: the ranks may not have run together, and transferSeconds are the whole durations
};

/// A collective on one rank, on the profile's clock.
struct RankedCollective {
    std::int32_t match = 0;   ///< the same on every rank that takes part in it; from 0
    std::uint32_t group = 0;  ///< of this rank's groups; a group's collectives run one after the other
    bool leavesEarly = false; ///< a rank may leave before the last one arrives (broadcast, reduce)
    Nanoseconds start = 0, end = 0;
};

/// The part of one rank's profile that is needed to play several ranks together: the steps that all of them recorded whole, and
/// the collectives in these steps that other ranks recorded, too. Its work is in the timeline's compute lanes.
struct RankSteps {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> steps; ///< start and end of each, ascending; as many on every rank
    std::vector<RankedCollective> collectives;              ///< by start
};

/// A variable whose name and layer the profile has, but not its size.
struct UnsizedVariable {
    std::string name;
    std::int32_t layer = 0; ///< index into the job's layers
};

/// The facts of a profile about the machines on which it was recorded.
struct RecordedPlatform {
    std::int64_t ranks = 0;         ///< number that trained together; 0 = the profile does not say
    std::int64_t devicesOfNode = 0; ///< devices that the recorded process saw on its node; 0 = not said, or it ran on CPUs
    std::string device;             ///< model, "Tesla V100-SXM2-32GB"; empty = not said, or CPUs
    std::string backend;            ///< of the collectives, "nccl"; empty = not said
    bool operator==(const RecordedPlatform &) const = default;
};

/// Tells apart the contents that a file has had.
struct FileState {
    std::uint64_t sizeBytes = 0;
    std::int64_t changedAt = 0; ///< ticks of the file system's clock
    bool operator==(const FileState &) const = default;
};
/// None for a folder, or where there is no file.
[[nodiscard]] std::optional<FileState> stateOfFile(const std::string &path);

/// The result of a profile reader: the measured timeline, the steps, and the Job to simulate.
struct ImportedProfile {
    std::string file;
    Job job;           ///< of the chosen step (median over the complete steps unless one was asked for)
    Timeline timeline; ///< measured: compute streams, communication streams
    std::vector<ProfileStep> steps;
    std::int32_t jobStep = -1; ///< index into steps of the job's step; -1 = of no single one
    std::vector<GradientCollective> gradients;
    std::vector<StepSample> samples;      ///< the complete steps whose layers are the job's, in order
    std::vector<UnsizedVariable> unsized; ///< in layer order; none of them is in the job
    /// The job's variables are gradient buckets, which stand for variables that the profile does not show.
    bool isBucketed = false;
    /// The ops of each step, where the format records transfers among them and what each waited for (TensorFlow), which
    /// predictions then go by; in the order of `steps`.
    std::vector<std::shared_ptr<const OpGraph>> opGraphs;
    /// The step of the job with its own collectives, for planning; null: the format does not record them, or there are none.
    std::shared_ptr<const RecordedStep> recorded;
    std::vector<RankFigures> ranks; ///< ascending; empty where one rank was read
    /// One for each device of each rank; empty for formats other than Kineto's, Nsight's, autograd's and TensorFlow's.
    std::vector<OverlapFigures> overlap;
    std::vector<std::string> read;     ///< facts found in the file, one sentence each
    std::vector<std::string> inferred; ///< conclusions and their reasons, one sentence each
    RecordedPlatform platform;
    bool synchronises = false; ///< the profile shows other workers, with which gradients are exchanged
    std::string sizeDoubt; ///< sizes of collectives and of variables do not add up; empty = they do. Also the first of `inferred`
    /// The sentence that variables lack their sizes, so that nothing is synchronised; empty = none. Also in `inferred` and the
    /// job's notes, until withVariables() adds the sizes.
    std::string sizelessNote;
    std::uint64_t eventCount = 0;
    std::uint64_t textBytes = 0;            ///< uncompressed
    std::vector<RankSteps> rankSteps;       ///< of each of `ranks`; empty where nothing tells waiting from transfer
    std::vector<std::string> rankStepNames; ///< of RankSteps::steps
    /// Identifies the copy of the file in a project that it was read from (engine/store); empty = it was read from its own file.
    std::string projectKey;
    std::optional<FileState> fileState; ///< when reading began: another program may overwrite the file meanwhile
};

/// Which of the variables' sizes the profile lacks, in a sentence; empty = none. Without them a simulation synchronises nothing;
/// ImportOptions::variables attaches them.
[[nodiscard]] std::string missingSizes(const ImportedProfile &profile);

/// How a profile is read.
struct ImportOptions {
    std::int32_t step = -1; ///< index into the steps; -1 = the median of the complete steps
    /// A file that lists the model's variables (engine/profile/variables/variable_list.h), for profiles that lack their sizes;
    /// empty = none.
    std::string variables = {};
    /// Memory that reading may take, in bytes: 0 = by the machine's free memory (engine/parse/read_limits.h),
    /// ReadLimits::unlimited = any. A value also allows files that decompress to far more than traces do.
    std::uint64_t limitBytes = 0;
};

/// Reads a profile (docs/command-line.md lists the formats; plain or gzip, decided by content), streaming. Errors name file and
/// byte offset; of kind Cancelled when `stop` is requested. Progress counts bytes of the file, or rows of a database.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importProfile(const std::string &path,
                                                                           const ImportOptions &options = {},
                                                                           std::stop_token stop = {},
                                                                           Progress *progress = nullptr);

/// Reads the files of one job: PyTorch ranks (files, folders, tar, tar.gz or zip archives of Kineto traces), and execution traces
/// (ExecutionTraceObserver), which give the sizes, process groups and shapes that a Kineto trace of the same rank lacks. With
/// several ranks the timeline has lanes for each, their clocks aligned on the ends of collectives, and the job is the rank's
/// whose step is the median. Several TensorFlow timelines are the steps of one job. A single file of any other format is read as
/// by importProfile().
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> importProfiles(const std::vector<std::string> &paths,
                                                                            const ImportOptions &options = {},
                                                                            std::stop_token stop = {},
                                                                            Progress *progress = nullptr);

/// The overlap figures of any trace of Kineto, Nsight, autograd or TensorFlow, training or not, or of a folder or archive of
/// Kineto traces, by rank and device; errors, `stop` and progress as importProfile(), `limitBytes` as in ImportOptions.
[[nodiscard]] Result<std::vector<OverlapFigures>> measureOverlap(const std::string &path, std::stop_token stop = {},
                                                                 Progress *progress = nullptr, std::uint64_t limitBytes = 0);

/// A job from any J of the command line: a catalogue name, a job file, or a profile (then `profile` is set too).
struct LoadedJob {
    std::shared_ptr<const Job> job;
    std::shared_ptr<const ImportedProfile> profile;
};
[[nodiscard]] Result<LoadedJob> loadJob(const std::string &nameOrPath, const ImportOptions &options = {},
                                        std::stop_token stop = {}, Progress *progress = nullptr);
/// The text by which a project may name a job, wherever it is opened: the absolute path of a file or folder; a name that
/// loadJob() finds in the catalogue, and any other text, as it is.
[[nodiscard]] std::string lastingJobName(const std::string &nameOrPath);

} // namespace syncopate
