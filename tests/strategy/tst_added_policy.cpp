// SPDX-License-Identifier: GPL-3.0-or-later
// A policy is one value: one that only this test defines is parsed, cut, ordered, simulated, explained and exported by the same
// code as the policies in engine/strategy/policy/, which the build collects by itself.
#include "engine/analyze/remedies.h"
#include "engine/export/launcher_settings.h"
#include "engine/rewrite/shape_units.h"
#include "engine/rewrite/sync_units.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QDir>
#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <numeric>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

Result<std::string> writeSettings(const LauncherRequest &request) {
    CommPolicy policy = request.policy;
    const auto piece = TRY(roundToUnits(policy, "piece", 1000, "kilobytes"));
    return fmt::format("LIFO_PIECE_KB={}\n", piece);
}
constexpr Launcher lifoLauncher{"lifo", "Lifo", ".env", "Lifo", "lifo", writeSettings};

Result<std::vector<std::int64_t>> lastReadyFirst(const CommPolicy &, const Traffic &traffic) {
    std::vector<std::int64_t> priorities(traffic.messages.size());
    std::iota(priorities.rbegin(), priorities.rend(), 0);
    return priorities;
}

/// Partitioned messages, last ready gradient first.
const Policy &lifo() {
    static const Policy policy{
        .name = "lifo",
        .about = "what became ready last first",
        .parameters = {{.key = "piece",
                        .usual = 4e6,
                        .words = {"whole"},
                        .meaning = std::numeric_limits<double>::infinity(),
                        .knob = PolicyKnob{.id = "piece",
                                           .label = "Piece",
                                           .about = "gradients go in pieces of this many bytes",
                                           .min = 1e3,
                                           .max = 1e9,
                                           .remedyFactors = {2}}},
                       {.key = "pause", .unit = ParameterUnit::Seconds, .usual = 1e-3},
                       {.key = "tries", .unit = ParameterUnit::Integer, .usual = 3, .min = 2}},
        .order = lastReadyFirst,
        .cut = [](const CommPolicy &self, const TrainingNodes &) -> Result<Cut> {
            return Cut{.pieceBytes = self.value("piece")};
        },
        .queues = orderedQueues,
        .assumption = "Lifo is a test's.",
        .launchers = {&lifoLauncher},
    };
    return policy;
}

const std::vector<const Policy *> &known() {
    static const std::vector<const Policy *> list{&lifo()};
    return list;
}

QString namesIn(const std::set<std::string> &names) { return QString::fromStdString(fmt::format("{}", fmt::join(names, " "))); }

/// Four layers whose gradients take 1 s each between two nodes, far longer than the whole backward pass.
Scenario slowCollectives(const CommPolicy &policy) {
    const Job job = chainJob(std::vector<LayerSpec>(4, {1, 0.1, 250'000'000}));
    return scenario(job, plainCluster(2, 1e9), allReduceEach(job), policy);
}

} // namespace

class TestAddedPolicy : public QObject {
    Q_OBJECT

private slots:
    void theBuildListsTheFolder() {
        std::set<std::string> files, listed;
        for (const QFileInfo &file : QDir(QStringLiteral(SYNCOPATE_SOURCE "/engine/strategy/policy")).entryInfoList({"*.cpp"}))
            files.insert(file.baseName().toStdString());
        for (const Policy *policy : policies()) {
            QVERIFY2(!policy->about.empty(), policy->name.c_str());
            listed.insert(policy->name);
        }
        QCOMPARE(namesIn(listed), namesIn(files));
        COMPARE_AT_LEAST(files.size(), 11);
    }

    void isParsedAndWritten() {
        QVERIFY(!parsePolicy("lifo"));
        QVERIFY(!parsePolicy("fifo", known()));
        const auto parsed = parsePolicy("lifo", known());
        VERIFY_VALUE(parsed);
        QVERIFY(*parsed == CommPolicy(lifo()));
        QCOMPARE(formatPolicy(*parsed), std::string("lifo(piece=4MB,pause=1ms,tries=3,barrier=on)"));
        QCOMPARE(policySignature(lifo()), std::string("lifo(piece=4MB,pause=1ms,tries=3)"));
        for (const char *text :
             {"lifo(piece=3KiB,pause=2s,tries=9,barrier=off,form=flows)", "lifo(piece=whole)", "lifo(1GB,3us,2)"}) {
            const auto policy = parsePolicy(text, known());
            VERIFY_VALUE(policy);
            const auto again = parsePolicy(formatPolicy(*policy), known());
            VERIFY_VALUE(again);
            QCOMPARE(formatPolicy(*again), formatPolicy(*policy));
            QVERIFY2(*again == *policy, text);
        }
        for (const char *text : {"lifo(tries=1)", "lifo(piece=wholes)", "lifo(pause=1MB)", "lifo(slice=1MB)"})
            QVERIFY2(!parsePolicy(text, known()), text);
        QVERIFY(*parsePolicy("lifo(tries=4)", known()) != *parsed);
    }

