// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sentence_tables.h"

namespace syncopate::ui {

std::vector<SentencePattern> sentencesOfPitfalls() {
    return {
        // engine/strategy/lint*.cpp: pitfalls and remedies
        {translatable("the job has no variable '%1'")},
        {translatable("build the strategy for this job; AutoDist drops such configurations")},
        {translatable("the strategy has %1 replicas and the cluster %2, and they are not the same devices")},
        {translatable("build the strategy for this cluster")},
        {translatable("a ring in the order of its replicas leaves nodes %1 times, in the cluster's order %2 times")},
        {translatable("list the replicas of each node one after the other")},
        {translatable("its gradient is sparse and all-reduced over %1 nodes, which AutoDist's runtime refuses")},
        {translatable("put it on a parameter server, as Parallax does")},
        {translatable("its gradient is sparse, and a proxy would copy the whole of it to every worker")},
        {translatable("set local_replication to false")},
        {translatable("it is %1, and the compressor turns float32 into float16")},
        {translatable("use NoneCompressor")},
        {translatable("%1 stay whole: the builders split along dimension 0, which is 1")},
        {translatable("split another dimension by hand, or try RandomAxisPartitionAR")},
        {translatable("the kernel is split into %1 along %2, whatever the number of servers")},
        {translatable("split along channels, or leave it whole")},
        {translatable("dimension %1 is %2, a prime, so it is split into %3 parts of one row")},
        {translatable("pad the dimension to a multiple of the number of servers, or use UnevenPartitionedPS")},
        {translatable("%1 in %2 parts for %3 servers, whose mean load is %4")},
        {translatable("split it into %1 parts"), "1"},
        {translatable("%1 parts in all, each with messages of its own")},
        {translatable("split into fewer parts")},
        {translatable("%1 are on %2, which the cluster does not have")},
        {translatable("%1 variables or parts go through the CPU of a single node")},
        {translatable("on one node, all-reduce between its GPUs is faster by far (AutoDist, section 3.1)")},
        {translatable("%1 carries %2, %3 times the mean of %4 servers%5"), "234"},
        {translatable("spread variables with PSLoadBalancing, or split the largest")},
        {translatable("split it, as PartitionedPS does")},
        {translatable("%1 carries %2, where the mean is %3, on %4 Gbit/s; others have %5 Gbit/s"), "2345"},
        {translatable("share the bytes out in proportion to bandwidth")},
        {translatable("use all of the cluster's servers, as PSLoadBalancing does")},
        {translatable("leave slow servers out of the strategy, or choose a policy that keeps its placement")},
        {translatable("all %1 all-reduced variables or parts are in group %2: none is sent before the last gradient is ready")},
        {translatable("make several groups; in a file of before 2020-04-29 this number is the chunk size, so build it again with "
                      "chunk_size=%1")},
        {translatable("make several groups (a smaller chunk_size)")},
        {translatable("group %1 has variables of %2 kinds (type, spec, compressor), which cannot be sent as one")},
        {translatable("give each kind a group of its own")},
        {translatable("%1 of %2 groups are smaller than %3: latency, not bandwidth, bounds them")},
        {translatable("put more variables into a group (a larger chunk_size)")},
        {translatable("variables on servers are kept in %1 different ways (synchrony, staleness)")},
        {translatable("give all of them the same sync and staleness")},
        {translatable("variables on servers may be stale, but all-reduce keeps the workers in step")},
        {translatable("use sync=True and staleness=0, or servers for all variables")},
        {translatable("background traffic of server %1, where the cluster's dedicated servers number %2")},
        {translatable("background traffic of worker %1, where the cluster's workers number %2")},
        {translatable("count dedicated servers from 0; a server on a worker's node shares that worker's link")},
        {translatable("count workers (replicas) from 0")},
        {translatable("the strategy asks for all_reduce_spec=RING, and the policy simulates another algorithm")},
        {translatable("choose algorithm=ring, or all_reduce_spec=NCCL or AUTO")},
        {translatable("the strategy asks for all_reduce_spec=NCCL, and the policy simulates an algorithm that NCCL's all-reduce "
                      "does not have")},
        {translatable("choose algorithm=ring or tree, or all_reduce_spec=AUTO")},
        {translatable("the cluster names %1 channels, and collectives as flows are on the nodes' NICs, %2 at a time")},
        {translatable("choose form=analytic")},
        {translatable(
            "a collective on a named channel takes the time of a ring for each device of a node, whatever the algorithm")},
        {translatable("choose algorithm=ring, or a cluster without named channels")},
        {translatable("the cluster has measured times of %1 collectives, and collectives as flows do not take them")},
        {translatable("the cluster's measured collectives have other numbers of ranks than its %1 replicas")},
        {translatable("calibrate with logs of as many ranks")},
        {translatable("the credit of %1 limits the sums over a machine's devices, and here every machine has one")},
        {translatable("leave the credit as it is: it changes nothing; bytescheduler's is held until a partition is pulled")},
        {translatable("%1 all-reduce groups join several variables, and %2 %3")},
        {translatable("choose fifo, which joins a strategy's groups, or leave the groups as they are: they change nothing")},
        {translatable("%1 variables or parts are reduced by two collectives, and %2 all-reduces its buckets")},
        {translatable("choose fifo, which reduces each as the strategy says")},
        {translatable("the strategy places variables on %1 servers, and %2 chooses among them itself")},
        {translatable("give the policy hash=strategy, which keeps the strategy's placement")},
        {translatable("choose a policy that leaves variables where they are, such as fifo")},
        {translatable("the strategy has proxies, and %1 pulls a value once a machine without them")},
        {translatable("leave them as they are: they change nothing")},
        // engine/search/tune/conditions.cpp
        {translatable(
            "bandwidth_gbits and network_jobs change the nodes' cards, which carry the traffic of parameter servers only: "
            "collectives are on the cluster's named channels")},
        {translatable("choose form=flows or a cluster without named channels, unless collectives are to stay as they are")},
        {translatable(
            "bandwidth_gbits and network_jobs change the nodes' cards, and collectives are on the cluster's named channels")},
        {translatable("leave these columns out, or choose form=flows or a cluster without named channels")},
    };
}

std::vector<SentencePattern> fragmentsOfPitfalls() {
    return {
        // engine/strategy/lint*.cpp
        {translatable("its height")},
        {translatable("its width")},
        {translatable("; most of it is '%1'")},
        {translatable("fuses messages by rules of its own")},
        {translatable("sends every variable by itself")},
    };
}

std::vector<SentencePattern> piecesOfRules() {
    return {
        // engine/search/rule.cpp: which variables
        {translatable("all")},
        {translatable("layers up to %1 %"), "1"},
        {translatable("later layers")},
        {translatable("below %1"), "1"},
        {translatable("larger")},
        // engine/search/rule.cpp, rule_space.cpp: how they are synchronised
        {translatable("served")},
        {translatable("served, with a copy on each node")},
        {translatable("all-reduced")},
        {translatable("all-reduced, in a group of its own")},
        {translatable("reduce-scattered and gathered")},
        {translatable("reduced and broadcast")},
        {translatable("in parts of %1"), "1"},
        {translatable("in %1 parts"), "1"},
        {translatable("each in a group of its own")},
        {translatable("in the fewest uneven parts")},
        {translatable("in the fewest even parts")},
        {translatable("in the fewest even parts of a random dimension")},
        {translatable("in groups of up to %1"), "1"},
        {translatable("each alone")},
        {translatable("on server %1"), "1"},
        // engine/search/rule.cpp: about all of them
        {translatable("groups of %1 in the variables' order"), "1"},
        {translatable("sparse variables likewise")},
        {translatable("1 server")},
        {translatable("%1 servers")},
        {translatable("filled in the variables' order")},
    };
}

} // namespace syncopate::ui
