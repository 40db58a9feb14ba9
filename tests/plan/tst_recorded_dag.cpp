// SPDX-License-Identifier: GPL-3.0-or-later
// The DAG of a recording's own collectives from Kineto traces: dependencies in traces with known answers, and eight ranks of a
// DLRM.
#include "engine/base/input_file.h"
#include "engine/base/rng.h"
#include "engine/search/plan_search.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/plan/recorded_dags.h"
#include "tests/profile/tiny_trace.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <regex>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const char *const ringTrace = SYNCOPATE_SOURCE "/tests/data/profiles/ring_rank1.json";

/// The ring's trace with every match of the expression replaced.
std::string ringWith(const char *from, const char *to) {
    const auto text = readInputFile(ringTrace);
    return text ? std::regex_replace(*text, std::regex(from), std::string(to)) : std::string();
}

} // namespace

class TestRecordedDag : public QObject {
    Q_OBJECT

private slots:
    /// The expected answers come from tests/mutants/hybrid_trace.py.
    void everyCollectiveIsWhereItWas() {
        const Profile profile = hybrid();
        QVERIFY(profile && profile->recorded);
        const auto made = dagOf(*profile, 4);
        VERIFY_VALUE(made);
        const TrainingDag &dag = made->dag;
        const std::vector<std::pair<std::string, double>> computed{
            {"forward 0", 100e-6},  {"forward 1", 180e-6},  {"forward 2", 70e-6}, {"backward 3", 100e-6},
            {"backward 4", 140e-6}, {"backward 5", 100e-6}, {"update 6", 10e-6}};
        QCOMPARE(dag.computeOrder.size(), computed.size());
        for (const auto &[name, seconds] : computed) {
            QVERIFY2(named(dag, name) && named(dag, name)->isCompute(), name.c_str());
            COMPARE_CLOSE(named(dag, name)->seconds, seconds, 1e-6, About(name));
            QCOMPARE(named(dag, name)->backward, name.starts_with("backward"));
        }
        struct Expected {
            std::string name;
            CollectiveKind kind;
            double bytes;
            ProcessGroup group;
            Names parents;
        };
        const std::vector<Expected> expected{{"alltoall 0", CollectiveKind::AllToAll, 16384, {}, {"forward 0"}},
                                             {"allreduce 1", CollectiveKind::AllReduce, 4000, {2, 2}, {"backward 3"}},
                                             {"alltoall 2", CollectiveKind::AllToAll, 16384, {}, {"backward 3"}},
                                             {"allreduce 3", CollectiveKind::AllReduce, 2000, {}, {"backward 5"}},
                                             {"allgather 4", CollectiveKind::AllGather, 1000, {}, {"update 6"}},
                                             {"broadcast 5", CollectiveKind::Broadcast, 240, {}, {"update 6", "allgather 4"}}};
        QCOMPARE(dag.submissionOrder.size(), expected.size());
        for (std::size_t e = 0; e < expected.size(); ++e) {
            const DagOp &op = dag.ops[dag.submissionOrder[e].index()];
            QCOMPARE(op.name, expected[e].name);
            QVERIFY2(op.collective == expected[e].kind, op.name.c_str());
            COMPARE_CLOSE(op.sizeBytes, expected[e].bytes, 1e-12, About(op.name));
            QVERIFY2(op.group == expected[e].group, op.name.c_str());
            QCOMPARE(namesOf(dag, op.parents), expected[e].parents);
        }
        // Work launched before the wait does not wait, although it began after the exchange had ended.
        QCOMPARE(namesOf(dag, named(dag, "forward 1")->parents), Names{});
        QCOMPARE(namesOf(dag, named(dag, "forward 2")->parents), Names{"alltoall 0"});
        QCOMPARE(namesOf(dag, named(dag, "backward 4")->parents), Names{});
        QCOMPARE(namesOf(dag, named(dag, "backward 5")->parents), Names{"alltoall 2"});
        QCOMPARE(namesOf(dag, named(dag, "update 6")->parents), (Names{"allreduce 1", "allreduce 3"}));
        QCOMPARE(namesOf(dag, named(dag, "forward 0")->previousParents), (Names{"allgather 4", "broadcast 5"}));
        QVERIFY(mentions(made->notes, "6 collectives"));
        QVERIFY(mentions(made->notes, "which collective a wait was for"));
    }

