// SPDX-License-Identifier: GPL-3.0-or-later
// Plans exported for other systems: rows as NCCL's plugin reads them, MSCCL++ plans run on buffers, Chakra traces read back.
#include "engine/export/plan_export.h"
#include "engine/parse/byte_source.h"
#include "engine/profile/chakra/chakra.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"
#include "tests/plan/plan_cases.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <limits>
#include <map>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// The plugin's choice: the first row whose collective, size, nodes and ranks match.
QString chosen(const std::string &csv, const QString &collective, double bytes, int nodes, int ranks) {
    for (const QString &line : QString::fromStdString(csv).split('\n')) {
        const QStringList fields = line.split(',');
        if (line.startsWith('#') || fields.size() != 8 || fields[0] != collective || fields[6].toInt() != nodes ||
            fields[7].toInt() != ranks)
            continue;
        if (bytes >= fields[1].toDouble() && bytes <= fields[2].toDouble())
            return fields[3] + "/" + fields[4] + "/" + fields[5];
    }
    return {};
}

/// Costs of a cluster whose nodes have `processes` each, or, where `largest` is given, at most that many and not all equally
/// many.
MotifCosts nodesOf(std::int32_t processes, std::int32_t largest = 0) {
    MotifCosts costs;
    costs.processesPerNode = processes;
    costs.largestNode = std::max(processes, largest);
    return costs;
}

struct Machine {
    std::map<std::tuple<int, QString, int>, ChunkSum> chunks; ///< by process, buffer, index
};

/// Checks the rules of MSCCL++'s parser and executor for a plan; returns the error, or nothing.
QString schemaFault(const QJsonObject &plan) {
    static const std::set<QString> known{"nop", "signal", "wait", "rlxsignal", "rlxwait", "put", "copy", "re", "rre", "rres"};
    for (const char *key : {"name", "collective", "protocol", "inplace", "gpus"})
        if (!plan.contains(key))
            return key;
    const QJsonArray gpus = plan["gpus"].toArray();
    std::map<std::pair<int, int>, int> declared; // channels from, to
    for (int g = 0; g < gpus.size(); ++g) {
        const QJsonObject gpu = gpus[g].toObject();
        if (gpu["id"].toInt() != g || gpu["input_chunks"].toInt() == 0 || gpu["output_chunks"].toInt() == 0)
            return "gpu";
        QList<int> peers;
        for (const auto &group : gpu["channels"].toArray())
            for (const auto &peer : group.toObject()["connected_to"].toArray()) {
                peers.push_back(peer.toInt());
                ++declared[{g, peer.toInt()}];
            }
        const QJsonArray blocks = gpu["threadblocks"].toArray();
        for (int b = 0; b < blocks.size(); ++b) {
            const QJsonObject block = blocks[b].toObject();
            const QJsonArray ops = block["ops"].toArray();
            const auto channels = block["channels"].toArray()[0].toObject()["channel_ids"].toArray();
            const auto buffers = block["remote_buffer_refs"].toArray()[0].toObject()["remote_buffer_ids"].toArray();
            if (block["id"].toInt(-1) != b || ops.size() > 64 || channels.size() > 16)
                return "threadblock";
            for (const auto &channel : channels)
                if (channel.toInt() >= peers.size())
                    return "channel_ids";
            for (const auto &buffer : buffers)
                if (buffer.toInt() >= gpu["remote_buffers"].toArray().size())
                    return "remote_buffer_ids";
            for (const auto &each : ops) {
                const QJsonObject op = each.toObject();
                if (known.count(op["name"].toString()) == 0)
                    return op["name"].toString();
                for (const auto &id : op["channel_ids"].toArray())
                    if (id.toInt() >= channels.size())
                        return "op's channel_ids";
            }
        }
    }
    for (const auto &[pair, count] : declared)
        if (declared[{pair.second, pair.first}] != count)
            return "one side lacks a channel";
    return {};
}

