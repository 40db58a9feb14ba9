// SPDX-License-Identifier: GPL-3.0-or-later
// The DAG of a Chakra trace: our own exports read back, sends and receives as permutes, ops of the host, a converted ResNet-50.
#include "engine/export/plan_export.h"
#include "engine/parse/archive.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/plan/dags.h"
#include "tests/plan/recorded_dags.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stop_token>

using namespace syncopate;
using namespace syncopate::testing;

class TestChakraDag : public QObject {
    Q_OBJECT

private slots:
    /// The same DAG, written as a Chakra trace of whole collectives and read back.
    void chakraTracesKeepEverything() {
        const auto made = dagOf(*hybrid(), 4);
        VERIFY_VALUE(made);
        ExecutionPlan plan{"whole", made->dag.name, {{"one", {"one"}, 1e9, 0}}, {}, {{}}};
        for (const DagOpId op : made->dag.submissionOrder) {
            plan.orders[0].push_back({MotifId(plan.motifs.size()), 0});
            plan.motifs.push_back({op, {*made->dag.ops[op.index()].collective}, ChannelId(0)});
        }
        VERIFY_VALUE(validatePlan(plan, made->dag));
        const auto text = writeChakra(plan, made->dag, {});
        VERIFY_VALUE(text);
        const auto source = ByteSource::fromMemory(*text);
        const auto trace = readChakra(*source);
        VERIFY_VALUE(trace);
        const auto step = recordChakra(*trace, "whole.et");
        VERIFY_VALUE(step);
        const auto again = dagOfStep(*step, "again", 0, 4, "whole.et");
        VERIFY_VALUE(again);
        QVERIFY(edgesOf(again->dag) == edgesOf(made->dag));
        QCOMPARE(again->dag.computeOrder.size(), made->dag.computeOrder.size());
        for (const DagOpId op : made->dag.computeOrder) {
            const DagOp &want = made->dag.ops[op.index()], *const got = named(again->dag, want.name);
            QVERIFY2(got != nullptr, want.name.c_str());
            COMPARE_CLOSE(got->seconds, want.seconds, 1e-6, About(want.name));
        }
    }

    /// A permute is written as process 0's send and receive, which are read back as one: one permute to the successor among all,
    /// one to the predecessor within groups.
    void permutesAreReadBack() {
        for (const ProcessGroup group : {ProcessGroup{}, ProcessGroup{4, 2, 1}, ProcessGroup{4, 1, 1}})
            for (const std::int32_t shift : {1, 3, -1}) {
                TrainingDag dag;
                dag.name = "pipe";
                dag.processes = 8;
                dag.ops = {{.name = "forward 0", .seconds = 1e-3},
                           {.name = "forward 1", .seconds = 2e-3},
                           {.name = "a",
                            .collective = CollectiveKind::Permute,
                            .sizeBytes = 4096,
                            .parents = {DagOpId(0)},
                            .group = group}};
                dag.ops[2].shift = shift;
                dag.ops.push_back({.name = "forward 2", .seconds = 4e-3, .parents = {DagOpId(2)}});
                dag.computeOrder = {DagOpId(0), DagOpId(1), DagOpId(3)};
                dag.submissionOrder = {DagOpId(2)};
                ExecutionPlan plan{
                    "whole", dag.name, {{"one", {"one"}, 1e9, 0}}, {{DagOpId(2), {CollectiveKind::Permute}, ChannelId(0)}}, {{}}};
                plan.orders[0].push_back({MotifId(0), 0});
                QVERIFY(validatePlan(plan, dag).has_value());
                const auto text = writeChakra(plan, dag, {});
                QVERIFY2(text.has_value(), text ? "" : text.error().toString().c_str());
                const auto source = ByteSource::fromMemory(*text);
                const auto trace = readChakra(*source);
                QVERIFY2(trace.has_value(), trace ? "" : trace.error().toString().c_str());
                QCOMPARE(trace->nodes.size(), std::size_t{5});
                const auto step = recordChakra(*trace, "pipe.et");
                QVERIFY2(step.has_value(), step ? "" : step.error().toString().c_str());
                const auto made = dagOfStep(*step, "again", 0, 8, "pipe.et");
                QVERIFY2(made.has_value(), made ? "" : made.error().toString().c_str());
                QVERIFY(!mentions(made->notes, "Left out"));
                const DagOp *const op = named(made->dag, "permute 0");
                QVERIFY(op != nullptr && op->collective == CollectiveKind::Permute);
                const std::int32_t members = group.sizeAmong(8);
                QCOMPARE((op->shift % members + members) % members, (shift + members) % members);
                QVERIFY(op->group == group);
                COMPARE_CLOSE(op->sizeBytes, 4096.);
                QCOMPARE(namesOf(made->dag, op->parents), Names{"forward 0"});
                QCOMPARE(namesOf(made->dag, named(made->dag, "forward 2")->parents), Names{"permute 0"});
            }
    }