    /// The answers are those of tests/mutants/ring_trace.py.
    void sendsAndReceivesArePermutes() {
        const auto profile = importProfile(ringTrace);
        VERIFY_VALUE(profile);
        QVERIFY((*profile)->recorded);
        const auto made = dagOf(**profile, 4);
        VERIFY_VALUE(made);
        const TrainingDag &dag = made->dag;
        struct Expected {
            std::string name;
            CollectiveKind kind;
            double bytes;
            ProcessGroup group;
            std::int32_t shift; ///< modulo the group
            Names parents;
        };
        const std::vector<Expected> expected{{"permute 0", CollectiveKind::Permute, 8192, {}, 1, {"forward 0"}},
                                             {"permute 1", CollectiveKind::Permute, 2048, {2, 2}, 1, {"forward 2"}},
                                             {"permute 2", CollectiveKind::Permute, 4096, {}, 3, {"backward 3"}},
                                             {"allreduce 3", CollectiveKind::AllReduce, 2000, {}, 1, {"backward 5"}}};
        QCOMPARE(dag.submissionOrder.size(), expected.size());
        for (std::size_t e = 0; e < expected.size(); ++e) {
            const DagOp &op = dag.ops[dag.submissionOrder[e].index()];
            const std::int32_t members = dag.groupSize(op);
            QCOMPARE(op.name, expected[e].name);
            QVERIFY2(op.collective == expected[e].kind, op.name.c_str());
            COMPARE_CLOSE(op.sizeBytes, expected[e].bytes, 1e-12, About(op.name));
            QVERIFY2(op.group == expected[e].group, op.name.c_str());
            QCOMPARE(op.backward, e >= 2);
            QCOMPARE((op.shift % members + members) % members, expected[e].shift);
            QCOMPARE(namesOf(dag, op.parents), expected[e].parents);
        }
        // Work that was launched before the wait for a permute does not wait for it.
        QCOMPARE(namesOf(dag, named(dag, "forward 1")->parents), Names{});
        QCOMPARE(namesOf(dag, named(dag, "forward 2")->parents), Names{"permute 0"});
        QCOMPARE(namesOf(dag, named(dag, "backward 3")->parents), Names{"permute 1"});
        QCOMPARE(namesOf(dag, named(dag, "backward 4")->parents), Names{});
        QCOMPARE(namesOf(dag, named(dag, "backward 5")->parents), Names{"permute 2"});
        QCOMPARE(namesOf(dag, named(dag, "update 6")->parents), Names{"allreduce 3"});
        QVERIFY(mentions(made->notes, "4 collectives of the measured step are planned: all_reduce 1, permute 3."));
        QVERIFY(mentions(made->notes, "receive (partner not recorded) 1, send (no receive goes with it) 1."));
        QVERIFY(mentions(made->notes, "A kernel without an op of its own"));
    }