/// Runs a plan whose thread blocks are independent of each other, as in ours.
Machine run(const QJsonObject &plan) {
    Machine machine;
    const QJsonArray gpus = plan["gpus"].toArray();
    const bool gathers = plan["collective"].toString() == "allgather";
    for (int g = 0; g < gpus.size(); ++g)
        for (int i = 0; i < gpus[g].toObject()["input_chunks"].toInt(); ++i) // in place: the input is in the output
            machine.chunks[{g, gathers ? "o" : "i", gathers ? g * gpus[g].toObject()["input_chunks"].toInt() + i : i}] = {
                {{g, i}, 1}};
    for (int g = 0; g < gpus.size(); ++g) {
        const QJsonArray remotes = gpus[g].toObject()["remote_buffers"].toArray();
        for (const auto &block : gpus[g].toObject()["threadblocks"].toArray()) {
            const auto ids = block.toObject()["remote_buffer_refs"].toArray()[0].toObject()["remote_buffer_ids"].toArray();
            const auto place = [&](const QJsonObject &chunk) {
                if (!chunk.contains("buffer_id"))
                    return std::tuple(g, chunk["type"].toString(), chunk["index"].toInt());
                const QJsonObject remote = remotes[ids[chunk["buffer_id"].toInt()].toInt()].toObject();
                return std::tuple(remote["rank"].toInt(), remote["type"].toString(), chunk["index"].toInt());
            };
            for (const auto &each : block.toObject()["ops"].toArray()) {
                const QJsonObject op = each.toObject();
                if (!op.contains("dst_buff"))
                    continue;
                ChunkSum sum;
                for (const auto &source : op["src_buff"].toArray())
                    for (const auto &[from, times] : machine.chunks[place(source.toObject())])
                        sum[from] += times;
                for (const auto &target : op["dst_buff"].toArray())
                    machine.chunks[place(target.toObject())] = sum;
            }
        }
    }
    return machine;
}

} // namespace

