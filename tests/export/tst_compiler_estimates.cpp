// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted times for Inductor and XLA, parsed the way these compilers parse them.
#include "engine/export/plan_export.h"
#include "engine/profile/torch/kineto_events.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/plan/dags.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>
#include <map>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

struct Case {
    TrainingDag dag;
    ExecutionPlan plan;
    PlannedRun run;
};

/// A compute-op of 1 s, then each collective, cut according to `cuts`, on the channel in `channels`; played.
Case played(std::vector<DagOp> ops, const std::vector<MotifCut> &cuts, const std::vector<ChannelId> &channels,
            std::int32_t processes = 8) {
    ops.insert(ops.begin(), computeOp("fusion.1", 1));
    Case c{dagOf(std::move(ops), processes), {}, {}};
    c.plan = cutPlan(c.dag, cuts, channels, {unitChannel("fast"), unitChannel("slow")});
    const auto valid = validatePlan(c.plan, c.dag);
    const auto run = valid ? playPlan(withSubmission(c.dag, true), c.plan, {}) : Unexpected(valid.error());
    if (!run)
        QTest::qFail(run.error().toString().c_str(), __FILE__, __LINE__);
    c.run = run ? *run : PlannedRun{};
    return c;
}

DagOp comm(const char *name, CollectiveKind kind, double bytes, ProcessGroup group = {}) {
    DagOp op = commOp(name, kind, bytes, {0_op});
    op.group = group;
    return op;
}

/// Estimates as Inductor stores them: output elements and microseconds, by name, sorted ranks and type. What its reader would
/// skip is counted, not silently dropped.
struct Estimates {
    std::map<std::tuple<QString, std::vector<int>, QString>, std::vector<std::pair<qint64, double>>> known;
    int skipped = 0;
};
Estimates readAsInductor(const std::string &text, int processes = 8) {
    Estimates made;
    const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    std::map<QString, QJsonArray> groups; // an abbreviated "[0, 1, ...]" is resolved by its group's name
    for (const auto &group : root["distributedInfo"].toObject()["pg_config"].toArray())
        groups[group.toObject()["pg_name"].toString()] = group.toObject()["ranks"].toArray();
    std::set<qint64> ids;
    for (const auto &each : root["traceEvents"].toArray()) {
        const QJsonObject event = each.toObject(), args = event["args"].toObject();
        const QString name = QString(args["Collective name"].toString()).remove('_');
        const QString folded = name.startsWith("allgather")       ? "all_gather"
                               : name.startsWith("reducescatter") ? "reduce_scatter"
                               : name.startsWith("allreduce")     ? "all_reduce"
                               : name.startsWith("alltoall")      ? "all_to_all"
                                                                  : QString();
        const QString ranksText = args["Process Group Ranks"].toString();
        std::vector<int> ranks;
        for (const auto &rank : ranksText.contains("...") ? groups[args["Process Group Name"].toString()]
                                                          : QJsonDocument::fromJson(ranksText.toUtf8()).array())
            ranks.push_back(rank.toInt());
        const bool isRead = event["ph"] == "X" && event["cat"] == "kernel" && !folded.isEmpty() && event["dur"].toDouble() > 0 &&
                            ranksText.startsWith('[') && static_cast<int>(ranks.size()) == args["Group size"].toInt() &&
                            args["Out msg nelems"].toInteger() > 0 && args["In msg nelems"].toInteger() > 0 &&
                            ids.insert(args["External id"].toInteger()).second && event["ts"].toDouble() >= 0;
        made.skipped += isRead ? 0 : 1;
        if (isRead)
            made.known[{folded, ranks, args["dtype"].toString()}].emplace_back(args["Out msg nelems"].toInteger(),
                                                                               event["dur"].toDouble());
    }
    const QJsonObject info = root["distributedInfo"].toObject();
    if (info["rank"] != 0 || info["world_size"] != processes || info["pg_config"].toArray().isEmpty())
        ++made.skipped;
    return made;
}

} // namespace