    /// Facts of sends and receives that a trace lacks are not made up: the remaining permutes of the ring.
    void sendsOfUnknownPartnersAreTold() {
        struct Change {
            const char *from, *to;
            Names permutes;
            const char *told;
        };
        const Change changes[]{
            // All partners by their places in the group alone, then by ranks alone.
            {R"("(Dst|Src) Rank": \d)", R"("x": 0)", {"permute 0", "permute 1", "permute 2"}, "no receive goes with it"},
            {R"("Rank": \d)", R"("x": 0)", {"permute 0", "permute 1", "permute 2"}, "no receive goes with it"},
            {R"("(Dst |Src |)Rank": \d)", R"("x": 0)", {}, "send (partner not recorded) 4"},
            // Its own rank is not known, and none of the partners' ranges states it.
            {R"("rank": 1, )", "", {}, "receive (partner not recorded) 4"},
            {R"("In msg nelems": 2048)", R"("x": 0)", {"permute 0", "permute 1"}, "send (size not recorded) 1"},
            {R"("In msg nelems": 512, ("[^{}]*"Src))",
             R"("In msg nelems": 500, $1)",
             {"permute 0", "permute 1"},
             "send (no receive goes with it) 2"},
            // Both to the same side: no shift of equal processes.
            {R"("Rank": 0, "Src Rank": 0)", R"("Rank": 2, "Src Rank": 2)", {"permute 0", "permute 1"}, "no send goes with it"},
            // Sends and receives are not told apart from other communication that had no kernel.
            {R"x("Collective name": "(send|recv)")x", R"("Collective name": "other")", {}, "sendrecv 2"},
        };
        const std::string unchanged = ringWith("x", "x");
        for (const auto &[from, to, permutes, told] : changes) {
            const std::string text = ringWith(from, to);
            QVERIFY2(text != unchanged, from);
            const auto profile = tiny::import(text);
            VERIFY_VALUE(profile);
            QVERIFY2((*profile)->recorded, from);
            const auto made = dagOf(**profile, 4);
            QVERIFY2(made.has_value(), made ? "" : made.error().toString().c_str());
            Names found;
            for (const DagOp &op : made->dag.ops)
                if (op.collective == CollectiveKind::Permute)
                    found.push_back(op.name);
            QVERIFY2(found == permutes, from);
            QVERIFY2(mentions(made->notes, told), from);
        }
    }