    void isOrderedAndCut() {
        const Job job = chainJob({{1, 1, 1000}, {1, 1, 3000}}); // 4 and 12 KB; layer 1 is ready first
        const auto policy = must(parsePolicy("lifo(piece=4KB)", known()));
        const auto units = shapeUnits(job, must(partitionVariables(job, allReduceEach(job))), policy, {});
        VERIFY_VALUE(units);
        std::vector<std::pair<std::int64_t, std::int32_t>> order;
        for (const SyncUnit &unit : *units) {
            QCOMPARE(unit.sizeBytes, 4000.0);
            order.emplace_back(unit.priority, unit.lastLayer.number());
        }
        std::sort(order.begin(), order.end());
        std::vector<std::int32_t> layers;
        for (const auto &entry : order)
            layers.push_back(entry.second);
        QCOMPARE(layers, (std::vector<std::int32_t>{0, 1, 1, 1}));
    }

    void isSimulated() {
        const auto run = simulate(slowCollectives(*parsePolicy("lifo(piece=500MB)", known())));
        VERIFY_VALUE(run);
        const TaskGraph &graph = (*run)->graph;
        std::vector<std::pair<double, std::int32_t>> sent;
        for (std::size_t t = 0; t < graph.size(); ++t)
            if (graph.kind[t] == TaskKind::AllReduce && graph.iteration[t] == 1)
                sent.emplace_back((*run)->startSeconds[t], graph.units[graph.unit[t].index()].lastLayer.number());
        std::sort(sent.begin(), sent.end());
        std::vector<std::int32_t> layers;
        for (const auto &entry : sent)
            layers.push_back(entry.second);
        QCOMPARE(layers, (std::vector<std::int32_t>{3, 0, 0, 1, 1, 2, 2, 3})); // initially only layer 3's was ready
        const auto &notes = graph.assumptions;
        QVERIFY(std::find(notes.begin(), notes.end(), lifo().assumption) != notes.end());
    }

    void remediesTurnItsKnob() {
        const auto run = simulate(slowCollectives(*parsePolicy("lifo(piece=500MB)", known())));
        VERIFY_VALUE(run);
        const CauseFinder finder(**run);
        const auto remedies = proposeRemedies(**run, finder, finder.ofIteration());
        const auto doubled =
            std::find_if(remedies.begin(), remedies.end(), [](const Remedy &r) { return r.kind == RemedyKind::ResizeParts; });
        QVERIFY(doubled != remedies.end());
        QCOMPARE(doubled->scenario().policy.value("piece"), 1e9);
        QVERIFY2(doubled->text.english().starts_with("Double the piece: "), doubled->text.english().c_str());
    }

    void isExported() {
        const auto text = writeLauncherSettings(lifoLauncher, slowCollectives(*parsePolicy("lifo(piece=64KB)", known())));
        VERIFY_VALUE(text);
        QCOMPARE(*text, std::string("LIFO_PIECE_KB=64\n"));
        const auto rounded = writeLauncherSettings(lifoLauncher, slowCollectives(*parsePolicy("lifo(piece=1.5KB)", known())));
        VERIFY_VALUE(rounded);
        QCOMPARE(*rounded, std::string("LIFO_PIECE_KB=2\n"));
        QVERIFY(!writeLauncherSettings(lifoLauncher, slowCollectives(*parsePolicy("lifo(piece=499)", known()))));
        const auto refused = writeLauncherSettings(lifoLauncher, slowCollectives({}));
        QVERIFY(!refused);
        QVERIFY2(refused.error().toString().find("does not model Lifo; simulate lifo(..) instead") != std::string::npos,
                 refused.error().toString().c_str());
    }

    /// A message that a policy forgets or sends twice would yield a meaningless, fast simulation.
    void brokenPoliciesAreRefused() {
        const auto fused = [](std::vector<Fusion> fusions) {
            const Policy broken{.name = "broken", .about = "", .fuse = [fusions](const CommPolicy &, const Traffic &) {
                                    return Result<std::vector<Fusion>>(fusions);
                                }};
            const auto run = simulate(slowCollectives(CommPolicy(broken)));
            return run ? "simulated" : run.error().what;
        };
        const std::vector<std::pair<const char *, std::vector<Fusion>>> broken{
            {"one is missing", {{.messages = {0, 1, 2}}}},
            {"one is twice", {{.messages = {0, 1}}, {.messages = {1, 2, 3}}}},
            {"one that is not there", {{.messages = {0, 1, 2, 9}}}}};
        for (const auto &[what, fusions] : broken) {
            const std::string answer = fused(fusions);
            QVERIFY2(answer.find("loses or repeats") != std::string::npos, fmt::format("{}: {}", what, answer).c_str());
        }
        QCOMPARE(fused({{.messages = {0, 1}}, {.messages = {2, 3}}}), std::string("simulated"));
    }
};

QTEST_GUILESS_MAIN(TestAddedPolicy)
#include "tst_added_policy.moc"
