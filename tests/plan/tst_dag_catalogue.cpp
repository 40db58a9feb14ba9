// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogue DAGs, compared with SYNDICATE's Table 2, worked out by hand.
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/plan/motif_costs.h"
#include "tests/checks.h"

#include <QtTest>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

TrainingDag dagNamed(const char *name, std::int32_t nodes = 16, std::int32_t perNode = 8) {
    auto dag = catalogueDag(name, nodes * perNode, perNode);
    if (!dag)
        QTest::qFail(dag.error().toString().c_str(), __FILE__, __LINE__);
    return dag ? *std::move(dag) : TrainingDag{};
}

DagOp opNamed(const TrainingDag &dag, const std::string &name) {
    const auto op = std::find_if(dag.ops.begin(), dag.ops.end(), [&](const DagOp &each) { return each.name == name; });
    if (op == dag.ops.end())
        QTest::qFail(name.c_str(), __FILE__, __LINE__);
    return op == dag.ops.end() ? DagOp{} : *op;
}

double bytesOf(const TrainingDag &dag, CollectiveKind kind) {
    double bytes = 0;
    for (const DagOp &op : dag.ops)
        if (op.collective == kind)
            bytes += op.sizeBytes;
    return bytes;
}

} // namespace

class TestDagCatalogue : public QObject {
    Q_OBJECT

private slots:
    /// Every DAG can be made for any number of nodes and survives writing and reading back.
    void allAreDagsForAnyNodes() {
        QCOMPARE(catalogueDags().size(), std::size_t{11});
        for (const CatalogueDag &each : catalogueDags()) {
            QVERIFY(isCatalogueDag(each.name) && !each.published.empty() && !each.assumed.empty());
            for (const auto &[nodes, perNode] : {std::pair{1, 8}, {2, 1}, {3, 4}, {16, 8}, {64, 8}}) {
                const TrainingDag dag = dagNamed(each.name.c_str(), nodes, perNode);
                QCOMPARE(dag.processes, nodes * perNode);
                const auto read = readTrainingDagText(writeTrainingDag(dag));
                QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
                for (std::size_t o = 0; o < dag.ops.size(); ++o) {
                    QCOMPARE(read->ops[o].group == dag.ops[o].group, true);
                    COMPARE_CLOSE(read->ops[o].sizeBytes, dag.ops[o].sizeBytes, 1e-9);
                    COMPARE_CLOSE(read->ops[o].seconds, dag.ops[o].seconds, 1e-9);
                }
                QVERIFY(read->computeOrder == dag.computeOrder && read->submissionOrder == dag.submissionOrder);
            }
        }
    }

    /// A2: 20 layers of 3375 in float32, 638 MFLOPs and 3000 rows of 93 values per sample, batch 1024, half of 15 TFLOPS.
    void tableTwoIsFollowed() {
        const TrainingDag dag = dagNamed("syndicate:a2");
        const double parameters = 20.0 * 3375 * 3375;
        COMPARE_CLOSE(bytesOf(dag, CollectiveKind::AllReduce), 4 * parameters, 1e-9);
        COMPARE_CLOSE(opNamed(dag, "a2a-emb-fwd").sizeBytes, 1024.0 * 3000 * 93 * 4, 1e-9);
        COMPARE_CLOSE(opNamed(dag, "a2a-data-prep").sizeBytes, 1024.0 * 3000 * 15 * 8, 1e-9);
        const double mlps = 3 * (opNamed(dag, "fwd-bottom-mlp").seconds + opNamed(dag, "fwd-top-mlp").seconds);
        COMPARE_CLOSE(mlps, 3 * 1024 * 638e6 / 7.5e12, 1e-9);
        COMPARE_CLOSE(dag.computeSeconds() - mlps, 3 * 1024.0 * 3000 * 15 * 93 * 4 / 450e9, 1e-9);
        // In float16 the MLPs take 120/1000 of that; communication and lookups are unchanged.
        const TrainingDag half = dagNamed("syndicate:a2:fp16");
        COMPARE_CLOSE(half.computeSeconds() - (dag.computeSeconds() - mlps), 0.12 * mlps, 1e-9);
        COMPARE_CLOSE(bytesOf(half, CollectiveKind::AllReduce), 4 * parameters, 1e-9);
        // ByteScheduler submits in this order: ar-top-mlp, a2a-emb-bwd, ar-bottom-mlp (section 6.5.1).
        std::vector<std::string> submitted;
        for (const DagOpId op : dag.submissionOrder)
            submitted.push_back(dag.ops[op.index()].name);
        QVERIFY((submitted ==
                 std::vector<std::string>{"a2a-data-prep", "a2a-emb-fwd", "ar-top-mlp", "a2a-emb-bwd", "ar-bottom-mlp"}));
    }

