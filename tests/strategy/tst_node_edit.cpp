// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/node_edit.h"
#include "engine/strategy/strategy_file.h"
#include "engine/strategy/variable_parts.h"
#include "tests/scenarios.h"

#include <QtTest>

using namespace syncopate;

class TestNodeEdit : public QObject {
    Q_OBJECT

    Job m_job;
    Cluster m_cluster = uniformCluster(4, 10);

    [[nodiscard]] Strategy built(const std::string &builder) const { return *buildStrategy(builder, m_job, m_cluster); }

private slots:
    /// A variable is cut into at most one part per row.
    void aPartIsARowAtLeast() {
        Variable variable;
        variable.shape = {4};
        NodeConfig node;
        for (const std::int32_t parts : {2, 4, 5}) {
            node.partitions = {parts};
            node.parts.resize(static_cast<std::size_t>(parts));
            QCOMPARE(rowsToCut(variable, node).has_value(), parts <= 4);
        }
    }

    void init() {
        m_job = testing::chainJob({{0.001, 0.001, 12}, {0.001, 0.001, 7}, {0.001, 0.001, 20}});
        m_job.variables[2].shape = {1, 20};
    }

    void onlyWhatIsAskedForChanges() {
        const Strategy before = built("PSLoadBalancing");
        NodeEdit edit;
        QVERIFY(edit.isEmpty());
        QCOMPARE(*editNodes(before, m_job, {0, 1, 2}, edit, "x"), before);
        edit.staleness = 4;
        const auto after = editNodes(before, m_job, {1}, edit, "x");
        QCOMPARE(after->nodes[0], before.nodes[0]);
        QCOMPARE(after->nodes[2], before.nodes[2]);
        Strategy expected = before;
        expected.nodes[1].synchronizer.staleness = 4;
        QCOMPARE(*after, expected);
        // Groups and compressors do not apply to a parameter server.
        NodeEdit other;
        other.group = 9;
        other.compressor = Compressor::Horovod;
        QCOMPARE(*editNodes(before, m_job, {0, 1, 2}, other, "x"), before);
    }

    void fromServersToCollectivesAndBack() {
        const Strategy before = built("PSLoadBalancing");
        NodeEdit edit;
        edit.kind = SynchronizerKind::AllReduce;
        edit.group = 3;
        edit.compressor = Compressor::HorovodEF;
        const auto reduced = editNodes(before, m_job, {0, 2}, edit, "x");
        QVERIFY(reduced->nodes[0].synchronizer.kind == SynchronizerKind::AllReduce);
        QCOMPARE(reduced->nodes[2].synchronizer.group, 3);
        QVERIFY(reduced->nodes[1] == before.nodes[1]);
        NodeEdit back;
        back.kind = SynchronizerKind::ParameterServer;
        QVERIFY(editNodes(*reduced, m_job, {0}, back, "x")->nodes[0].synchronizer.reductionDestination ==
                before.nodes[0].synchronizer.reductionDestination); // its previous destination is kept
        // A variable that never had a server gets the default one, or the given ones in turn.
        const Strategy ring = built("AllReduce(chunk_size=1)");
        QCOMPARE(editNodes(ring, m_job, {0}, back, "10.0.0.2:CPU:0")->nodes[0].synchronizer.reductionDestination,
                 std::string("10.0.0.2:CPU:0"));
        back.destinations = {"10.0.0.1:CPU:0", "10.0.0.3:CPU:0"};
        const auto spread = editNodes(ring, m_job, {0, 1, 2}, back, "x");
        QCOMPARE(spread->nodes[0].synchronizer.reductionDestination, std::string("10.0.0.1:CPU:0"));
        QCOMPARE(spread->nodes[1].synchronizer.reductionDestination, std::string("10.0.0.3:CPU:0"));
        QCOMPARE(spread->nodes[2].synchronizer.reductionDestination, std::string("10.0.0.1:CPU:0"));
    }

    /// Cuts equal those of AutoDist's own builder.
    void cutsAsTheBuildersDo() {
        const Strategy before = built("PS");
        NodeEdit edit;
        edit.parts = 4;
        edit.destinations = m_cluster.reductionDevices();
        auto cut = editNodes(before, m_job, {0}, edit, "x");
        QVERIFY(cut.has_value());
        QCOMPARE(cut->nodes[0].partitions, (std::vector<std::int32_t>{4}));
        QCOMPARE(cut->nodes[0].parts.size(), std::size_t{4});
        QCOMPARE(cut->nodes[0].parts[3].synchronizer.reductionDestination, m_cluster.reductionDevices()[3]);
        QVERIFY(matchStrategy(*cut, m_job).has_value());
        const Strategy builders = built("PartitionedPS");
        for (const NodeConfig &node : builders.nodes)
            if (node.isPartitioned()) {
                NodeEdit same;
                same.parts = static_cast<std::int32_t>(node.parts.size());
                const auto index = static_cast<std::int32_t>(&node - builders.nodes.data());
                const auto mine = editNodes(before, m_job, {index}, same, "x");
                QCOMPARE(mine->nodes[static_cast<std::size_t>(index)].partitions, node.partitions);
                for (std::size_t p = 0; p < node.parts.size(); ++p)
                    QCOMPARE(mine->nodes[static_cast<std::size_t>(index)].parts[p].name, node.parts[p].name);
            }
        // The first dimension that is long enough, or the requested one.
        cut = editNodes(before, m_job, {2}, edit, "x");
        QCOMPARE(cut->nodes[2].partitions, (std::vector<std::int32_t>{1, 4}));
        edit.axis = 0;
        const auto refused = editNodes(before, m_job, {2}, edit, "x");
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().what.find(m_job.variables[2].name) != std::string::npos, refused.error().what.c_str());
        edit.axis.reset();
        edit.parts = 21;
        QVERIFY(!editNodes(before, m_job, {0, 1, 2}, edit, "x").has_value());
        // And unpartitioned again.
        NodeEdit whole;
        whole.parts = 1;
        NodeEdit four;
        four.parts = 4;
        const auto again = editNodes(*editNodes(before, m_job, {0}, four, "x"), m_job, {0}, whole, "x");
        QCOMPARE(again->nodes[0], before.nodes[0]);
    }

    void unknownVariablesAreRefused() {
        NodeEdit edit;
        edit.parts = 2;
        QVERIFY(!editNodes(built("PS"), m_job, {3}, edit, "x").has_value());
        QVERIFY(!editNodes(built("PS"), m_job, {-1}, edit, "x").has_value());
    }
};

QTEST_GUILESS_MAIN(TestNodeEdit)
#include "tst_node_edit.moc"