class TestCompilerEstimates : public QObject {
    Q_OBJECT

private slots:
    void inductorFindsEveryCollective() {
        const Case c =
            played({comm("sum", CollectiveKind::AllReduce, 4000), comm("pairs", CollectiveKind::AllReduce, 800, {2, 4}),
                    comm("gather", CollectiveKind::AllGather, 3200), comm("scatter", CollectiveKind::ReduceScatter, 6400),
                    comm("exchange", CollectiveKind::AllToAll, 1600)},
                   {{2}, {}, {}, {}, {}}, {0_channel, 0_channel, 0_channel, 0_channel, 0_channel});
        const auto made = writeInductorEstimates(c.plan, c.dag, c.run);
        VERIFY_VALUE(made);
        QCOMPARE(made->refused.size(), std::size_t{1});
        QVERIFY(mentions(made->refused, "compute-ops"));
        const Estimates read = readAsInductor(made->text);
        QCOMPARE(read.skipped, 0);
        const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
        const auto at = [&](const char *name, const std::vector<int> &ranks) {
            const auto found = read.known.find({name, ranks, "Float"});
            return found == read.known.end() ? std::vector<std::pair<qint64, double>>() : found->second;
        };
        // A ring of 8 over 1 B/s: 2 * 7/8 of the bytes; half of that for its halves, 7/8 for the exchange.
        QCOMPARE(at("all_reduce", all).size(), std::size_t{2}); // its segments
        for (const auto &[elements, micros] : at("all_reduce", all)) {
            QCOMPARE(elements, 500);
            COMPARE_CLOSE(micros, 1e6 * 2 * 7. / 8 * 2000);
        }
        QCOMPARE(at("all_reduce", {0, 4}).size(), std::size_t{1});
        QCOMPARE(at("all_reduce", {0, 4})[0].first, 200);
        COMPARE_CLOSE(at("all_reduce", {0, 4})[0].second, 1e6 * 800);
        QCOMPARE(at("all_gather", all)[0].first, 800);
        COMPARE_CLOSE(at("all_gather", all)[0].second, 1e6 * 7. / 8 * 3200);
        QCOMPARE(at("reduce_scatter", all)[0].first, 200);
        COMPARE_CLOSE(at("reduce_scatter", all)[0].second, 1e6 * 7. / 8 * 6400);
        QCOMPARE(at("all_to_all", all)[0].first, 400);
        COMPARE_CLOSE(at("all_to_all", all)[0].second, 1e6 * 7. / 8 * 1600);
        // Our own reader accepts it as the trace that it is.
        const auto source = ByteSource::fromMemory(made->text);
        const auto events = readTraceEvents(*source);
        VERIFY_VALUE(events);
        QCOMPARE(events->events.size(), std::size_t{6});
    }

    /// A buffer that its ranks cannot share evenly is padded, as PyTorch does: the whole has a part for each rank.
    void inductorSeesEqualParts() {
        const Case c =
            played({comm("gather", CollectiveKind::AllGather, 4004), comm("scatter", CollectiveKind::ReduceScatter, 4)}, {{}, {}},
                   {0_channel, 0_channel});
        const auto made = writeInductorEstimates(c.plan, c.dag, c.run);
        VERIFY_VALUE(made);
        std::vector<std::pair<qint64, qint64>> counts; // in, out
        for (const QJsonValue event : QJsonDocument::fromJson(QByteArray::fromStdString(made->text))["traceEvents"].toArray()) {
            const QJsonObject args = event["args"].toObject();
            counts.emplace_back(args["In msg nelems"].toInteger(), args["Out msg nelems"].toInteger());
        }
        QVERIFY((counts == std::vector<std::pair<qint64, qint64>>{{126, 1008}, {8, 1}}));
    }

    /// The ranks of a group are written once, however many motifs it has, so that files of large groups stay small.
    void inductorFindsTheRanksOfLargeGroups() {
        constexpr std::int32_t processes = 30 * 64;
        const Case c =
            played({comm("sum", CollectiveKind::AllReduce, 4096 * 8), comm("few", CollectiveKind::AllReduce, 4096, {30, 1})},
                   {{8}, {}}, {0_channel, 0_channel}, processes);
        const auto made = writeInductorEstimates(c.plan, c.dag, c.run);
        VERIFY_VALUE(made);
        const Estimates read = readAsInductor(made->text, processes);
        QCOMPARE(read.skipped, 0);
        QCOMPARE(read.known.size(), std::size_t{2});
        for (const auto &[key, values] : read.known) {
            const auto &ranks = std::get<1>(key);
            QCOMPARE(values.size(), ranks.size() == 30 ? std::size_t{1} : std::size_t{8});
            QCOMPARE(ranks.size(), ranks.size() == 30 ? std::size_t{30} : std::size_t{processes});
            QCOMPARE(ranks.back(), static_cast<int>(ranks.size()) - 1);
        }
        QCOMPARE(QString::fromStdString(made->text).count(QRegularExpression("\\b1000\\b")), 1);
    }