    /// FSDP: parameters are gathered twice and reduce-scattered once; a gather waits for the layer before the last one.
    void shardedModelsGatherTwice() {
        const TrainingDag dag = dagNamed("syndicate:a4");
        const double parameters = 4 * 43.0 * 682 * 682;
        COMPARE_CLOSE(bytesOf(dag, CollectiveKind::AllGather), 2 * parameters, 1e-9);
        COMPARE_CLOSE(bytesOf(dag, CollectiveKind::ReduceScatter), parameters, 1e-9);
        const DagOp third = opNamed(dag, "ag-fwd/bottom-mlp-2");
        QCOMPARE(third.parents.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(dag.ops[third.parents[0].index()].name), QStringLiteral("fwd-bottom-mlp-0"));
        QVERIFY(opNamed(dag, "ag-fwd/bottom-mlp-1").parents.empty());
        // XLM-R XL: 3.5 billion parameters, with the embedding table at both ends.
        COMPARE_CLOSE(bytesOf(dagNamed("syndicate:a5"), CollectiveKind::ReduceScatter),
                      2 * (36 * 12 * 2560.0 * 2560 + 2 * 250e3 * 2560), 1e-9);
    }

    /// A GPT's all-reduces are in groups: activations within nodes, gradients across them.
    void tensorParallelGroupsAreNodes() {
        const TrainingDag dag = dagNamed("gpt:6.7b");
        QVERIFY((opNamed(dag, "tp-fwd-mlp-0").group == ProcessGroup{8, 1, 1}));
        QVERIFY((opNamed(dag, "dp-layer-31").group == ProcessGroup{16, 8, 1}));
        QCOMPARE(dag.submissionOrder.size(), std::size_t{5 * 32});
        QCOMPARE(dagNamed("gpt:6.7b", 1, 8).submissionOrder.size(), std::size_t{4 * 32});
        QCOMPARE(dagNamed("gpt:6.7b", 8, 1).submissionOrder.size(), std::size_t{32});
    }

    /// A GPT's layer has 12 h^2 parameters and does 24 B s h^2 + 4 B s^2 h FLOPs forward (Narayanan et al., SC'21, appendix), of
    /// which its MLP 16 B s h^2, for B = 2 sequences of s = 2048, h = 4096, on eight GPUs at half of 125 TFLOPS each.
    void tensorParallelWorkIsMegatrons() {
        const TrainingDag dag = dagNamed("gpt:6.7b");
        const double tokens = 2 * 2048, h = 4096, rate = 8 * 62.5e12;
        const double layer = tokens * (24 * h * h + 4 * 2048 * h) / rate, mlp = tokens * 16 * h * h / rate;
        COMPARE_CLOSE(opNamed(dag, "fwd-mlp-3").seconds, mlp, 1e-9);
        COMPARE_CLOSE(opNamed(dag, "fwd-attention-3").seconds, layer - mlp, 1e-9);
        COMPARE_CLOSE(opNamed(dag, "bwd-mlp-3").seconds, 2 * mlp, 1e-9);
        COMPARE_CLOSE(opNamed(dag, "bwd-attention-3").seconds, 2 * (layer - mlp), 1e-9);
        COMPARE_CLOSE(dag.computeSeconds(), 3 * 32 * layer, 1e-9);
        // Two bytes a value: B s h activations whole, and an eighth of the layer's gradients.
        for (const char *name : {"tp-fwd-attention-3", "tp-fwd-mlp-3", "tp-bwd-mlp-3", "tp-bwd-attention-3"})
            QCOMPARE(opNamed(dag, name).sizeBytes, 32.0 * 1024 * 1024);
        QCOMPARE(opNamed(dag, "dp-layer-3").sizeBytes, 48.0 * 1024 * 1024);
        // The next forward pass of a layer begins with its attention, and waits for that layer's gradients.
        const DagOp next = opNamed(dag, "fwd-attention-3");
        QCOMPARE(next.previousParents.size(), std::size_t{1});
        QCOMPARE(dag.ops[next.previousParents[0].index()].name, std::string("dp-layer-3"));
    }

