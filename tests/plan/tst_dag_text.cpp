// SPDX-License-Identifier: GPL-3.0-or-later
// DAGs as text: the same as the JSON of a measured DAG, the effect of each word, and the place of each error.
#include "engine/base/input_file.h"
#include "engine/base/rng.h"
#include "engine/plan/dag_text.h"
#include "engine/session/plan_settings.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/plan/dags.h"

#include <QTemporaryDir>
#include <QtTest>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string asText = SYNCOPATE_SOURCE "/tests/data/plans/a2a-prefetch.dag";
const std::string asJson = SYNCOPATE_SOURCE "/tests/data/measured/plan/dags/a2a-prefetch.dag.json";
constexpr const char *small = "dag small processes 8\n"
                              "op fwd compute 3ms previous ar\n"
                              "op ar all_reduce 4MB after fwd\n";

} // namespace

class TestDagText : public QObject {
    Q_OBJECT

private slots:
    void textIsTheJson() {
        const auto text = readTrainingDagFile(asText), json = readTrainingDagFile(asJson);
        VERIFY_VALUE(text);
        VERIFY_VALUE(json);
        QCOMPARE(text->name, json->name);
        QCOMPARE(text->ops.size(), json->ops.size());
        for (std::size_t o = 0; o < json->ops.size(); ++o)
            QVERIFY2(text->ops[o] == json->ops[o], json->ops[o].name.c_str());
        QVERIFY(*text == *json);
        QVERIFY(isTrainingDagFile(asText) && isTrainingDagFile(asJson));
        QVERIFY(!isTrainingDagFile(SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv"));
    }

    /// Groups, shifts, names with blanks and names that are words of the format; options in any order, Windows' line ends.
    void everyWordIsRead() {
        const auto dag = readDagText("\r\n# a comment\r\n  dag \"two words\" processes 8 # here, too\r\n"
                                     "op \"fwd 0\" compute 250us previous \"after\"\r\n"
                                     "op bwd compute 0.5\r\n"
                                     "op tp all_gather 2MiB group 4 after \"fwd 0\"\r\n"
                                     "op \"after\" reduce_scatter 1e6 after bwd tp group 2x4\r\n"
                                     "op next permute 1KiB after bwd shift -1 group 4x2 previous next\r\n"
                                     "order submission next \"after\"\r\norder submission tp\r\n");
        VERIFY_VALUE(dag);
        QCOMPARE(dag->name, std::string("two words"));
        QCOMPARE(dag->processes, 8);
        QCOMPARE(dag->ops.size(), std::size_t{5});
        COMPARE_CLOSE(dag->ops[0].seconds, 250e-6);
        QCOMPARE(dag->ops[0].previousParents, std::vector{3_op});
        QVERIFY(!dag->ops[0].backward && dag->ops[1].backward);
        QVERIFY(dag->ops[2].collective == CollectiveKind::AllGather && dag->ops[2].group == (ProcessGroup{4, 1}));
        COMPARE_CLOSE(dag->ops[2].sizeBytes, 2097152.);
        QVERIFY(dag->ops[3].collective == CollectiveKind::ReduceScatter && dag->ops[3].group == (ProcessGroup{2, 4}));
        QCOMPARE(dag->ops[3].parents, (std::vector{1_op, 2_op}));
        QVERIFY(dag->ops[4].collective == CollectiveKind::Permute && dag->ops[4].group == (ProcessGroup{4, 2}));
        QCOMPARE(dag->ops[4].shift, -1);
        QCOMPARE(dag->ops[4].previousParents, std::vector{4_op});
        QCOMPARE(dag->computeOrder, (std::vector{0_op, 1_op}));
        QCOMPARE(dag->submissionOrder, (std::vector{4_op, 3_op, 2_op}));
        QVERIFY(*readTrainingDagText(writeTrainingDag(*dag)) == *dag);
    }

    /// A file may mark the compute-ops of the backward pass; otherwise their names decide.
    void backwardIsWhatTheFileSays() {
        const auto dag = readTrainingDagText(
            R"({"name": "d", "hosts": 2, "ops": [{"name": "grad", "kind": "compute", "seconds": 1, "backward": true},
                {"name": "bwd-but-not", "kind": "compute", "seconds": 1, "backward": false},
                {"name": "bwd", "kind": "compute", "seconds": 1}, {"name": "loss", "kind": "compute", "seconds": 1}]})");
        VERIFY_VALUE(dag);
        const auto backward = [](const TrainingDag &of) {
            std::vector<bool> is;
            for (const DagOp &op : of.ops)
                is.push_back(op.backward);
            return is;
        };
        QCOMPARE(backward(*dag), (std::vector{true, false, true, false}));
        QCOMPARE(backward(*readTrainingDagText(writeTrainingDag(*dag))), backward(*dag));
        QVERIFY(!readTrainingDagText(
            R"({"name": "d", "hosts": 2, "ops": [{"name": "g", "kind": "compute", "seconds": 1, "backward": 1}]})"));
    }