    void inductorIsNotToldWhatItCannotKnow() {
        const Case c = played({comm("sent", CollectiveKind::Broadcast, 4000), comm("splined", CollectiveKind::AllGather, 4000),
                               comm("elsewhere", CollectiveKind::AllReduce, 4000), comm("kept", CollectiveKind::AllReduce, 4000),
                               comm("tiny", CollectiveKind::AllReduce, 3)},
                              {{}, {1, 2}, {}, {}, {}}, {0_channel, 0_channel, 1_channel, 0_channel, 0_channel});
        const auto made = writeInductorEstimates(c.plan, c.dag, c.run);
        VERIFY_VALUE(made);
        QCOMPARE(made->refused.size(), std::size_t{5});
        for (const char *reason : {"sent: Inductor does not estimate a broadcast", "splined: it is splined", "\"slow\"",
                                   "tiny: it moves less than one element"})
            QVERIFY2(mentions(made->refused, reason), reason);
        QCOMPARE(readAsInductor(made->text).known.size(), std::size_t{1});
        const Case none = played({comm("sent", CollectiveKind::Broadcast, 4000)}, {{}}, {0_channel});
        const auto refused = writeInductorEstimates(none.plan, none.dag, none.run);
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().what.find("broadcast") != std::string::npos, refused.error().what.c_str());
    }

    /// Lines in the text format of ProfiledInstructionsProto.
    void xlaCostsAreByInstruction() {
        const Case c = played({comm("all-reduce-start.3", CollectiveKind::AllReduce, 4000),
                               comm("all-gather.2", CollectiveKind::AllGather, 800), comm("sum", CollectiveKind::AllReduce, 80),
                               comm("all-reduce.9", CollectiveKind::AllReduce, 8), comm("reduce.1", CollectiveKind::Reduce, 8),
                               comm("all to all", CollectiveKind::AllToAll, 8)},
                              {{}, {}, {}, {2}, {}, {}}, {0_channel, 1_channel, 0_channel, 0_channel, 0_channel, 0_channel});
        const auto made = writeXlaCosts(c.plan, c.dag, c.run);
        VERIFY_VALUE(made);
        static const QRegularExpression line(R"re(^costs \{ name: "([A-Za-z_][A-Za-z0-9_.-]*)" cost_us: ([0-9]+\.[0-9]+) \}$)re");
        std::map<QString, double> costs;
        const QStringList lines = QString::fromStdString(made->text).split('\n', Qt::SkipEmptyParts);
        for (const QString &each : lines) {
            const auto match = line.match(each);
            QVERIFY2(match.hasMatch(), qPrintable(each));
            costs[match.captured(1)] = match.captured(2).toDouble();
        }
        QCOMPARE(lines.size(), 3);
        COMPARE_CLOSE(costs["fusion.1"], 1e6);
        COMPARE_CLOSE(costs["all-reduce-start.3"], 1e6 * 2 * 7. / 8 * 4000);
        COMPARE_CLOSE(costs["all-gather.2"], 1e6 * 7. / 8 * 800);
        for (const char *reason :
             {"sum: an HLO instruction of this kind is called \"all-reduce.1\"", "all-reduce.9: it is cut into 2 motifs",
              "reduce.1: XLA has no reduce", "all to all: this is not the name"})
            QVERIFY2(mentions(made->refused, reason), reason);
        Case unnamed = played({comm("sum", CollectiveKind::AllReduce, 80)}, {{}}, {0_channel});
        unnamed.dag.ops[0].name = "forward 0";
        QVERIFY(!writeXlaCosts(unnamed.plan, unnamed.dag, unnamed.run));
    }
};

QTEST_APPLESS_MAIN(TestCompilerEstimates)
#include "tst_compiler_estimates.moc"