    void whatIsNotThereIsRefused() {
        const auto other = catalogueDag("syndicate:a9", 128, 8);
        QVERIFY(!other && other.error().toString().find("syndicate:a6") != std::string::npos);
        QVERIFY(!catalogueDag("syndicate:a2", 1, 1).has_value());
        QVERIFY(!catalogueDag("syndicate:a2", 12, 8).has_value());
    }

    /// A node that only serves takes no part in collectives, however slow its NIC is.
    void serversTakeNoPart() {
        for (const char *name : {"syndicate", "B7"}) {
            const Cluster alone = *catalogueCluster(name);
            Cluster served = withDedicatedServers(alone, 1);
            served.nodes.back().bandwidthBytesPerSecond = 1;
            QVERIFY2(planChannels(served) == planChannels(alone), name);
            QVERIFY2(modelledCosts(served, planChannels(served)) == modelledCosts(alone, planChannels(alone)), name);
        }
    }

    /// Eight nodes of eight processes and one of two: motifs as on nodes of two, bounds as on nodes of eight, and a note says so.
    void unevenNodes() {
        const Cluster even = *catalogueCluster("syndicate"), uneven = withWorkers(even, 66);
        const auto channels = planChannels(uneven);
        const MotifCosts costs = modelledCosts(uneven, channels), full = modelledCosts(even, channels);
        QCOMPARE(costs.processesPerNode, 2);
        QCOMPARE(costs.largestNode, 8);
        const double nic = 12.5e9, latency = 5e-6, bytes = 1e9;
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllReduce}, bytes, 66, channels[0]),
                      130 * latency + 2 * 65.0 / 66 * bytes / (2 * nic), 1e-9);
        const DagOp whole = {.name = "x", .collective = CollectiveKind::AllReduce, .sizeBytes = bytes};
        for (const auto cut : {MotifCosts::Cut::Process, MotifCosts::Cut::Node})
            QCOMPARE(costs.cutBoundSeconds(whole, 66, channels[0], cut), full.cutBoundSeconds(whole, 66, channels[0], cut));
        QCOMPARE(QString::fromStdString(unevenNodesNote(costs)),
                 QString("Nodes have up to 8 processes, and not all equally many: collectives take the time that they would on "
                         "nodes of 2, each with its share of the links; bounds are for nodes of 8."));
    }

    /// Table 1's nodes: a ring enters each node once and uses all eight NICs; in an all-to-all each GPU uses its own.
    void nodesShareTheirNics() {
        const Cluster cluster = *catalogueCluster("syndicate");
        const auto channels = planChannels(cluster);
        const MotifCosts costs = modelledCosts(cluster, channels);
        QCOMPARE(costs.processesPerNode, 8);
        const double nic = 12.5e9, latency = 5e-6, bytes = 1e9;
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllReduce}, bytes, 128, channels[0]),
                      254 * latency + 2 * 127.0 / 128 * bytes / (8 * nic), 1e-9);
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllToAll}, bytes, 128, channels[0]),
                      127 * latency + 120.0 / 128 * bytes / nic, 1e-9);
        // Within a node NVSwitch carries it: 1.2 TB/s shared by eight.
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllReduce}, bytes, 8, channels[0]), 14 * latency + 1.75 * bytes / 150e9,
                      1e-9);
        // With PCIe and the host's NICs, PCIe is the bottleneck of a ring.
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllReduce}, bytes, 128, channels[1]),
                      254 * 30e-6 + 2 * 127.0 / 128 * bytes / 12e9, 1e-9);
        // One process per node, eight groups at once: every group has a NIC.
        DagOp across = {.name = "x", .collective = CollectiveKind::AllReduce, .sizeBytes = bytes};
        across.group = {16, 8, 1};
        COMPARE_CLOSE(costs.seconds({CollectiveKind::AllReduce}, across, 128, channels[0]), 30 * latency + 1.875 * bytes / nic,
                      1e-9);
        // Hierarchically: 7/8 within the node, and an eighth of the buffer across, in both directions.
        double hierarchical = 0;
        for (const Motif &motif : cutMotifs(CollectiveKind::AllReduce, {.partition = 8}, 128))
            hierarchical += costs.seconds(motif, bytes, 128, channels[0]);
        COMPARE_CLOSE(hierarchical, (7 + 30 + 7) * latency + 1.75 * bytes / 150e9 + 1.875 * bytes / 8 / nic, 1e-9);
    }
};

QTEST_APPLESS_MAIN(TestDagCatalogue)
#include "tst_dag_catalogue.moc"