    void errorsNameLineAndRemedy() {
        struct Refusal {
            std::string more; ///< behind the lines of `small`
            const char *line, *what;
        };
        const Refusal refusals[]{
            {"op", "4", "a name, a kind"},
            {"op x compute", "4", "a name, a kind"},
            {"op x compute soon", "4", "soon"},
            {"op x all_reduce -1MB", "4", "-1MB"},
            {"op x sing 3ms", "4", "\"sing\" is neither compute nor a collective"},
            {"op x reduced 4MB", "4", "\"reduced\" is neither compute nor a collective"},
            {"op x allreduce 4MB", "4", "\"allreduce\" is neither compute nor a collective"},
            {"op fwd compute 1ms", "4", "two ops are called \"fwd\""},
            {"\n\nop x compute 1ms after y", "6", "there is no op \"y\""},
            {"op x compute 1ms fwd", "4", "\"fwd\" is not expected here"},
            {"op x compute 1ms group 2", "4", "only a collective has a group"},
            {"op x all_reduce 1MB group 0-7", "4", "\"0-7\" is not a group"},
            {"op x all_reduce 1MB group", "4", "\"\" is not a group"},
            {"op x all_reduce 1MB group 3", "4", "does not divide 8"},
            {"op x all_reduce 1MB shift 1", "4", "only a permute has a shift"},
            {"op x permute 1MB shift 99999999999", "4", "is not a shift"},
            {"op x permute 1MB shift 8", "4", "would send to itself"},
            {"op x permute 1MB shift 1 shift 2", "4", "a second shift"},
            {"op x permute 1MB group 4 shift 1 group 2", "4", "a second group"},
            {"op x all_reduce 1MB after", "4", "after and previous need names"},
            {"op x all_reduce 1MB previous after y", "4", "after and previous need names"},
            {"op x all_reduce 1MB after group 2", "4", "after and previous need names"},
            {"op x compute 1e9", "4", "0 to 1e6 seconds"},
            {"op x compute 1ms after y\nop y compute 1ms after x", "4", "waits for itself"},
            // An op that waits for a cycle is not in it.
            {"op follower all_reduce 1MB after x\nop x all_reduce 1MB after y\nop y all_reduce 1MB after x", "5",
             "\"x\" waits for itself"},
            {"op \"x compute 1ms", "4", "not closed"},
            {"order compute", "4", "compute_order does not hold"},
            {"order compute fwd fwd\norder compute fwd", "4", "compute_order does not hold"}, // where the order begins
            {"order compute fwd x", "4", "there is no op \"x\""},
            {"order fwd", "4", "for compute or for submission"},
            {"dag again processes 2", "4", "a second DAG"},
            {"opp x", "4", "\"opp\" cannot begin a line"},
            // A name has to be valid in JSON, too, as projects keep DAGs.
            {"op \"\" compute 1ms", "4", "not a name"},
            {"op \x1b[31m compute 1ms", "4", "not a name"},
            {"op \xff compute 1ms", "4", "not a name"},
            {"op " + std::string(4097, 'x') + " compute 1ms", "4", "not a name"},
        };
        for (const auto &[more, line, what] : refusals) {
            const auto dag = readDagText(small + more, "my.dag");
            QVERIFY2(!dag.has_value(), more.c_str());
            const Error &error = dag.error();
            QVERIFY2(error.what.find(what) != std::string::npos, error.toString().c_str());
            QVERIFY2(error.file == "my.dag" && error.place == line, error.toString().c_str());
            QVERIFY2(!error.remedy.empty(), error.toString().c_str());
        }
        for (const char *text :
             {"", "# nothing", "op x compute 1ms", "dag x", "dag x processes many", "dag x processes 1",
              "dag x processes 99999999", "dag \xff processes 4\nop a compute 1", "dag x processes 4\nop a all_reduce 1MB"})
            QVERIFY2(!readDagText(text) && !readDagText(text).error().place.empty(), text);
    }

    /// Errors name their subject, which readers turn into places of their formats.
    void faultsSayWhatTheyAreAbout() {
        using About = DagFault::About;
        const TrainingDag good = must(readDagText(small));
        QVERIFY(checkDag(good).has_value());
        const auto about = [&](const auto &damage) {
            TrainingDag dag = good;
            damage(dag);
            const auto checked = checkDag(dag);
            return checked ? std::tuple(About::Dag, DagOpId(), std::string())
                           : std::tuple(checked.error().about, checked.error().op, checked.error().field);
        };
        QVERIFY(about([](TrainingDag &dag) { dag.processes = 1; }) == std::tuple(About::Dag, DagOpId(), std::string("hosts")));
        QVERIFY(about([](TrainingDag &dag) { dag.ops[1].seconds = -1; }) == std::tuple(About::Op, 1_op, std::string("ops[1]")));
        QVERIFY(about([](TrainingDag &dag) { dag.computeOrder.clear(); }) ==
                std::tuple(About::ComputeOrder, DagOpId(), std::string("compute_order")));
        QVERIFY(about([](TrainingDag &dag) { dag.submissionOrder.push_back(0_op); }) ==
                std::tuple(About::SubmissionOrder, DagOpId(), std::string("submission_order")));
        TrainingDag waits = good;
        waits.ops[0].parents.push_back(0_op);
        QCOMPARE(validateDag(waits, "f").error().place, std::string("ops[0]"));
    }