class TestPlanExport : public QObject {
    Q_OBJECT

private slots:
    /// Small all-reduces use trees, large ones rings, and every size in between is covered; parts that NCCL cannot express are
    /// reported.
    void tunerRowsCoverEverySize() {
        const PlanCase c =
            planCase({comm("small", CollectiveKind::AllReduce, 1e5), comm("large", CollectiveKind::AllReduce, 1e9),
                      comm("gather", CollectiveKind::AllGather, 1e6), comm("a2a", CollectiveKind::AllToAll, 1e6),
                      comm("levels", CollectiveKind::AllReduce, 2e9), comm("aside", CollectiveKind::Broadcast, 1e6)},
                     {{.tree = 4}, {.segments = 4}, {}, {}, {.partition = 4}, {}}, 16, {5});
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(4));
        QVERIFY2(csv.has_value(), csv ? "" : csv.error().toString().c_str());
        QCOMPARE(chosen(csv->text, "allreduce", 1e5, 4, 16), QStringLiteral("tree/simple/4"));
        QCOMPARE(chosen(csv->text, "allreduce", 0, 4, 16), QStringLiteral("tree/simple/4"));
        QCOMPARE(chosen(csv->text, "allreduce", 2.5e8, 4, 16), QStringLiteral("ring/simple/4"));
        // Segments of 250 MB: the switch is at the geometric mean, 5 MB.
        QCOMPARE(chosen(csv->text, "allreduce", 4.9e6, 4, 16), QStringLiteral("tree/simple/4"));
        QCOMPARE(chosen(csv->text, "allreduce", 5.1e6, 4, 16), QStringLiteral("ring/simple/4"));
        QCOMPARE(chosen(csv->text, "allreduce", 1e18, 4, 16), QStringLiteral("ring/simple/4"));
        QCOMPARE(chosen(csv->text, "allgather", 1, 4, 16), QStringLiteral("ring/simple/4"));
        QCOMPARE(chosen(csv->text, "broadcast", 1e6, 4, 16), QString());
        QCOMPARE(csv->refused.size(), std::size_t{3});
        QVERIFY(csv->refused[0].starts_with("a2a: NCCL does not tune all-to-alls"));
        QVERIFY(csv->refused[1].starts_with("levels: ") && csv->refused[2].find("\"slow\"") != std::string::npos);
        for (const QString &line : QString::fromStdString(csv->text).split('\n', Qt::SkipEmptyParts))
            QVERIFY(line.startsWith('#') || (line.size() < 255 && !line.contains(",,")));
    }

    /// The last node may hold fewer ranks than the others: 12 on nodes of 8 are on two, and NCCL looks for rows of two.
    void tunerRowsCountTheLastNode() {
        const PlanCase c = planCase({comm("sum", CollectiveKind::AllReduce, 1e6)}, {{}}, 12);
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(8));
        QVERIFY2(csv.has_value(), csv ? "" : csv.error().toString().c_str());
        QVERIFY2(chosen(csv->text, "allreduce", 1e6, 2, 12) == QStringLiteral("ring/simple/8"), csv->text.c_str());
        QVERIFY2(chosen(csv->text, "allreduce", 1e6, 1, 12).isEmpty(), csv->text.c_str());
    }

    /// NCCL looks for the rows of its number of nodes. Of 66 ranks on eight nodes of eight and one of two the costs state neither
    /// that they are nine nor which ranks share one; only groups inside the common divisor of the nodes are on a known number.
    void tunerRowsOfUnequalNodesAreRefused() {
        DagOp pairs = comm("pairs", CollectiveKind::AllReduce, 1e6);
        pairs.group = {2, 1};
        const PlanCase c = planCase({comm("all", CollectiveKind::AllReduce, 1e6), pairs}, {{}, {}}, 66);
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(2, 8));
        VERIFY_VALUE(csv);
        QVERIFY2(chosen(csv->text, "allreduce", 1e6, 1, 2) == QStringLiteral("ring/simple/2"), csv->text.c_str());
        QVERIFY2(csv->text.find(",66\n") == std::string::npos, csv->text.c_str()); // no row of 33 nodes, which there are not
        QCOMPARE(csv->refused.size(), std::size_t{1});
        QVERIFY2(csv->refused[0].starts_with("all: the nodes of its ranks differ in size"), csv->refused[0].c_str());
        const PlanCase alone = planCase({comm("all", CollectiveKind::AllReduce, 1e6)}, {{}}, 66);
        const auto none = writeNcclTuner(alone.plan, alone.dag, nodesOf(2, 8));
        QVERIFY(!none && none.error().what.find("differ in size") != std::string::npos && !none.error().remedy.empty());
        VERIFY_VALUE(writeNcclEnvironment(alone.plan, alone.dag)); // variables name no nodes
    }

    /// Threes on nodes of eight are on one node or, every third of them, on two; fours of every second rank are all on one.
    void tunerRowsOfGroupsThatLieUnevenlyAreRefused() {
        DagOp threes = comm("threes", CollectiveKind::AllReduce, 1e6), fours = comm("fours", CollectiveKind::AllReduce, 1e6);
        threes.group = {3, 1};
        fours.group = {4, 2};
        const PlanCase c = planCase({threes, fours}, {{}, {}}, 24);
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(8));
        VERIFY_VALUE(csv);
        QVERIFY2(chosen(csv->text, "allreduce", 1e6, 1, 4) == QStringLiteral("ring/simple/4"), csv->text.c_str());
        QVERIFY2(csv->text.find(",3\n") == std::string::npos, csv->text.c_str());
        QCOMPARE(csv->refused.size(), std::size_t{1});
        QVERIFY2(csv->refused[0].find("different numbers of nodes") != std::string::npos, csv->refused[0].c_str());
    }

    /// Groups with equal numbers of ranks and nodes share their rows, wherever their ranks lie: they agree for each size, and the
    /// sizes of one end where those of the other begin.
    void tunerRowsOfEqualGroupsDoNotContradict() {
        DagOp neighbours = comm("neighbours", CollectiveKind::AllReduce, 1e6),
              apart = comm("apart", CollectiveKind::AllReduce, 1e6), large = comm("large", CollectiveKind::AllReduce, 1e8);
        neighbours.group = {4, 1};
        apart.group = large.group = {4, 4};
        const PlanCase c = planCase({neighbours, apart, large}, {{}, {.tree = 2}, {.tree = 2}}, 16);
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(16));
        VERIFY_VALUE(csv);
        QCOMPARE(csv->refused.size(), std::size_t{1});
        QVERIFY2(csv->refused[0].starts_with("apart: another allreduce of 1000000 bytes is a ring"), csv->refused[0].c_str());
        QCOMPARE(chosen(csv->text, "allreduce", 9e6, 1, 4), QStringLiteral("ring/simple/4"));
        QCOMPARE(chosen(csv->text, "allreduce", 1.1e7, 1, 4), QStringLiteral("tree/simple/4"));
        QCOMPARE(QString::fromStdString(csv->text).count("allreduce,0,"), 1);
        // Ranks 0, 2, 4 and 6 have three on a node of six, ranks 0, 3, 6 and 9 two: a row has one number of channels.
        neighbours.group = {4, 2};
        apart.group = {4, 3};
        const PlanCase sixes = planCase({neighbours, apart}, {{}, {}}, 24);
        const auto rings = writeNcclTuner(sixes.plan, sixes.dag, nodesOf(6));
        VERIFY_VALUE(rings);
        QCOMPARE(chosen(rings->text, "allreduce", 1e6, 2, 4), QStringLiteral("ring/simple/3"));
        QCOMPARE(rings->refused.size(), std::size_t{1});
        QVERIFY2(rings->refused[0].starts_with("apart: another allreduce of 1000000 bytes is a ring of 3 channels"),
                 rings->refused[0].c_str());
    }

    /// NCCL distinguishes calls by size: two of the same size cannot be planned differently.
    void sizesThatDifferInNothingAreRefused() {
        const PlanCase c = planCase({comm("one", CollectiveKind::AllReduce, 1e6), comm("two", CollectiveKind::AllReduce, 1e6)},
                                    {{}, {.tree = 4}}, 16);
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(4));
        QVERIFY(csv.has_value() && csv->refused.size() == 1 &&
                csv->refused[0].starts_with("two: another allreduce of 1000000 bytes"));
        const auto none = writeNcclTuner(planCase({comm("a2a", CollectiveKind::AllToAll, 1e6)}, {{}}, 16).plan,
                                         planCase({comm("a2a", CollectiveKind::AllToAll, 1e6)}, {{}}, 16).dag, nodesOf(4));
        QVERIFY(!none.has_value() && none.error().what.find("does not tune all-to-alls") != std::string::npos);
    }

    /// Direct sends of a plan are no ring or tree of NCCL's: neither a gather nor the steps of a ring by hand.
    void splinesAreNoRings() {
        PlanCase c = planCase({comm("gather", CollectiveKind::AllGather, 1e6), comm("ring", CollectiveKind::AllReduce, 1e6),
                               comm("kept", CollectiveKind::AllReduce, 1e6)},
                              {{.splines = 2}, {.ring = true}, {}}, 16);
        std::vector<PlannedMotif> &motifs = c.plan.motifs; // of the gather two, of the ring two
        motifs[3].motif.after = {0, 1};
        motifs.insert(motifs.begin() + 3, motifs[2]);
        motifs[2].motif.spline = {0, 2};
        motifs[3].motif.spline = {1, 2};
        c.plan.orders[0].push_back({MotifId(motifs.size() - 1), 0});
        VERIFY_VALUE(validatePlan(c.plan, c.dag));
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(4));
        VERIFY_VALUE(csv);
        QCOMPARE(csv->refused.size(), std::size_t{2});
        for (const std::string &refused : csv->refused)
            QVERIFY2(refused.find("it is splined") != std::string::npos, refused.c_str());
    }

    /// A hand-made plan may cut a collective unevenly, which rows of the tuner cannot express.
    void segmentsOfDifferentSizesAreRefused() {
        PlanCase c = planCase({comm("even", CollectiveKind::AllReduce, 1e9), comm("uneven", CollectiveKind::AllReduce, 1e6)},
                              {{}, {.segments = 2}}, 16);
        c.plan.motifs.push_back(c.plan.motifs.back());
        c.plan.motifs[c.plan.motifs.size() - 2].motif.segment = {2, 4};
        c.plan.motifs.back().motif.segment = {3, 4};
        c.plan.orders[0].push_back({MotifId(c.plan.motifs.size() - 1), 0});
        QVERIFY(validatePlan(c.plan, c.dag).has_value());
        const auto csv = writeNcclTuner(c.plan, c.dag, nodesOf(4));
        QVERIFY(csv.has_value() && csv->refused.size() == 1);
        QVERIFY2(csv->refused[0].starts_with("uneven: its segments differ in size"), csv->refused[0].c_str());
    }

    void environmentHasOneAlgorithmForACollective() {
        const PlanCase trees = planCase({comm("x", CollectiveKind::AllReduce, 1e6), comm("y", CollectiveKind::AllGather, 1e6)},
                                        {{.tree = 4}, {}}, 16);
        const auto same = writeNcclEnvironment(trees.plan, trees.dag);
        QVERIFY(same.has_value() && same->refused.empty());
        QCOMPARE(QString::fromStdString(same->text),
                 QStringLiteral("export NCCL_ALGO=\"ring;allreduce:tree\"\nexport NCCL_PROTO=Simple\n"));
        const PlanCase both = planCase({comm("x", CollectiveKind::AllReduce, 1e6), comm("y", CollectiveKind::AllReduce, 1e9)},
                                       {{.tree = 4}, {}}, 16);
        const auto mixed = writeNcclEnvironment(both.plan, both.dag);
        QVERIFY(mixed.has_value() && mixed->refused.size() == 1 &&
                mixed->refused[0].starts_with("allreduce: ring for some calls"));
        QVERIFY(mixed->text.find("tree") == std::string::npos);
        // Of one size too, in either order, and also where the groups are on other numbers of nodes.
        DagOp near = comm("near", CollectiveKind::AllReduce, 1e6), far = comm("far", CollectiveKind::AllReduce, 1e6);
        near.group = {4, 1};
        far.group = {4, 4};
        for (const PlanCase &c : {planCase({near, far}, {{}, {.tree = 2}}, 16), planCase({far, near}, {{.tree = 2}, {}}, 16)}) {
            const auto alike = writeNcclEnvironment(c.plan, c.dag);
            QVERIFY(alike.has_value() && alike->refused == mixed->refused);
            QCOMPARE(alike->text, mixed->text);
        }
    }

    /// Exported plans, run on buffers, give every process the result of the collective.
    void mscclppPlansDoTheirCollective_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("splines");
        QTest::newRow("all-reduce") << static_cast<int>(CollectiveKind::AllReduce) << 1;
        QTest::newRow("reduce-scatter") << static_cast<int>(CollectiveKind::ReduceScatter) << 1;
        QTest::newRow("all-gather") << static_cast<int>(CollectiveKind::AllGather) << 1;
        QTest::newRow("all-to-all") << static_cast<int>(CollectiveKind::AllToAll) << 1;
        QTest::newRow("all-to-all in splines") << static_cast<int>(CollectiveKind::AllToAll) << 4;
        QTest::newRow("all-gather in splines") << static_cast<int>(CollectiveKind::AllGather) << 4;
    }
    void mscclppPlansDoTheirCollective() {
        QFETCH(int, kind);
        QFETCH(int, splines);
        const auto collective = static_cast<CollectiveKind>(kind);
        for (const int ranks : {2, 4, 8})
            for (const int segments : {1, 3}) {
                if (ranks % splines != 0)
                    continue;
                const PlanCase c = planCase({comm("x", collective, 1e6)}, {{.segments = segments, .splines = splines}}, ranks);
                const auto text = writeMscclpp(c.plan, c.dag, 8, "x");
                QVERIFY2(text.has_value(), text ? "" : text.error().toString().c_str());
                const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object();
                QCOMPARE(schemaFault(plan), QString());
                Machine machine = run(plan);
                for (int g = 0; g < ranks; ++g)
                    for (int p = 0; p < ranks; ++p)
                        for (int s = 0; s < segments; ++s) {
                            const int chunk = p * segments + s;
                            const ChunkSum want = sumAfter(collective, ranks, segments, g, p, s);
                            if (want.empty())
                                continue;
                            const bool sums =
                                collective == CollectiveKind::AllReduce || collective == CollectiveKind::ReduceScatter;
                            const ChunkSum got = machine.chunks[{g, sums ? "i" : "o", chunk}];
                            QVERIFY2(got == want,
                                     qPrintable(QString("%1 ranks, process %2, chunk %3").arg(ranks).arg(g).arg(chunk)));
                        }
            }
    }

    /// MSCCL++'s own plans pass the same checks, so these are not too strict.
    void samplesPassTheSameChecks() {
        REQUIRE_FOREIGN_TRACE("mscclpp");
        for (const char *name : {"allreduce_2gpu", "allreduce_4gpu"}) {
            QFile file(QString::fromStdString(foreignTrace(std::string("mscclpp/") + name + ".json")));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(schemaFault(QJsonDocument::fromJson(file.readAll()).object()), QString());
        }
    }

    void mscclppRefusesWhatItCannotSay() {
        const auto refusal = [](const PlanCase &c, int perNode) {
            const auto text = writeMscclpp(c.plan, c.dag, perNode, "x");
            return text ? std::string("written") : text.error().what;
        };
        QVERIFY(refusal(planCase({comm("x", CollectiveKind::Reduce, 1e6)}, {{}}, 4), 4).find("has no reduce") !=
                std::string::npos);
        QVERIFY(refusal(planCase({comm("x", CollectiveKind::AllReduce, 1e6)}, {{}}, 16), 8).find("several nodes") !=
                std::string::npos);
        QVERIFY(refusal(planCase({comm("x", CollectiveKind::AllReduce, 1e6)}, {{}}, 16), 16).find("8 peers") !=
                std::string::npos);
        QVERIFY(refusal(planCase({comm("x", CollectiveKind::AllReduce, 1e6)}, {{.tree = 2}}, 8), 8).find("several collectives") !=
                std::string::npos);
        QVERIFY(refusal(planCase({comm("x", CollectiveKind::AllReduce, 5e9)}, {{}}, 8), 8).find("4 GiB") != std::string::npos);
        QVERIFY(refusal(planCase({comm("x", CollectiveKind::ReduceScatter, 1e6)}, {{.splines = 2}}, 4), 4)
                    .find("add to the same sum") != std::string::npos);
        const PlanCase c = planCase({comm("y", CollectiveKind::AllReduce, 1e6)}, {{}}, 4);
        QVERIFY(!writeMscclpp(c.plan, c.dag, 4, "compute").has_value());
    }

    /// Memory channels end at the node: of 12 processes on nodes of four, ranks 3, 4 and 5 are on two, ranks 0 and 2 on one.
    void mscclppGroupsStayInsideNodes() {
        const auto isWritten = [](const ProcessGroup &group, int processes) {
            DagOp op = comm("x", CollectiveKind::AllReduce, 1e6);
            op.group = group;
            const PlanCase c = planCase({op}, {{}}, processes);
            const auto text = writeMscclpp(c.plan, c.dag, 4, "x");
            if (!text && text.error().what.find("several nodes") == std::string::npos)
                QTest::qFail(text.error().toString().c_str(), __FILE__, __LINE__);
            return text.has_value();
        };
        QVERIFY(!isWritten({3, 1}, 12));
        QVERIFY(!isWritten({3, 4}, 12));
        QVERIFY(!isWritten({2, 3}, 12));
        QVERIFY(!isWritten({6, 1}, 12));
        QVERIFY(isWritten({4, 1}, 12));
        QVERIFY(isWritten({2, 1}, 12));
        QVERIFY(isWritten({2, 2}, 12));
        QVERIFY(isWritten({3, 1}, 3)); // a node that is not full
    }

    /// A line a step, counted in its chain, with the lowest cost of the chain so far.
    void historiesAreLines() {
        const std::string csv = writePlanHistory({{0, 2.5, true, PlanProposal::Cut},
                                                  {0, 3, false, PlanProposal::Channel},
                                                  {0, 0.125, true, PlanProposal::Spread},
                                                  {1, 4, false, PlanProposal::Draw}});
        QCOMPARE(QString::fromStdString(csv), QStringLiteral("iteration,chain,proposal,cost_seconds,accepted,best_seconds\n"
                                                             "1,0,cut,2.5,1,2.5\n2,0,channel,3,0,2.5\n"
                                                             "3,0,spread,0.125,1,0.125\n1,1,draw,4,0,4\n"));
        QCOMPARE(QString::fromStdString(writePlanHistory({})).count(QLatin1Char('\n')), 1);
    }

    /// Our own reader reads a trace back: kinds, sizes, times, and dependencies.
    void chakraIsReadBack() {
        const PlanCase c = planCase({comm("sum", CollectiveKind::AllReduce, 1000), comm("a2a", CollectiveKind::AllToAll, 600)},
                                    {{.segments = 2, .ring = true}, {}}, 4);
        MotifCosts costs;
        const auto bytes = writeChakra(c.plan, c.dag, costs);
        QVERIFY2(bytes.has_value(), bytes ? "" : bytes.error().toString().c_str());
        QVERIFY(looksLikeChakra(*bytes));
        const QTemporaryDir folder;
        const std::string path = folder.filePath("plan.0.et").toStdString();
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(*bytes));
        file.close();
        auto source = ByteSource::openFile(path);
        QVERIFY(source.has_value());
        const auto trace = readChakra(**source);
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().toString().c_str());
        QCOMPARE(QString::fromStdString(trace->version), QStringLiteral("0.0.4"));
        QCOMPARE(trace->nodes.size(), std::size_t{6});
        const auto &nodes = trace->nodes;
        QCOMPARE(nodes[0].durationMicros, std::uint64_t{1'000'000});
        QVERIFY(nodes[0].kind == ChakraNode::Kind::Compute && nodes[1].kind == ChakraNode::Kind::Collective);
        QCOMPARE(nodes[1].collective, std::int64_t{7}); // reduce-scatter, then all-gather
        QCOMPARE(nodes[2].collective, std::int64_t{2});
        QCOMPARE(nodes[5].collective, std::int64_t{6});
        QCOMPARE(nodes[1].sizeBytes, std::int64_t{500});
        COMPARE_CLOSE(static_cast<double>(nodes[5].durationMicros),
                      1e6 * costs.seconds({CollectiveKind::AllToAll}, 600, 4, c.plan.channels[0]), 1e-6);
        const auto inputs = [&](std::size_t node) {
            const auto of = trace->inputsOf(nodes[node]);
            return std::set<std::int32_t>(of.begin(), of.end());
        };
        QVERIFY((inputs(1) == std::set<std::int32_t>{0}));
        QVERIFY((inputs(2) == std::set<std::int32_t>{1}));
        QVERIFY((inputs(4) == std::set<std::int32_t>{3}));
        QCOMPARE(trace->dangling, std::uint64_t{0});
        for (const CollectiveKind kind : {CollectiveKind::AllToAll, CollectiveKind::AllGather}) {
            const PlanCase splined = planCase({comm("x", kind, 600)}, {{.splines = 2}}, 4);
            QVERIFY(!writeChakra(splined.plan, splined.dag, costs).has_value());
        }
    }
};

QTEST_APPLESS_MAIN(TestPlanExport)
#include "tst_plan_export.moc"
