// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sentence_tables.h"

namespace syncopate::ui {

std::vector<SentencePattern> sentencesOfSimulations() {
    return {
        // engine/rewrite/assumptions.cpp
        {translatable("%1 iterations are unrolled.")},
        {translatable(
            "Workers may drift apart: up to %1 iterations are unrolled, the first %2 left out; throughput is samples over time "
            "while all workers are busy, and the iteration time is that of as many samples as all replicas take in one step.")},
        {translatable("The staleness of %1 is not reached in %2 iterations: the figures are for the time before.")},
        {translatable(
            "Identical workers start together and, sharing links fairly, stay together: a lower bound of their asynchronous "
            "throughput.")},
        {translatable(
            "Messages between nodes are segments of TCP connections, which wait at links first come, first served; nothing is "
            "lost. Traffic inside nodes and analytic collectives share links max-min fairly beside them. A node is one worker "
            "whose devices compute in step.")},
        {translatable("Links share bandwidth max-min fairly; a node is one worker whose devices compute in step.")},
        {translatable("Links reach %1 of their stated rate, collectives %2 of that; %3 latency and %4 per message.")},
        {translatable(
            "Sparse gradients are the rows that the job states, with 8 bytes of index each; replicas touch different rows; "
            "collectives gather them.")},
        {translatable(
            "Sparse gradients whose number of rows the job does not state count as all rows, with 8 bytes of index each: an "
            "upper bound.")},
        {translatable("Devices and the host of their node exchange over %1.")},
        {translatable("The cluster's measured times (%1) are not used: here %2 replicas take part.")},
        {translatable("Identical nodes are folded: one is simulated for all of them, which is exact.")},
        {translatable("Compressors send %1 of the bytes.")},
        {translatable("Compressors halve float32 traffic (a cast to float16).")},
        {translatable("Background traffic takes nothing: it is on no link that this strategy uses.")},
        {translatable(
            "Background traffic takes a share of %1 of the %2 links for a while, and the rest is shared; policies and measured "
            "collectives ignore it.")},
        {translatable(
            "One connection carries at most %1 between two nodes of a rack and %2 between racks; each pair has %3 in each "
            "direction, %4.")},
        {translatable("One connection between two nodes carries at most %1, and each pair has %2 in each direction, %3.")},
        {translatable("One connection between a worker and a server on its node carries at most %1.")},
        {translatable("A connection uses one NIC at either end; the connections of two nodes take the NICs in turn, and each "
                      "pair has %1 in each direction.")},
        {translatable("Workers take the time of the optimizer's update as measured, of served variables too.")},
        {translatable("The work of the servers' CPUs is free.")},
        {translatable("CPUs take turns on %1 thread%2 of each worker and %3 of each server: %4 to send a message, %5 to receive "
                      "one, %6 for each variable on a server, %7 to launch a collective and %8 more for each message of its "
                      "steps, and the cluster's cost for each byte.")},
        {translatable("Links are shaped by token buckets: %1 of pushes and pulls pass at once after a pause.")},
        {translatable("Compute is slower while its node communicates, by the factor that the cluster states.")},
        {translatable("%1 takes the time measured with %2 ranks; it holds its channel, not the links."), ""},
        {translatable("Sizes up to %1 go beyond the %2 that were measured: its last slope goes on there.")},
        {translatable("Sizes down to %1 are below the %2 that were measured: its first segment goes on there.")},
        {translatable(
            "Collectives run on the cluster's named channels, on each as many at once as it states (one, if it states none), as "
            "fast as these state and apart from the nodes' NICs; each goes to the channel that would finish it first.")},
        {translatable("Collectives go from replica to replica in the order in which the strategy lists them.")},
        // engine/simulate/steady_state.cpp
        {translatable(
            "Links change their rates: the figures are those of iteration %1 of %2 (%3 to %4), not of a steady state.")},
        {translatable("Links change their rates: the figures are those of the time from %1 to %2, not of a steady state.")},
        {translatable(
            "The links' token buckets (burst_bytes) still empty or fill after %1 iterations: the iteration time is the mean "
            "until then.")},
        {translatable(
            "Iterations repeat, but the links' token buckets (burst_bytes) slowly empty or fill: in the long run the iteration "
            "time may differ by about %1 %.")},
        {translatable(
            "The iteration time is the distance of the last two iteration starts: every iteration repeats the one before.")},
        {translatable("The schedule repeats every %1 iterations: the iteration time is the mean over them.")},
        {translatable(
            "The schedule does not repeat within %1 iterations, too few for a confidence: the iteration time is the mean of the "
            "later half.")},
        {translatable(
            "The schedule does not repeat within %1 iterations, but those of the later half differ by %2 % in length at "
            "most: the "
            "iteration time is their mean.")},
        {translatable(
            "The schedule does not repeat within %1 iterations: the iteration time is a mean, ±%2 % at 95 % confidence.")},
        // engine/simulate/measured_run.cpp, engine/predict/trace_run.cpp
        {translatable("Measured, not simulated: %1.")},
        {translatable("The iteration is %1, the step that the job was made from.")},
        {translatable(
            "Generated, not recorded: steps of training with parameter servers (Algorithm 3.1), %1 of each worker after %2 that "
            "are left out; seed %3.")},
        {translatable("The iteration is the mean time of a worker's step; throughput is the curve's.")},
        {translatable(
            "Each op waits for the host at its end as long as in the step that it was sampled from, or by the job's share where "
            "that step does not record it.")},
        {translatable("Lanes of the first %1 of %2 workers.")},
        // engine/session/planned_work.cpp
        {translatable(
            "Planned, not measured: %1; %2 processes, each motif on its channel in its strict order. Equal processes are "
            "played as "
            "one.")},
        {translatable("No plan of these collectives on these channels has iterations below %1; this one is %2.")},
        {translatable(
            "Motifs take the steps of their algorithm times the channel's latency, and the bytes that a process sends over its "
            "bandwidth.")},
        {translatable(
            "Motifs take the measured times of their kind and size (%1 curves); others follow from the channel's latency and "
            "bandwidth.")},
        {translatable("Motifs on channels with a link in common share it; %1")},
        {translatable("Nodes have up to %1 processes, and not all equally many: collectives take the time that they would on "
                      "nodes of %2, each with its share of the links; bounds are for nodes of %3.")},
        {translatable("All processes compute at %1 times the job's speed, as the cluster's slowest node does.")},
        {translatable("Dispatching a motif takes %1, which is in measured times already.")},
        {translatable("A training DAG says nothing of samples.")},
        {translatable("The DAG is a file's: it says nothing of samples, and layers and variables are those of the job.")},
        {translatable("The DAG is the profile's recorded step: it says nothing of samples, and layers and variables are those of "
                      "the job.")},
        // engine/analyze/comparable.cpp
        {translatable("A profile records its own run's messages, a simulation has those of its strategy.")},
        {translatable(
            "The measured device waits %1 of %2 for its host or for other ranks' compute. The simulated job does not say which "
            "part of its layers' time such gaps are.")},
        {translatable("The measured device copies memory for %1 of %2, which the simulated layers' times contain.")},
        // engine/job/catalogue.cpp, batch.cpp
        {translatable("Published: batch %1 a GPU, as %2.")},
        {translatable("Published: %1 on one T4 (AutoDist's documentation), from which the sustained rate follows.")},
        {translatable("Assumed: batch %1 a GPU.")},
        {translatable("Given: batch %1 a GPU.")},
        {translatable(
            "Assumed: its sustained FLOP/s are those of a similar model, whose throughput on one T4 is published (AutoDist's "
            "documentation, %1).")},
        {translatable(
            "Assumed: forward seconds of a layer = batch size %1 x FLOPs / %2 TFLOP/s, backward = 2 x forward; an NVIDIA %3 in "
            "float32 peaks at %4 TFLOP/s.")},
        {translatable("Assumed: the %1 sustains the same share of its peak as the T4.")},
        {translatable("Assumed: the optimizer's time is within the sustained rate, so the update takes 0 s of its own.")},
        {translatable("Assumed: %1 tokens a sequence, %2 of them predicted; the documentation does not state the length.")},
        {translatable(
            "Assumed: width %1, which AutoSync does not state; it is the usual width that comes nearest to the %2 of its Table "
            "1.")},
        {translatable("Assumed: a sample is a pair of tokens, one of the source and one of the target; each attends to %1.")},
        {translatable("Assumed: the gradient of the shared embedding is dense, as in AutoDist's experiments.")},
        {translatable("Assumed: %1 words a sequence, a softmax of 8192 sampled classes.")},
        {translatable("Assumed: times cover the arithmetic alone; look-ups and updates of the tables are bound by memory and "
                      "take longer.")},
        {translatable("%1, batch %2 a GPU, float32 on NVIDIA T4; %3, times from FLOPs at %4 TFLOP/s"), ""},
        {translatable("Stated: batch %1, instead of %2.")},
        {translatable("Stated: batch %1.")},
        // engine/strategy/policy.h and policy/*.cpp
        {translatable("The order chooses among pulls and collectives that wait; pushes go as gradients become ready.")},
        {translatable(
            "A step is over when every variable is updated; then every worker reads the servers' values, and a layer waits for "
            "its own.")},
        {translatable(
            "The credit orders and limits the sums over a machine's devices alone, as in BytePS's release: with one device a "
            "machine it changes nothing, and pushes go first come, first served. All-reduces, which BytePS does not have, hold "
            "it to their end. A server's engine threads share all that its host does, messages included.")},
        {translatable("A machine pulls a value once and broadcasts it to its devices, whatever the strategy's proxies.")},
        {translatable(
            "All-gathers begin when every reduce-scatter of the step is over, in the order of the next forward; sparse gradients "
            "are gathered at once.")},
        {translatable(
            "In stages 1 and 2 a replica updates its share of the parameters, which are gathered in the job's types before the "
            "next forward pass; PyTorch 1.13 and later gathers them at once, whatever the all-gather bucket is. The wait for the "
            "buffer of the bucket before the last is not simulated.")},
        {translatable(
            "Parameters, gradients and optimiser state are sharded over all replicas, and a replica updates its shard. The CPU "
            "issues collectives far enough ahead, all-gathers have the gradients' number of bytes, and copies into and out of "
            "their buffers are free. Sparse gradients are gathered at once and served variables are not sharded.")},
        {translatable(
            "Horovod's cycles are counted from the start of each backward pass; negotiation and the copies into and out of the "
            "fusion buffer are free.")},
        {translatable("Each stream sends up to its window the first time it is chosen, all the rest the second time.")},
        {translatable(
            "Gradients have the bytes of the job's variables: with bf16 Megatron-LM reduces them in fp32. Buckets are not "
            "padded.")},
        {translatable(
            "A worker pushes one slice at a time, the one needed first, and waits for it to arrive; MXNet's release waits only "
            "until it is handed to the network. Workers in step push a slice to its server all at once. A tensor's slices go to "
            "the servers in turn, from the one after the first of the tensor before it in the alphabet; in MXNet, after its "
            "last. Servers answer in the order of need.")},
        {translatable("Poseidon's layers all go over the store; none is sent as sufficient factors.")},
        {translatable("XLA's program returns the variables in the order in which the job lists them, which is the order in which "
                      "all-reduces are combined.")},
        // engine/predict/curve.cpp, step_set.cpp, recorded_steps.cpp
        {translatable("Flows share links in proportion to weights that every transfer draws (exponential, in whole numbers).")},
        {translatable("TCP: windows of %1, first-come-first-served queues that drop nothing, in which acknowledgements and "
                      "requests wait, too; a sender's own queue is kept small, as Linux does.")},
        {translatable("Flows share links max-min fairly at every moment.")},
        {translatable("Workers run steps sampled with replacement for %1 after %2 that are left out; seed %3.")},
        {translatable(
            "Workers run %1 steps each in the mean, sampled with replacement, after %2 each that are left out; seed %3.")},
        {translatable("Synchronous: after each step a worker waits for all others.")},
        {translatable("Bounded staleness of 1: a worker waits while it is more than one step ahead of the slowest.")},
        {translatable("Bounded staleness of %1: a worker waits while it is more than %2 steps ahead of the slowest.")},
        {translatable("All workers run on one machine: requesting a step keeps one of its %1 cores busy.")},
        {translatable("Each point is the mean of %1 independent starts, its interval their spread; a pattern that fewer than %2 "
                      "% of starts fall into may not be among them.")},
        {translatable("One start: intervals do not know of patterns that workers keep to for a whole run; more starts do.")},
        {translatable("Workers start at moments drawn from the length of a step.")},
        {translatable("Background traffic takes a share of links in %1 stretches of time, and the rest is shared.")},
        {translatable("A worker has one connection with each server, on one NIC at either end; they take the NICs in turn.")},
        {translatable("A worker's connection with a server carries %1 at most, each way.")},
        {translatable("No flow control: transfers go whole.")},
        {translatable("HTTP/2 flow control as gRPC does it: first windows of %1 for streams and connections.")},
        {translatable("HTTP/2 streams: %1 the first time a stream is chosen, the rest the second time.")},
        {translatable("Compute and updates of one worker do not slow another's.")},
        {translatable("All steps are alike, so equal workers on fairly shared links may stay in step and use the server's link "
                      "one way at a time: a lower bound (uneven sharing breaks it).")},
        {translatable("A step starts %1 after the one before has ended (median of the recorded ones).")},
        {translatable("%1 recorded steps of %2 ops are sampled with replacement: %3 transfers down, %4 up.")},
        {translatable("An op is played as soon as its inputs are ready. Gaps between the recorded steps' ops are not played, "
                      "since nothing recorded tells whether an op was late because of its host or of another op.")},
        {translatable("%1 steps with other ops than the first are left out.")},
        {translatable("One step: the job's own times.")},
        {translatable("%1 recorded steps of the profile are sampled with replacement.")},
        {translatable("The optimizer's update of the job runs on the parameter server, which takes no time for it here.")},
        {translatable("At the end of a step a worker waits for its host, as long as in the profile.")},
        // engine/predict/reconstruct.cpp, setting.cpp
        {translatable("No parsing overhead is charged: the profile's downlinks show none.")},
        {translatable("No parsing overhead is charged: %1, fitted to the profile's downlinks, %2. Their delay behind the model "
                      "has another cause, such as another HTTP/2 window.")},
        {translatable("Parsing a received tensor takes %1 (given).")},
        {translatable("Parsing a received tensor takes %1 (fitted to the profile's downlinks; one worker's step then takes %2, "
                      "recorded were %3).")},
        {translatable("Modelled ends of %1 downlink streams miss the recorded ones by %2 % on average, %3 % at the median, %4 % "
                      "at the 95th percentile and %5 % at most.")},
        {translatable("Parsing was fitted to %1 pairs: residuals %2 at the median, %3 at the 95th percentile, %4 at most.")},
        {translatable("Recorded transfers are explained by streams of %1 on the link of the profile.")},
        // engine/analyze/stragglers.cpp, trace_difference.cpp, scaling.cpp
        {translatable("The step that all %1 ranks recorded whole is played again; with the recorded durations the play is the "
                      "profile.")},
        {translatable("The %1 steps that all %2 ranks recorded whole are played again; with the recorded durations the play is "
                      "the profile.")},
        {translatable("A step lasts from the last rank's end of the step before, the first one from the first rank's start, to "
                      "the last rank's end.")},
        {translatable("A rank's own time is all but its waits: gaps of its compute in which a collective runs and ends. Gaps "
                      "without one are its own (its host, its input).")},
        {translatable("As the median: all of a rank's own time in a step in which it was behind is cut by one factor to the "
                      "median of the ranks, of an even number the faster of the two in the middle.")},
        {translatable("Dependencies are inferred from times: work after such a gap waited for that collective; a collective "
                      "begins as long after the work or the collective before it as recorded, and takes as long as recorded once "
                      "its last rank has come. Broadcasts and reductions to one rank keep their durations.")},
        {translatable("Neither trace marks steps: all of both is compared, however long each was recorded.")},
        {translatable("Layers are not compared: %1 holds no training step that they could be found in.")},
        {translatable("No op has the same name in both: no two of them are compared.")},
        {translatable("No layer has the same name in both: no two of them are compared.")},
        {translatable("No stream has the same name in both: no two of them are compared.")},
        {translatable("%1 ranks against %2: ops are means over the ranks, streams are per rank.")},
        {translatable("The knee is the number of workers beyond which no larger one, up to %1, brings %2 % of a worker's "
                      "samples/s for each worker more. Each worker keeps its batch.")},
        {translatable("A region's bottleneck is what the critical path of an iteration spends most time on.")},
        {translatable("Knees and ends of regions are found to within %1 % of their number of workers; what lies between "
                      "simulated numbers is not simulated.")},
        {translatable("The band assumes links between half and twice the stated rate, and one worker at two thirds of its speed "
                      "at worst. Delays that differ from step to step are not in it.")},
        {translatable("With links at half and at twice their rate, collectives between nodes take modelled times: measured ones "
                      "belong to the links as they are.")},
        // engine/plan, engine/session: plans
        {translatable("%1 collectives of the measured step are planned: %2. Their times follow from the channels or measured "
                      "curves, not from the profile.")},
        {translatable("Left out, with the waits for them: %1.")},
        {translatable("Recorded on %1 ranks, planned for %2 processes: sizes and times of each stay as recorded.")},
        {translatable("The ranks of %1 collectives were not recorded: they are assumed to span all processes.")},
        {translatable("The ranks of %1 collectives are not evenly spaced: their groups are assumed to be of neighbours.")},
        {translatable("The cluster's measured times of collectives are left out: they name no link, and its channels begin with "
                      "%1. Give them with --costs LINK=FILE.")},
        {translatable("The cluster's measured times of collectives among %1 ranks are left out: the DAG has %2 processes.")},
        {translatable("%1: measurements on %2 are left out, as no channel begins with them."), ""},
        {translatable("The DAG has %1 processes and the cluster %2 GPUs: %3 processes are planned, %4 a node.")},
        {translatable("The incast of the channel \"%1\" is %2, by %3 measured all-to-alls; their time per byte is missed by %4 % "
                      "at worst.")},
        {translatable("The profile has no collectives that can be planned as recorded; the gradients of its layers are planned "
                      "instead, as in data-parallel training.")},
        {translatable("The job is a training DAG: compute-ops and collectives, without layers, variables and samples.")},
    };
}

std::vector<SentencePattern> fragmentsOfSimulations() {
    return {
        // engine/rewrite/assumptions.cpp
        {translatable("any rate")},
        {translatable("messages take turns on them, and a collective in flight has its own")},
        {translatable("messages take turns on them, and collectives in flight have them together")},
        {translatable("so has every message and every collective in flight for itself")},
        // engine/session/planned_work.cpp
        {translatable("%1 % above")},
        {translatable("effects of other channels on each other are left out.")},
        {translatable("on links that were measured in pairs (%1) they take longer while another of these is busy.")},
        // engine/job/catalogue.cpp
        {translatable("in AutoSync's Table 1")},
        {translatable("pre-training on %1 tokens")},
        {translatable("variables of Keras' definition")},
        {translatable("variables of tf_cnn_benchmarks' definition with 1001 classes")},
        {translatable("variables of torchvision's definition (Krizhevsky 2014)")},
        {translatable("variables of google-research/bert with its pre-training heads (Devlin et al. 2019)")},
        {translatable("variables of tensorflow/models' definition (Vaswani et al. 2017)")},
        {translatable("variables of the LSTM-2048-512 language model (Jozefowicz et al. 2016)")},
        {translatable("variables of tensorflow/models' definition (He et al. 2017) with 8 factors and layers 64, 32, 16, 8")},
        {translatable("variables of tensorflow/models' definition (He et al. 2017) with MLPerf's 64 factors and layers 256, 256, "
                      "128, 64")},
        // engine/strategy/policy/*.cpp: connections that a system opens between two processes
        {translatable(
            "NCCL opens one socket for each channel of a ring of a communicator, on AWS 16 (two threads with eight each), on "
            "Google Cloud 4; with gloo a pair of processes has one (sharing=all)")},
        {translatable("ps-lite opens one socket from each worker to each server, and one back, for all partitions")},
        {translatable("TensorFlow opens one gRPC channel from each process to each other, for all tensors")},
        {translatable("gRPC opens one connection from each process to each other, on which all streams take turns")},
        // engine/predict/reconstruct.cpp
        {translatable("makes one worker's step take %1 where %2 were recorded")},
        {translatable("is more than parsing takes (at most %1)")},
        {translatable("does not lower the average error of their ends (%1 % with it, %2 % without)")},
    };
}

} // namespace syncopate::ui