    /// The archive has a trace of each process under the names that tools expect; each is the same DAG, whole or rewritten, with
    /// the peers and the motifs that its process has.
    void archivesAreReadBack() {
        TrainingDag dag =
            dagOf({computeOp("forward 0", 1e-3, {}, {5_op}), computeOp("forward 1", 2e-3, {3_op}),
                   computeOp("forward 2", 4e-3, {4_op}), commOp("data", CollectiveKind::AllToAll, 4096, {0_op}),
                   commOp("ahead", CollectiveKind::Permute, 512, {0_op}), commOp("sum", CollectiveKind::AllReduce, 8192, {2_op})},
                  8);
        dag.name = "a DAG/of 8";
        dag.ops[4].shift = 3;
        dag.ops[4].group = {4, 2, 1};
        const MotifCosts costs;
        const auto exported = [&](const std::vector<MotifCut> &cuts) {
            const ExecutionPlan plan = cutPlan(dag, cuts, std::vector(3, 0_channel), {unitChannel("one")});
            const auto tar = writeChakraArchive(plan, dag, costs);
            std::map<std::string, TrainingDag> byName;
            if (!tar)
                return byName;
            const auto read = forEachMember(ByteSource::fromMemory(*tar), "plan.et.tar",
                                            [&](const std::string &name, std::unique_ptr<ByteSource> source) -> Result<Walk> {
                                                const auto step = TRY(recordChakra(TRY(readChakra(*source)), name));
                                                byName[name] = TRY(dagOfStep(step, "again", 0, 8, name)).dag;
                                                return Walk::Continue;
                                            });
            if (!read)
                QTest::qFail(read.error().toString().c_str(), __FILE__, __LINE__);
            return byName;
        };
        const auto whole = exported({{}, {}, {}});
        QCOMPARE(whole.size(), std::size_t{8});
        for (int process = 0; process < 8; ++process) {
            const auto found = whole.find(fmt::format("plan.et.tar:a_DAG_of_8.{}.et", process));
            QVERIFY2(found != whole.end(), whole.begin()->first.c_str());
            QVERIFY2(edgesOf(found->second) == edgesOf(dag), found->first.c_str());
            const DagOp *const ahead = named(found->second, "permute 1");
            QVERIFY(ahead != nullptr && (ahead->shift + 4) % 4 == 3 && ahead->group == dag.ops[4].group);
            COMPARE_CLOSE(named(found->second, "forward 2")->seconds, 4e-3, 1e-6);
        }
        // Two segments of the all-to-all; the all-reduce as a reduce-scatter and then an all-gather.
        TrainingDag rewritten = dag;
        rewritten.ops[3].sizeBytes /= 2;
        rewritten.ops.push_back(rewritten.ops[3]);
        rewritten.ops[1].parents.push_back(6_op);
        rewritten.ops[5].collective = CollectiveKind::ReduceScatter;
        rewritten.ops[0].previousParents = {5_op, 7_op}; // and its consequences, such as the all-gather's parents
        rewritten.ops.push_back(commOp("gather", CollectiveKind::AllGather, 8192, {2_op, 5_op}));
        const auto cut = exported({{.segments = 2}, {}, {.ring = true}});
        QCOMPARE(cut.size(), std::size_t{8});
        for (const auto &[name, again] : cut)
            QVERIFY2(edgesOf(again) == edgesOf(rewritten), name.c_str());
        std::stop_source stop;
        stop.request_stop();
        const ExecutionPlan plan = cutPlan(dag, {{}, {}, {}}, std::vector(3, 0_channel), {unitChannel("one")});
        const auto stopped = exportPlan("chakra-ranks", {plan, dag, costs, {}, nullptr, stop.get_token()});
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    /// A process has the motifs of a tree that it takes part in; a wait for another motif becomes a wait for that motif's
    /// dependencies.
    void processesHaveTheMotifsTheyTakePartIn() {
        const TrainingDag dag = dagOf({computeOp("bwd", 1e-3), commOp("sum", CollectiveKind::AllReduce, 8192, {0_op})}, 8);
        ExecutionPlan plan = cutPlan(dag, {{.tree = 2}}, {0_channel}, {unitChannel("up"), unitChannel("down")});
        QCOMPARE(plan.motifs.size(), std::size_t{5}); // pairs, pairs of pairs, the last two roots, and back on another channel
        plan.motifs[3].channel = plan.motifs[4].channel = 1_channel;
        plan.orders = {{{0_motif, 0}, {1_motif, 0}, {2_motif, 0}}, {{3_motif, 0}, {4_motif, 0}}};
        VERIFY_VALUE(validatePlan(plan, dag));
        for (const int process : {0, 1, 2, 4, 7}) {
            const auto text = writeChakra(plan, dag, {}, ProcessId(process));
            VERIFY_VALUE(text);
            const auto source = ByteSource::fromMemory(*text);
            const auto trace = readChakra(*source);
            VERIFY_VALUE(trace);
            const int levels = process % 4 == 0 ? 3 : process % 2 == 0 ? 2 : 1;
            QCOMPARE(trace->nodes.size(), static_cast<std::size_t>(1 + 2 * levels - (levels == 3 ? 1 : 0)));
            QCOMPARE(trace->dangling, std::uint64_t{0});
            for (std::size_t node = 1; node < trace->nodes.size(); ++node) { // a chain
                const auto inputs = trace->inputsOf(trace->nodes[node]);
                QVERIFY(std::find(inputs.begin(), inputs.end(), static_cast<std::int32_t>(node) - 1) != inputs.end());
            }
        }
    }

    /// A process that takes no part in the first steps of broadcasts waits for their dependencies, over any number of paths; each
    /// dependency is written once.
    void dependenciesAreWrittenOnce() {
        constexpr std::size_t layers = 16;
        std::vector<DagOp> ops{computeOp("bwd", 1e-3)};
        for (std::size_t layer = 0; layer < layers; ++layer) {
            std::vector<DagOpId> parents{0_op};
            if (layer > 0)
                parents = {DagOpId(2 * layer - 1), DagOpId(2 * layer)};
            for (const char *name : {"left", "right"})
                ops.push_back(commOp(fmt::format("{} {}", name, layer), CollectiveKind::Broadcast, 8192, parents));
        }
        const TrainingDag dag = dagOf(std::move(ops), 4);
        const ExecutionPlan plan = cutPlan(dag, std::vector(2 * layers, MotifCut{.partition = 2}),
                                           std::vector(2 * layers, 0_channel), {unitChannel("one")});
        VERIFY_VALUE(validatePlan(plan, dag));
        QCOMPARE(plan.motifs.size(), 4 * layers); // among process 0 and 2, then within pairs
        const auto text = writeChakra(plan, dag, {}, 1_process);
        VERIFY_VALUE(text);
        const auto source = ByteSource::fromMemory(*text);
        const auto trace = readChakra(*source);
        VERIFY_VALUE(trace);
        QCOMPARE(trace->nodes.size(), 1 + 2 * layers);
        for (std::size_t node = 1; node < trace->nodes.size(); ++node) {
            const auto inputs = trace->inputsOf(trace->nodes[node]);
            QCOMPARE(std::count(inputs.begin(), inputs.end(), 0), std::ptrdiff_t{1});
            for (std::size_t before = 1; before < 2 * ((node - 1) / 2) + 1; ++before) // all layers before it
                QVERIFY(std::find(inputs.begin(), inputs.end(), static_cast<std::int32_t>(before)) != inputs.end());
        }
    }

    /// A send and a receive that cannot be symmetric over the ranks are left out: a pipeline stage passes received data on.
    void sendsThatAreNoPermuteAreTold() {
        const auto stepOf = [](ChakraNode send, ChakraNode receive, bool receiveFirst) {
            ChakraTrace trace;
            trace.names.intern({});
            const auto add = [&](ChakraNode node, ChakraNode::Kind kind, const std::vector<std::int32_t> &inputs) {
                node.id = trace.nodes.size();
                node.kind = kind;
                node.durationMicros = 10;
                node.firstInput = trace.inputs.size();
                node.inputCount = static_cast<std::uint32_t>(inputs.size());
                trace.inputs.insert(trace.inputs.end(), inputs.begin(), inputs.end());
                trace.nodes.push_back(node);
            };
            using Kind = ChakraNode::Kind;
            ChakraNode sum;
            sum.collective = 0;
            sum.sizeBytes = 8;
            add({}, Kind::Compute, {});
            if (receiveFirst) { // the second compute needs the received data, and the send needs that compute
                add(receive, Kind::Receive, {});
                add({}, Kind::Compute, {1});
                add(send, Kind::Send, {2});
            } else {
                add(send, Kind::Send, {0});
                add(receive, Kind::Receive, {});
                add({}, Kind::Compute, {2});
            }
            add(sum, Kind::Collective, {0});
            return recordChakra(trace, "pipe.et");
        };
        ChakraNode send, receive;
        send.sizeBytes = receive.sizeBytes = 100;
        send.from = receive.to = 1;
        send.to = 2;
        receive.from = 0;
        const auto leftOut = [&](bool receiveFirst = false) {
            Names names = must(stepOf(send, receive, receiveFirst)).leftOut;
            std::sort(names.begin(), names.end());
            return names;
        };
        const Names none, both{"receive", "send"};
        QCOMPARE(leftOut(), none);
        QCOMPARE(leftOut(true), both);
        receive.sizeBytes = 50;
        QCOMPARE(leftOut(), both);
        receive.sizeBytes = 100;
        receive.from = 2; // forward in one direction, back in the other
        QCOMPARE(leftOut(), both);
        receive.from = 3; // of four: from the process before the first
        send.from = receive.to = 0;
        send.to = 1;
        QCOMPARE(leftOut(), none);
        const auto step = stepOf(send, receive, false);
        QCOMPARE(step->ops[step->ops.size() - 2].groupSize, std::int64_t{4});
        receive.from = -1; // not stated
        QCOMPARE(leftOut(), both);
    }

    /// An op on the host stands for the work that it launched: work behind the collective's call waits for it, other work does
    /// not.
    void opsOfTheHostStandForTheirWork() {
        ChakraTrace trace;
        const auto add = [&](bool onHost, ChakraNode::Kind kind, std::uint64_t micros, const std::vector<std::int32_t> &inputs) {
            ChakraNode node;
            node.id = trace.nodes.size();
            node.onHost = onHost;
            node.kind = kind;
            node.durationMicros = micros;
            node.firstInput = trace.inputs.size();
            node.inputCount = static_cast<std::uint32_t>(inputs.size());
            trace.inputs.insert(trace.inputs.end(), inputs.begin(), inputs.end());
            trace.nodes.push_back(node);
        };
        trace.names.intern({});
        using Kind = ChakraNode::Kind;
        add(true, Kind::Compute, 1, {});
        add(false, Kind::Compute, 100, {0});
        add(true, Kind::Collective, 1, {0}); // the call
        add(false, Kind::Collective, 50, {2, 0});
        trace.nodes.back().collective = 6;
        trace.nodes.back().sizeBytes = 4096;
        add(true, Kind::Compute, 1, {});
        add(false, Kind::Compute, 70, {4});
        add(true, Kind::Compute, 1, {2});
        add(false, Kind::Compute, 30, {6});
        const auto step = recordChakra(trace, "host.et");
        VERIFY_VALUE(step);
        QCOMPARE(step->ops.size(), std::size_t{4});
        COMPARE_CLOSE(step->ops[1].seconds, 70e-6);
        QVERIFY(step->ops[1].parents.empty());
        QCOMPARE(step->ops[2].parents, std::vector<std::int32_t>{3});
        QCOMPARE(step->ops[3].collective, std::string("all_to_all"));
        QCOMPARE(step->ops[3].parents, std::vector<std::int32_t>{0});
        QCOMPARE(step->ops[3].sizeBytes, 4096.0);
        const auto refused = [&](const char *what) {
            const auto none = recordChakra(trace, "host.et");
            QVERIFY2(!none && none.error().what.find(what) != std::string::npos, none ? what : none.error().what.c_str());
        };
        trace.nodes[3].kind = Kind::Send; // that no receive goes with
        refused("there is no collective");
        for (ChakraNode &node : trace.nodes)
            node.durationMicros = 0;
        trace.nodes[3].kind = Kind::Collective;
        refused("none of its compute nodes has a duration");
    }

    /// Five gradient all-reduces and two broadcasts of a converted ResNet-50.
    void convertedTracesKeepTheirCollectives() {
        REQUIRE_FOREIGN_TRACE("chakra_et");
        std::string content;
        const auto found = forEachPart(foreignTrace("chakra_et/chakra_resnet_linked_et.tar.gz"),
                                       [&](const std::string &name, std::unique_ptr<ByteSource> source) -> Result<Walk> {
                                           if (name.ends_with("chakra.0.et"))
                                               content = TRY(readHead(*source, std::size_t{1} << 28));
                                           return {};
                                       });
        VERIFY_VALUE(found);
        const auto source = ByteSource::fromMemory(content);
        const auto trace = readChakra(*source);
        VERIFY_VALUE(trace);
        const auto step = recordChakra(*trace, "chakra.0.et");
        VERIFY_VALUE(step);
        const auto made = dagOfStep(*step, "resnet50", 0, 2, "chakra.0.et");
        VERIFY_VALUE(made);
        std::map<CollectiveKind, double> bytes;
        for (const DagOpId op : made->dag.submissionOrder)
            bytes[*made->dag.ops[op.index()].collective] += made->dag.ops[op.index()].sizeBytes;
        QCOMPARE(made->dag.submissionOrder.size(), std::size_t{7});
        COMPARE_CLOSE(bytes[CollectiveKind::AllReduce], 4 * 25557032.); // ResNet-50's parameters
        COMPARE_CLOSE(bytes[CollectiveKind::Broadcast], 212480. + 424);
        const auto workload = recordChakraFile(foreignTrace("chakra_et/microbench/all_reduce/4npus_1MB/all_reduce.0.et"));
        QVERIFY(!workload.has_value());
        QVERIFY2(workload.error().what.find("no computation") != std::string::npos, workload.error().what.c_str());
    }
};

QTEST_APPLESS_MAIN(TestChakraDag)
#include "tst_chakra_dag.moc"
