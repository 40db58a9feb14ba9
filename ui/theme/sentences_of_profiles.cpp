// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sentence_tables.h"

namespace syncopate::ui {

std::vector<SentencePattern> sentencesOfProfiles() {
    return {
        // engine/profile: why recordings are not simulated
        {translatable("This is a recording of ROCm's profilers (rocpd): kernels and calls without the framework's ops, so there "
                      "is no training "
                      "step that could be simulated. To simulate, record with torch.profiler, activities CPU and CUDA (ROCm "
                      "counts as CUDA there).")},
        {translatable("This is a profile of XLA's profiler (XPlane): devices and host threads without the layers of a model, so "
                      "there is no "
                      "training step that could be simulated. To simulate, write a job file with the times of the layers "
                      "(docs/job-file.md).")},
        {translatable("This is a Perfetto trace: slices on tracks, without the layers of a model, so there is no training step "
                      "that could be simulated. "
                      "To simulate, open the JSON trace that torch.profiler's export_chrome_trace wrote.")},
        // engine/profile: facts of several formats
        {translatable("The batch size was not recorded.")},
        {translatable("The job is step %1, as asked.")},
        {translatable("The job is step %1 (%2), as asked.")},
        {translatable("The job is %1, the median of the %2 steps by length.")},
        {translatable("The job is %1, the median of the %2 complete steps by length.")},
        {translatable("The job is %1, the only complete step.")},
        {translatable("%1 of the %2 steps have the job's layers: their durations are kept as samples.")},
        {translatable("%1 of the %2 complete steps have the job's layers: their durations are kept as samples.")},
        {translatable("The only complete step has the job's layers: its durations are kept as a sample.")},
        {translatable("1 of the %1 complete steps has the job's layers: its durations are kept as a sample.")},
        {translatable("The sizes do not add up: the %1 gradient collectives of the step move %2 elements%3, its variables have "
                      "%4 (%5 apart). A simulated strategy synchronises the variables: variables that the recorded run did not "
                      "all-reduce (sharded, frozen), or reductions that are not of gradients, make the difference.")},
        {translatable(
            "The profile names %1 variables without their sizes, such as %2: they are not synchronised in a simulation.")},
        {translatable("The profile does not state the sizes of the model's variables: nothing is synchronised in a simulation.")},
        {translatable("The profile marks no single training step that the job was made from: the simulation is not compared with "
                      "a measured step.")},
        {translatable("The profile does not say how many ranks on which machines trained together: choose the cluster that it "
                      "was recorded on.")},
        // engine/profile/torch
        {translatable("Measured: imported from a PyTorch profile, %1.")},
        {translatable("%1 events in %2 of text%3, %4 kept as ops, annotations, launches, kernels and copies.")},
        {translatable("Not used: %1.")},
        {translatable("Rank %1%2."), "1"},
        {translatable("Rank %1 of %2%3."), "12"},
        {translatable("Device: %1.")},
        {translatable("Device %1: %2 compute kernels keep it busy for %3; %4; %5 copies; busy with any of them for %6.")},
        {translatable("No device work: %1 outermost CPU ops keep the threads busy for %2; %3.")},
        {translatable("%1 negative durations were taken as 0.")},
        {translatable("%1 events have no readable time and were left out.")},
        {translatable("The array of events is not closed, as the array form allows.")},
        {translatable("No collective was recorded: one worker, without synchronisation.")},
        {translatable("No collective was recorded, although the run had %1 ranks; record a step that synchronises.")},
        {translatable(
            "%1 collectives were called by ops, but no kernel or transfer of them was recorded: %2 over all steps. %3")},
        {translatable("%1 gradient collectives with %2 elements were lifted out of the step: their time is not compute. Sizes of "
                      "the profile's %3 collectives: %4.")},
        {translatable("%1 kernels continue a collective that began with another: its size counts once.")},
        {translatable("1 kernel continues a collective that began with another: its size counts once.")},
        {translatable("%1 other collectives of the step (broadcasts of buffers, all-to-all, ...) are neither compute nor "
                      "gradient traffic and are left out of the job; `plan` keeps those that it can plan.")},
        {translatable("Device work belongs to the step, phase and layer of the op that launched it (correlation ids); a step "
                      "lasts from its first work on the busiest stream to the next step's.")},
        {translatable("The trace has no device work: the outermost CPU ops are the compute, their times are CPU times.")},
        {translatable("%1 kernels and copies have no recorded launch: shown, but in no step.")},
        {translatable("1 kernel or copy has no recorded launch: shown, but in no step.")},
        {translatable("Neither ProfilerStep nor Optimizer.step was recorded: the whole profile counts as one step.")},
        {translatable("%1 steps are marked by ProfilerStep annotations.")},
        {translatable("1 step is marked by a ProfilerStep annotation.")},
        {translatable("No ProfilerStep annotation was recorded: each of the %1 optimizer steps ends a training step.")},
        {translatable("No ProfilerStep annotation was recorded: the optimizer's only step ends the training step.")},
        {translatable("The layers form a chain in the order in which they ran: a profile does not say which op reads which.")},
        {translatable("The autograd nodes have no sequence numbers: the step counts as one layer.")},
        {translatable("%1 layers: one for each op whose backward node completes gradients (%2 of them, %3 autograd nodes); ops "
                      "without variables belong to the layer before them in forward order.")},
        {translatable(
            "No AccumulateGrad was recorded, so nothing says which ops own variables: %1 autograd nodes make %2 layers.")},
        {translatable("The layers' times sum to %1: %2 in which %3 worked for the step, and %4 in which it neither computed nor "
                      "communicated: waiting for the host, which counts to the layer before it (the end of the step to the "
                      "update) and is a gap after it in a simulation.")},
        {translatable("%1 of the step in which %2 only waited for communication are left out of the layers: the simulated "
                      "strategy puts its own there.")},
        {translatable("The forward ops have no sequence numbers: the forward time is shared out in proportion to the layers' "
                      "backward times.")},
        {translatable("Batch size %1: the first dimension of the first %2's input.")},
        {translatable("%1 AccumulateGrad calls had no gradient to add: no variable stands for them.")},
        {translatable("%1 variables with %2 elements, one for each AccumulateGrad, with the shapes recorded there (types: %3); "
                      "their names are made from the layers', since a profile does not record the variables' names.")},
        {translatable("The variables' shapes were not recorded (record_shapes=True records them): the %1 gradient buckets with "
                      "%2 elements stand for them, each at the layer whose backward completed it%3.")},
        {translatable("No variable has a known size: neither shapes (record_shapes=True) nor gradient collectives with sizes "
                      "were recorded. Nothing will be synchronised in a simulation of this job.")},
        {translatable("%1 gradient collectives have no recorded size and are left out of the variables.")},
        {translatable("The trace has no waits of the host: the first work that was launched after a collective and began when it "
                      "had ended is taken to depend on it, though it may have begun then by chance.")},
        {translatable(
            "The trace does not say which collective a wait was for: the first work that was launched after a wait behind a "
            "collective, and began when it had ended, is taken to depend on it, though the wait may have been for another one.")},
        {translatable("A collective that no work of its step is seen to wait for is waited for at the beginning of the next; "
                      "gradients are waited for by the update.")},
        {translatable("A kernel without an op of its own is taken to do the sends and receives that its thread had called since "
                      "the communication before it.")},
        {translatable("Work of %1 streams is one compute stream, in the order of its starts; concurrent work counts once.")},
        // engine/profile/autograd, nsight, chakra
        {translatable("An export of the older autograd profiler: it has neither shapes nor sequence numbers. %1 backward nodes "
                      "were numbered in the reverse of their order, %2 forward ops paired with them by name and order.")},
        {translatable("Nsight Systems export, %1; %2 processes%3.")},
        {translatable(
            "Each process counts as a rank, in the order of the process ids: a capture does not say which rank it is.")},
        {translatable("Measured: imported from a Chakra trace, %1.")},
        {translatable("Chakra trace %1: %2 nodes in %3 bytes, %4 on the host, %5 of communication; %6 data dependencies name "
                      "nodes that are not in the file.")},
        {translatable("The trace counts as one step. Durations are taken as microseconds.")},
        {translatable("The timeline has the recorded starts.")},
        {translatable("The timeline has the recorded starts. Nodes without one (%1) started at 0 on this clock: the format does "
                      "not write a start of 0, and nothing in the trace contradicts it.")},
        {translatable("The nodes have no start times: the timeline replays them, each as soon as its thread or stream is free "
                      "and its data is there.")},
        {translatable("%1 layers: one for each forward op that owns parameters (by its name); their parents follow the data "
                      "dependencies.")},
        {translatable("%1 backward ops were paired with forward ops of their kind, last with first; kernels belong to the op of "
                      "the host that they depend on.")},
        {translatable("No backward op could be paired with a forward op: the backward time is shared out in proportion to the "
                      "layers' forward times.")},
        {translatable("%1 kernels depend on no op of the host: shown, but in no layer.")},
        {translatable("%1 gradient collectives with %2 elements (taken as float32) stand for the variables; %3 have no size, %4 "
                      "other collectives are left out of the job.")},
        {translatable("%1 in which %2 neither computed nor communicated count to the layer before: waiting for the host, a gap "
                      "after that layer in a simulation. Starts and durations are whole microseconds, so gaps of up to one "
                      "between ops are rounding.")},
        {translatable("The job has the sum of its ops' times. Where %1 waited for the host between them is not known: %2 no "
                      "start time. A simulation of it shows no launch gaps.")},
        {translatable("%1 nodes have no start time. The format does not write a start of 0, but not all of them can have started "
                      "at 0: %2.")},
        {translatable("Collectives wait for their data dependencies, and for the work that these ops of the host had launched; a "
                      "collective that nothing depends on is waited for at the beginning of the next step. Sizes are taken as "
                      "the whole buffer.")},
        {translatable("All computation is one stream, in the order of launches, or of ids as far as dependencies allow. Where it "
                      "waited for the host is not in the trace.")},
        {translatable("%1 control dependencies are left out: with the data dependencies they form a cycle.")},
        {translatable("%1 dependencies name nodes that are not in the file.")},
        {translatable("Of the groups of %1 collectives only names are in the trace.")},
        {translatable("Dependencies between collectives are too many to be followed; some are left out.")},
        // engine/profile/op_graph, pipedream
        {translatable("Measured: imported from a TensorFlow timeline, %1.")},
        {translatable("%1 timelines, each a step.")},
        {translatable("%1 events in %2 of text; the job's step has %3 ops on %4 devices and streams.")},
        {translatable("%1: %2 ops%3."), "2"},
        {translatable("One timeline is one session.run, which counts as one step.")},
        {translatable("The job is the work of %1, which computed longest; %2 other workers are only shown.")},
        {translatable("%1 layers: one for each forward op that reads trainable variables not read before, joined by the ops that "
                      "follow in its scope or read none; their parents follow the recorded inputs. An op in a gradients scope "
                      "belongs to the layer of the op that it differentiates.")},
        {translatable("%1 inputs name ops that were not recorded before their reader (fed, or inserted transfers).")},
        {translatable("Times are those of %1, with concurrent ops counted once; %2 in which none ran count to the layer before "
                      "them, which waits for the host so long.")},
        {translatable("%1 tensors received by the worker and %2 by servers are communication, %3 of which %4 were exposed, and "
                      "left out of the job.")},
        {translatable("Servers worked for %1: shown, but not part of the worker's step.")},
        {translatable("%1 trainable variables have names but no sizes: a timeline records them only with show_memory=True. A "
                      "list of them adds the sizes (the explorer's Attach sizes, the command line's --variables); without it "
                      "nothing will be synchronised in a simulation of this job.")},
        {translatable("%1 trainable variables with %2 elements, by their recorded bytes, taken as float32.")},
        {translatable("No trainable variable was recorded: nothing will be synchronised in a simulation of this job.")},
        {translatable("Measured: imported from a PipeDream layer profile, %1.")},
        {translatable(
            "%1 nodes and %2 edges in %3 of text (PipeDream layer profile): forward %4, backward %5, parameters of %6.")},
        {translatable("%1 input nodes with %2 of data loading are left out of compute.")},
        {translatable("%1 variables, taken as float32: shapes where a node's description tells them and they make up its "
                      "parameter_size, else one variable of that size.")},
        {translatable("Batch size %1: by the bytes of the outputs of its linear or recurrent layers.")},
        {translatable("The file has durations, not times: the timeline lays them end to end, forward in the order of the graph, "
                      "backward in the reverse.")},
        // engine/profile/ranks
        {translatable("%1 ranks%2, %3 events in all; the notes that follow are of rank %4.")},
        {translatable("The job is rank %1's, whose step is the median of the %2 ranks by the time of its layers.")},
        {translatable("%1 collectives were found on two ranks or more. Their ends align the clocks, which were up to %2 apart; "
                      "after that the ends differ by %3 (median).")},
        {translatable("%1 ranks share no collective with the others: their clocks stay as recorded.")},
        {translatable("A collective takes its shortest duration over the ranks, the rest is waiting for the slowest: %1 of "
                      "transfer and %2 of waiting on a rank (mean), %3 of waiting on rank %4 (most).")},
        {translatable("These ranks may have been recorded at other times: %1. Waiting then cannot be told from transfer: "
                      "collectives count with their whole durations on each rank, and lanes of two ranks do not belong to one "
                      "moment. Record all ranks in the same steps.")},
        {translatable("%1 other files were left unread: %2%3.")},
        {translatable("The execution trace %1 (schema %2, %3 nodes) gave the sizes of %4 collectives, the process groups of %5 "
                      "and the shapes of %6 gradients that %7 lacks, joined by %8.")},
        // engine/profile/variables
        {translatable("Variables from %1 (%2): %3")},
        {translatable("The file ends before its weights do (%1 of %2 bytes); the header is whole.")},
        // engine/profile/recording, rocm, perfetto, xla
        {translatable("There is no training step that could be simulated: %1. To simulate, %2.")},
        {translatable("PyTorch trace with %1 events.")},
        {translatable("Nsight Systems export, processes: %1.")},
        {translatable("%1 spans have no usable time and are left out.")},
        {translatable("rocpd database of ROCm's profilers: 1 process, %1 devices with work.")},
        {translatable("rocpd database of ROCm's profilers: %1 processes, %2 devices with work.")},
        {translatable("Perfetto trace: %1 packets, %2 tracks.")},
        {translatable("%1 instants and counter values are not shown.")},
        {translatable("%1 slices had not ended when the trace did.")},
        {translatable("%1 events refer to names that were lost, and are left out.")},
        {translatable("%1 packets are compressed with zstd, which is not read.")},
        {translatable("Profile of XLA's profiler: %1 planes; devices with work: %2; lines left out, which repeat others: %3.")},
        // engine/session/recorded_cluster.cpp
        {translatable("Machines. %1")},
        {translatable("The profile does not say which machines it was recorded on: it is simulated on cluster %1. Choose the "
                      "cluster that it belongs to.")},
        {translatable("The profile was recorded on %1, and is simulated on cluster %2, which was chosen before. Cluster “%3” is "
                      "the profile's own.")},
        {translatable("Simulated on the machines of the profile: %1.%2")},
    };
}

std::vector<SentencePattern> fragmentsOfProfiles() {
    return {
        // engine/profile/torch
        {translatable("the device")},
        {translatable("the CPU")},
        {translatable(", backend %1")},
        {translatable("no collective")},
        {translatable("%1 collectives take %2, %3 of it (%4 %) hidden under compute"), "14"},
        {translatable("%1 %2 with %3 elements"), "13"},
        {translatable("With a world of 1 rank they moved nothing.")},
        {translatable("Their time is not known; record the CUDA activity too, and whole steps.")},
        {translatable("%1 from the kernel's own metadata")},
        {translatable("%1 from record_param_comms with the same external id")},
        {translatable("%1 from the collective's op around the launch")},
        {translatable("%1 from the annotation's input shapes")},
        {translatable("%1 not recorded")},
        {translatable("not recorded, taken as float32")},
        {translatable("; %1 of them were called, but no transfer of theirs was recorded")},
        {translatable(" (%1 of them have no recorded size)")},
        // engine/profile/nsight, chakra, op_graph, ranks
        {translatable("without a schema version")},
        {translatable("schema %1")},
        {translatable("; not in it: %1")},
        {translatable("some ops have")},
        {translatable("the ops have")},
        {translatable("the clock began longer before the trace than the trace lasts")},
        {translatable("%1 depends on a node that started later"), ""},
        {translatable("%1 would have run together with another one on stream %2"), ""},
        {translatable("%1 would not have ended before the next on stream %2"), ""},
        {translatable(", %1 received tensors"), "1"},
        {translatable("the accelerator's kernels")},
        {translatable("the worker's ops")},
        {translatable(" of %1"), "1"},
        {translatable("rank %1"), "1"},
        {translatable("the ends of their %1 collectives differ by %2 % of the collectives' durations (median %3), and ranks that "
                      "run together leave a collective together")},
        {translatable("by their own clocks %1 was recorded %2 after %3 had ended")},
        {translatable("record function ids")},
        {translatable("order within each thread")},
        // engine/profile/variables
        {translatable("job file")},
        {translatable("list of tensors")},
        {translatable("ONNX model")},
        {translatable("TensorFlow checkpoint index")},
        {translatable("%1 variables with %2 elements"), "12"},
        {translatable("%1 tensors of the list are not trained (statistics, counters, optimizer slots, integers).")},
        {translatable("%1 found by name (%2 of the profile's), %3 of the profile are not in the list%4, %5 of the list are not "
                      "in the profile."),
         ""},
        {translatable("%1 of the profile's %2 variables (%3) have a shape of the list and got its names, the k-th of a shape the "
                      "k-th name%4; %5 of the list have no partner.")},
        {translatable(" (the list is not in the model's order: names of equal shapes may be exchanged)")},
        {translatable("%1, in order, meet the bounds of all %2 gradient buckets; within a bucket the modules are spread evenly "
                      "over its layers."),
         ""},
        {translatable(
             "%1: %2 of the list's %3 modules have the name of a layer, which are %4 of the %5 layers that can own variables."),
         ""},
        {translatable("%1: no name is a layer's, but there are as many modules as layers that can own variables (%2), which are "
                      "paired in order."),
         ""},
        // engine/session/recorded_cluster.cpp
        {translatable("Read: %1")},
        {translatable("Inferred: %1")},
        {translatable("Assumed: %1")},
        {translatable("1 rank")},
        {translatable("%1 ranks")},
        {translatable("1 node")},
        {translatable("%1 nodes")},
        {translatable("1 device")},
        {translatable("%1 devices")},
        {translatable("%1 without accelerators%2."), "1"},
        {translatable("%1, %2 on the node of the recorded process%3."), "1"},
        {translatable("%1 on %2 without accelerators%3"), "12"},
        {translatable("%1 on %2 with up to %3 each%4"), "12"},
        {translatable("%1 on %2 with %3 each%4"), "12"},
        {translatable("%1 on %2 with %3"), "12"},
        {translatable("%1 on %2 with %3, %4"), "12"},
        {translatable("%1, as every device that the recorded process saw on its node holds a rank."), "1"},
        {translatable("%1, as every rank has a node of its own."), "1"},
        {translatable("links %1 carry %2 Gbit/s, as the fast ones of %3 recorded gradient all-reduces did (a ring's bus "
                      "bandwidth; waiting in them makes it a lower bound).")},
        {translatable("inside nodes")},
        {translatable("between nodes")},
        {translatable("%1 Gbit/s %2, as no recorded collective shows it.")},
        {translatable("%1 Gbit/s %2, as the recorded gradient all-reduces show %3 Gbit/s, which is no plausible rate.")},
        {translatable("%1 microseconds of one-way latency, and the nodes' addresses.")},
        {translatable(" One rank synchronises with no other: add workers, or choose a cluster.")},
    };
}

} // namespace syncopate::ui