    /// A file of any bytes, or beyond any limit, is refused or read as a DAG; none takes long.
    void hostileFilesAreRefused() {
        const std::string whole = *readInputFile(asText);
        Rng rng(7);
        int read = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string text = whole;
            for (std::uint64_t left = 1 + rng.next() % 3; left > 0; --left) {
                const std::size_t at = rng.next() % text.size();
                if (rng.next() % 2 == 0)
                    text[at] = static_cast<char>(rng.next() % 256);
                else
                    text.erase(at, rng.next() % 16);
            }
            const auto dag = readDagText(text, "f");
            if (!dag) {
                QVERIFY2(!dag.error().what.empty() && !dag.error().place.empty(), text.c_str());
                continue;
            }
            const auto again = readTrainingDagText(writeTrainingDag(*dag));
            QVERIFY2(again && *again == *dag, text.c_str());
            ++read;
        }
        COMPARE_ABOVE(read, 100);
        std::string many = "dag many processes 2\n";
        for (int op = 0; op <= 100'000; ++op)
            many += "op " + std::to_string(op) + " compute 1\n";
        QCOMPARE(readDagText(many).error().place, std::string("100002"));
        const std::string wide = small + std::string("op x compute 1 after") + std::string(5 << 20, 'y');
        QCOMPARE(readDagText(wide).error().place, std::string("4"));
        QVERIFY2(readDagText(wide).error().what.find("more than 4194304 bytes") != std::string::npos, "bytes");
        std::string orders = small;
        for (int line = 0; line < 3; ++line) {
            orders += "order compute";
            for (int op = 0; op < 100'000; ++op)
                orders += " fwd";
            orders += '\n';
        }
        const auto ordered = readDagText(orders);
        QVERIFY2(!ordered && ordered.error().what.find("more ops than a DAG") != std::string::npos, "orders");
        const QTemporaryDir folder;
        QFile large(folder.filePath(QStringLiteral("large.dag"))); // of zeros, which take no room on the disk
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize((64 << 20) + 1));
        large.close();
        const auto refused = readTrainingDagFile(large.fileName().toStdString());
        QVERIFY2(!refused && refused.error().what.find("more than the 67108864") != std::string::npos, "file");
        std::string edges = small;
        for (int line = 0; line < 11; ++line) {
            edges += "op x" + std::to_string(line) + " compute 1 after";
            for (int edge = 0; edge < 100'000; ++edge)
                edges += " fwd";
            edges += '\n';
        }
        QCOMPARE(readDagText(edges).error().place, std::string("13")); // two of the first lines
        QVERIFY2(readDagText(edges).error().what.find("edges") != std::string::npos, "edges");
    }

    /// By its first words, regardless of the file's name.
    void textIsRecognised() {
        QVERIFY(looksLikeDagText("# by hand\n\n \tdag x processes 2"));
        const std::string marked = std::string("\xef\xbb\xbf") + small; // as Windows' editors write it
        QVERIFY(looksLikeDagText(marked));
        const auto unmarked = readDagText(marked);
        VERIFY_VALUE(unmarked);
        QVERIFY(*unmarked == *readDagText(small));
        for (const char *other : {"", "#", "dag", "dagger x", "{\"ops\": []}", "op x compute 1ms", "case,collective\ndag x"})
            QVERIFY2(!looksLikeDagText(other), other);
        QVERIFY(beginsAsDagFile(asText) && beginsAsDagFile(asJson));
        const auto file = readPlanFile(asText, {}, {}); // needs no job
        VERIFY_VALUE(file);
        const auto *const dag = std::get_if<std::shared_ptr<const TrainingDag>>(&*file);
        QVERIFY(dag && (*dag)->name == "a2a-prefetch");
        const QTemporaryDir folder; // a CSV is one still
        const std::string csv = folder.filePath(QStringLiteral("collectives.csv")).toStdString();
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/collectives.csv"),
                            QString::fromStdString(csv)));
        const auto costs = readPlanFile(csv, {}, {});
        QVERIFY(costs && std::holds_alternative<std::shared_ptr<const MotifCosts>>(*costs));
    }
};

QTEST_APPLESS_MAIN(TestDagText)
#include "tst_dag_text.moc"