    /// The transfers of one kernel are compared pair by pair, up to 256 of them; a larger batch is left out with a note, and the
    /// others are planned.
    void largeBatchesAreLeftOut() {
        const auto call = [](const char *kind, const char *peer, int number) {
            return fmt::format(
                R"(,{{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":10,"tid":1,"ts":{:.3f},"dur":0.004,)"
                R"("args":{{"External id":{},"Collective name":"{}","In msg nelems":2048,"Out msg nelems":2048,)"
                R"("Group size":4,"dtype":"Float","Process Group Name":"4","Process Group Ranks":"[0, 1, 2, 3]",{}}}}})",
                1015 + number * 0.005, 1000 + number, kind, peer);
        };
        for (const int pairs : {1, 128, 129}) {
            std::string more; // beside the pair of the first batch, before its kernel is launched
            for (int p = 1; p < pairs; ++p)
                more += call("send", R"("Rank":2,"Dst Rank":2)", 2 * p) + call("recv", R"("Rank":0,"Src Rank":0)", 2 * p + 1);
            std::string text = ringWith("x", "x");
            text.insert(text.rfind(']'), more);
            const auto profile = tiny::import(text);
            VERIFY_VALUE(profile);
            QVERIFY((*profile)->recorded);
            const auto made = dagOf(**profile, 4);
            VERIFY_VALUE(made);
            const auto permutes = std::count_if(made->dag.ops.begin(), made->dag.ops.end(),
                                                [](const DagOp &op) { return op.collective == CollectiveKind::Permute; });
            const bool isLeftOut = pairs > 128;
            QCOMPARE(permutes, (isLeftOut ? 0 : pairs) + 2);
            QCOMPARE(mentions(made->notes, "batch of 258 sends and receives 1"), isLeftOut);
        }
    }

    /// Before 2024 ranges alone name the two: "nccl:send 1->0", with the shapes of the data sent.
    void rangesNameThePartners() {
        std::string text = ringWith(R"("(Dst |Src |)Rank": \d)", R"("x": 0)");
        const auto range = [](const char *title, int at) {
            return fmt::format(R"(,{{"ph":"X","cat":"user_annotation","name":"nccl:{}","pid":10,"tid":2,"ts":{},"dur":4,)"
                               R"("args":{{"Input Dims":[[32,32]],"Input type":["float"]}}}})",
                               title, 1000 + at);
        };
        text.insert(text.rfind(']'), range("send 1->0", 78) + range("recv 1<-2", 86));
        const auto profile = tiny::import(text);
        VERIFY_VALUE(profile);
        const auto made = dagOf(**profile, 4);
        VERIFY_VALUE(made);
        const DagOp *const op = named(made->dag, "permute 0");
        QVERIFY(op && op->collective == CollectiveKind::Permute);
        QCOMPARE(op->shift, -1);
        COMPARE_CLOSE(op->sizeBytes, 4096.);
        QCOMPARE(made->dag.submissionOrder.size(), std::size_t{2});
    }

    /// Data received and sent on is two transfers, one after the other.
    void whatIsSentOnWaits() {
        // A wait of the host between the send and the receive, of which the first has ended when the second begins.
        std::string text = ringWith(R"("ts": 1550, "dur": 60)", R"("ts": 1600, "dur": 60)");
        QVERIFY(named(dagOf(**tiny::import(text), 4)->dag, "permute 2"));
        const std::string wait =
            R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaStreamWaitEvent","pid":10,"tid":2,"ts":1083.5,"dur":0.1})";
        text.insert(text.rfind(']'), wait);
        const auto made = dagOf(**tiny::import(text), 4);
        VERIFY_VALUE(made);
        QVERIFY(!named(made->dag, "permute 2"));
        QVERIFY(mentions(made->notes, "send (no receive goes with it) 2"));
    }

    /// A further kernel extends the collective that launched it, whichever collectives began in the meantime on other streams; a
    /// kernel of a collective from before the step does not.
    void furtherKernelsBelongToTheirOwn() {
        QFile file(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        const auto host = [](const char *category, int thread, const char *name, int at, int length, const char *args) {
            return QString(R"(,{"ph":"X","cat":"%1","name":"%2","pid":10,"tid":%3,"ts":%4,"dur":%5,"args":{%6}})")
                .arg(QLatin1String(category), QLatin1String(name))
                .arg(thread)
                .arg(1000 + at)
                .arg(length)
                .arg(QLatin1String(args));
        };
        const auto kernel = [](int stream, int at, int length, int correlation) {
            return QString(R"(,{"ph":"X","cat":"kernel","name":"ncclDevKernel_Generic","pid":0,"tid":"stream %1",)"
                           R"("ts":%2,"dur":%3,"args":{"device":0,"stream":%1,"correlation":%4}})")
                .arg(stream)
                .arg(1000 + at)
                .arg(length)
                .arg(correlation);
        };
        // The all-reduce of 550 to 600 continues when the all-to-all of 600 to 700 is over; its op lasts from 77 to 82.
        QString more = host("cuda_runtime", 2, "cudaLaunchKernelExC", 81, 1, R"("correlation":107)") + kernel(21, 705, 15, 107);
        // The op of -20 to 6 of another thread launches a kernel before the step and one in it.
        more += host("cpu_op", 3, "c10d::allgather_", -20, 26, "") + host("cpu_op", 3, "record_param_comms", -19, 24, "") +
                host("cuda_runtime", 3, "cudaLaunchKernelExC", -15, 1, R"("correlation":201)") + kernel(21, -10, 5, 201) +
                host("cuda_runtime", 3, "cudaLaunchKernelExC", 3, 1, R"("correlation":202)") + kernel(21, 6, 10, 202);
        text.insert(text.lastIndexOf(']'), more.toUtf8());
        const std::string content = text.toStdString();
        const auto source = ByteSource::fromMemory(content);
        const auto profile = importKineto(*source, "interleaved.json");
        VERIFY_VALUE(profile);
        QVERIFY((*profile)->recorded);
        const auto made = dagOf(**profile, 4);
        VERIFY_VALUE(made);
        QVERIFY(edgesOf(made->dag) == edgesOf(dagOf(*hybrid(), 4)->dag));
        std::map<std::string, double> seconds;
        for (const RecordedOp &op : (*profile)->recorded->ops)
            seconds[op.name] = op.seconds;
        COMPARE_CLOSE(seconds["allreduce 1"], 170e-6, 1e-6); // 550 to 720
        COMPARE_CLOSE(seconds["alltoall 2"], 100e-6, 1e-6);
    }

    /// Without waits in the trace, work that began after a collective may have waited for it, and the notes say so.
    void launchesAloneAreEnough() {
        const auto profile = tiny::import(tiny::trace());
        VERIFY_VALUE(profile);
        const auto made = dagOf(**profile, 2);
        VERIFY_VALUE(made);
        const TrainingDag &dag = made->dag;
        const Job &job = (*profile)->job; // the same times, split differently
        COMPARE_CLOSE(dag.computeSeconds(), job.forwardSeconds() + job.backwardSeconds() + job.updateSeconds);
        QCOMPARE(namesOf(dag, named(dag, "allreduce 0")->parents), Names{"backward 1"});
        QCOMPARE(namesOf(dag, named(dag, "allreduce 1")->parents), Names{"backward 2"});
        QCOMPARE(namesOf(dag, named(dag, "update 3")->parents), (Names{"allreduce 0", "allreduce 1"}));
        QVERIFY(mentions(made->notes, "no waits of the host"));
    }

    void whatCannotBePlannedIsRefused() {
        tiny::Spelling unsized;
        unsized.metadata = false;
        const auto without = tiny::import(tiny::trace(unsized));
        VERIFY_VALUE(without);
        const auto dag = dagOf(**without, 2);
        QVERIFY(!dag.has_value());
        QVERIFY2(dag.error().what.find("allreduce 0") != std::string::npos, dag.error().what.c_str());
        QVERIFY2(dag.error().remedy.find("gradients") != std::string::npos, dag.error().remedy.c_str());
        QVERIFY(dag.error().remedy.find("--") == std::string::npos); // options belong to the command line
        const Profile profile = hybrid();
        QVERIFY(!dagOf(*profile, 1));
        const auto six = dagOf(*profile, 6); // ranks 0 and 2: groups of four neighbours
        QVERIFY2(!six && six.error().what.find("do not divide 6 processes") != std::string::npos,
                 six ? "planned" : six.error().what.c_str());
        QVERIFY(dagOf(*profile, 8));
        QVERIFY(mentions(dagOf(*profile, 8)->notes, "Recorded on 4 ranks, planned for 8"));
        RecordedStep odd = *profile->recorded;
        odd.ops.back().groupStride = 0;
        odd.ops.back().groupSize = 2;
        QVERIFY(mentions(dagOfStep(odd, "odd", 4, 4, "test")->notes, "not evenly spaced"));
        odd.ops.back().groupSize = 100;
        const auto wide = dagOfStep(odd, "odd", 4, 4, "test");
        QVERIFY2(!wide && wide.error().what.find("has 100 ranks, and the cluster has 4 GPUs") != std::string::npos,
                 wide ? "planned" : wide.error().what.c_str());
        odd.ops.back().groupSize = 0;
        QVERIFY(mentions(dagOfStep(odd, "odd", 4, 4, "test")->notes, "were not recorded"));
        odd.ops.back().collective = "sendrecv";
        const auto fewer = dagOfStep(odd, "odd", 4, 4, "test");
        VERIFY_VALUE(fewer);
        QCOMPARE(fewer->dag.submissionOrder.size(), std::size_t{5});
        QCOMPARE(namesOf(fewer->dag, fewer->dag.ops.front().previousParents), Names{"allgather 4"});
        QVERIFY(mentions(fewer->notes, "Left out, with the waits for them: sendrecv 1."));
    }

    /// A collective of one rank, as of a model that is not split, moves nothing; the recording of a single rank stands for all.
    void collectivesOfOneRankAreLeftOut() {
        const Profile profile = hybrid();
        RecordedStep step = *profile->recorded;
        step.ops.back().groupSize = 1;
        const auto made = dagOfStep(step, "one", 4, 4, "test");
        VERIFY_VALUE(made);
        QCOMPARE(made->dag.submissionOrder.size(), dagOf(*profile, 4)->dag.submissionOrder.size() - 1);
        QVERIFY(!named(made->dag, step.ops.back().name));
        QVERIFY(mentions(made->notes, step.ops.back().collective + " of one rank 1."));
        RecordedStep alone = step;
        for (RecordedOp &op : alone.ops)
            op.groupSize = op.isCompute() ? 0 : 1;
        const auto single = dagOfStep(alone, "alone", 1, 4, "test");
        VERIFY_VALUE(single);
        QCOMPARE(single->dag.submissionOrder.size(), dagOf(*profile, 4)->dag.submissionOrder.size());
        QVERIFY(!dagOfStep(alone, "alone", 4, 4, "test")); // nothing is left to plan
    }

    /// Damaged traces yield a DAG that can be planned and played, or none.
    void damagedTracesAreSafe() {
        const auto whole = readInputFile(SYNCOPATE_SOURCE "/tests/data/profiles/hybrid_rank0.json");
        VERIFY_VALUE(whole);
        Rng rng(5);
        int made = 0;
        for (int round = 0; round < 400; ++round) {
            std::string text = *whole;
            for (int changed = 0; changed < 3; ++changed)
                text[rng.next() % text.size()] = static_cast<char>("0123456789-"[rng.next() % 11]);
            const auto profile = tiny::import(text);
            if (!profile || !(*profile)->recorded)
                continue;
            if (const auto dag = dagOf(**profile, 4)) {
                PlanRequest request;
                request.dag = std::make_shared<const TrainingDag>(dag->dag);
                request.channels = {{"link", {"link"}, 1e9, 0}};
                const auto found = findPlan(request, PlanMethod::Fifo);
                VERIFY_VALUE(found);
                COMPARE_AT_LEAST(found->run.iterationSeconds, dag->dag.computeSeconds() * (1 - 1e-9));
                ++made;
            }
        }
        COMPARE_ABOVE(made, 50);
    }

    /// Five all-to-alls and three all-reduces of a step, and a plan for them.
    void dlrmKeepsAllCollectives() {
        REQUIRE_FOREIGN_TRACE("pytorch_et");
        const auto profile = importProfiles({foreignTrace("kineto/param_dlrm_v100_ws8_all_ranks.tar.gz"),
                                             foreignTrace("pytorch_et/param_dlrm_ws8_all_ranks_et.tar.gz")});
        VERIFY_VALUE(profile);
        const auto made = dagOf(**profile, 8);
        VERIFY_VALUE(made);
        std::multimap<CollectiveKind, double> kinds;
        for (const DagOp &op : made->dag.ops)
            if (!op.isCompute())
                kinds.emplace(*op.collective, op.sizeBytes);
        QCOMPARE(kinds.count(CollectiveKind::AllToAll), std::size_t{5});
        QCOMPARE(kinds.count(CollectiveKind::AllReduce), std::size_t{3});
        for (const double elements : {394241., 112., 226960.})
            QVERIFY2(std::count(kinds.begin(), kinds.end(),
                                std::pair<const CollectiveKind, double>(CollectiveKind::AllReduce, 4 * elements)) == 1,
                     std::to_string(elements).c_str());
        const Job &job = (*profile)->job;
        COMPARE_CLOSE(made->dag.computeSeconds(), job.forwardSeconds() + job.backwardSeconds() + job.updateSeconds, 1e-6);
        PlanRequest request;
        request.dag = std::make_shared<const TrainingDag>(made->dag);
        request.channels = {{"nvlink", {"nvlink"}, 2e9, 5e-6}, {"pcie", {"pcie"}, 1e9, 2e-5}};
        request.evaluations = 200;
        const double fifo = findPlan(request, PlanMethod::Fifo)->run.iterationSeconds;
        const double joint = findPlan(request, PlanMethod::Syndicate)->run.iterationSeconds;
        COMPARE_AT_LEAST(joint, planBoundSeconds(request) * (1 - 1e-9));
        COMPARE_AT_MOST(joint, fifo);
    }
};

QTEST_APPLESS_MAIN(TestRecordedDag)
#include "tst_recorded_dag.moc"
