// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/rank_traces.h"

#include "engine/parse/archive.h"
#include "engine/profile/profile.h"
#include "engine/profile/profile_formats.h"
#include "engine/profile/torch/rank_in_name.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

using namespace syncopate;
using ranks::Rank;

namespace {

const std::string traces = testing::foreignTrace("");
const std::string dlrm = traces + "kineto/param_dlrm_v100_ws8_all_ranks.tar.gz";

using Imported = Result<std::shared_ptr<const ImportedProfile>>;

/// Imports a folder of the given ranks, each in a file "trace_I.json".
Imported importFolder(const std::vector<Rank> &all) {
    QTemporaryDir folder;
    for (std::size_t i = 0; i < all.size(); ++i)
        ranks::write(folder.filePath(QString("trace_%1.json").arg(i)), ranks::trace(all[i]));
    return importProfile(folder.path().toStdString());
}

Rank rankOf(int rank, int world = 2) {
    Rank r;
    r.rank = rank;
    r.world = world;
    if (world == 3)
        r.group = "[0, 1, 2]";
    return r;
}

} // namespace

class TestRanks : public QObject {
    Q_OBJECT

private slots:
    /// Rank 1's clock is 5000 us ahead, and it is 30 us late for the first all-reduce.
    void clocksAndWaiting() {
        Rank second = rankOf(1);
        second.clock = 5000;
        second.late = 30;
        const auto profile = importFolder({rankOf(0), second});
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.ranks.size(), std::size_t{2});
        COMPARE_WITHIN(p.ranks[0].clockOffsetSeconds, 0, 1e-12);
        COMPARE_WITHIN(p.ranks[1].clockOffsetSeconds, 5000e-6, 1e-12);
        QCOMPARE(p.ranks[0].collectives, std::uint64_t{2});
        for (const RankFigures &rank : p.ranks)
            COMPARE_WITHIN(rank.transferSeconds, 10e-6 + 15e-6, 1e-12);
        COMPARE_WITHIN(p.ranks[0].waitingSeconds, 30e-6, 1e-12);
        COMPARE_WITHIN(p.ranks[1].waitingSeconds, 0, 1e-12);
        COMPARE_WITHIN(p.gradients[0].durationSeconds, 10e-6, 1e-12);
        COMPARE_WITHIN(p.gradients[1].durationSeconds, 15e-6, 1e-12);
        // Both ranks' lanes on one clock, each with name and number.
        QCOMPARE(p.timeline.lanes.size(), std::size_t{4});
        QCOMPARE(p.timeline.lanes[0].name, std::string("rank 0 compute stream 7"));
        QCOMPARE(p.timeline.lanes[2].name, std::string("rank 1 compute stream 7"));
        QCOMPARE(p.timeline.lanes[3].worker, 1);
        QVERIFY(p.timeline.lanes[0].start == p.timeline.lanes[2].start);
        QVERIFY(p.timeline.lanes[1].end == p.timeline.lanes[3].end);
        QCOMPARE(p.timeline.lanes[3].start[0] - p.timeline.lanes[1].start[0], Nanoseconds{30000});
        QCOMPARE(p.timeline.labels.size(), std::size_t{6}); // shared: five kernels, one all-reduce
        QCOMPARE(p.overlap.size(), std::size_t{2});
        QCOMPARE(p.job.parameterCount(), std::int64_t{8});
        QVERIFY(validateJob(p.job));
    }

    /// Of each rank's two steps the second is empty, as behind the last Profiler.step(). The kernels of the first last 100, 50,
    /// 60, 120 and 10 us, and the host took 400 us for it.
    void emptyStepsAreNoSteps() {
        Rank first = rankOf(0), second = rankOf(1);
        const tiny::Spelling s;
        first.more = second.more = tiny::host(s, s.annotation, s.mainThread, "ProfilerStep#5", 400, 5, "");
        const auto profile = importFolder({first, second});
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->steps.size(), std::size_t{2});
        QVERIFY((*profile)->job.hostSeconds() > 0); // which are no computation
        for (const RankFigures &rank : (*profile)->ranks) {
            COMPARE_WITHIN(rank.stepSeconds, 400e-6, 1e-12);
            COMPARE_WITHIN(rank.computeSeconds, 340e-6, 1e-12);
        }
    }

    /// The time base is part of the clock, even if it comes after the events.
    void timeBases() {
        Rank first = rankOf(0), second = rankOf(1);
        first.base = 1711964646000000000;
        second.base = 1711964646000000000 + 250'000;
        const auto profile = importFolder({first, second});
        VERIFY_VALUE(profile);
        COMPARE_WITHIN((*profile)->ranks[1].clockOffsetSeconds, 250e-6, 1e-12);
        QVERIFY((*profile)->timeline.lanes[0].start == (*profile)->timeline.lanes[2].start);
    }

    /// Large groups' events abbreviate their ranks, which the header lists: the collectives of one are not missing on the
    /// other's.
    void abbreviatedGroups() {
        QTemporaryDir folder;
        for (int rank = 0; rank < 4; ++rank) {
            Rank r = rankOf(rank, 4);
            r.group = rank < 2 ? "[0, 1]" : "[2, 3]";
            r.extra = rank >= 2;
            const std::string name = rank < 2 ? "1" : "2";
            std::string text = tiny::replaced(ranks::trace(r), "Ranks\": \"" + r.group, "Ranks\": \"[0, ..., 3]");
            text = tiny::replaced(text, "Name\": \"0\"", "Name\": \"" + name + '"');
            ranks::write(folder.filePath(QString("trace_%1.json").arg(rank)),
                         tiny::replaced(text, "\"pg_name\": \"0\"", "\"pg_name\": \"" + name + '"'));
        }
        const auto profile = importProfile(folder.path().toStdString());
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->ranks[0].collectives, std::uint64_t{2});
        QCOMPARE((*profile)->ranks[3].collectives, std::uint64_t{3});
    }

    /// Collectives align clocks however far apart they are. Ranks that share none fit on one timeline only if their own clocks
    /// agree to some days. A rank with an event decades before its others is refused, too.
    void clocksDecadesApart() {
        constexpr long long decades = 1'700'000'000'000'000'000, day = 86'400'000'000'000;
        Rank second = rankOf(1);
        second.base = decades;
        const auto aligned = importFolder({rankOf(0), second});
        VERIFY_VALUE(aligned);
        COMPARE_CLOSE((*aligned)->ranks[1].clockOffsetSeconds, 1.7e9);
        QVERIFY((*aligned)->timeline.lanes[0].start == (*aligned)->timeline.lanes[2].start);

        const auto twoGroups = [](long long later) {
            QTemporaryDir folder;
            for (int rank = 0; rank < 4; ++rank) {
                Rank r = rankOf(rank, 4);
                r.group = rank < 2 ? "[0, 1]" : "[2, 3]";
                r.base = rank < 2 ? 0 : later;
                const std::string name = rank < 2 ? "1" : "2";
                const std::string text = tiny::replaced(ranks::trace(r), "Name\": \"0\"", "Name\": \"" + name + '"');
                ranks::write(folder.filePath(QString("trace_%1.json").arg(rank)),
                             tiny::replaced(text, "\"pg_name\": \"0\"", "\"pg_name\": \"" + name + '"'));
            }
            return importProfile(folder.path().toStdString());
        };
        VERIFY_VALUE(twoGroups(day));
        const auto apart = twoGroups(decades);
        QVERIFY(!apart);
        const char *const why = "the trace of rank 2 begins 19675 days after that of rank 0, and no collective ties their clocks";
        QVERIFY2(apart.error().what.find(why) != std::string::npos, apart.error().toString().c_str());
        QVERIFY2(apart.error().file.ends_with("trace_2.json"), apart.error().file.c_str());

        Rank first = rankOf(0);
        first.base = decades;
        second.more =
            R"({"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 10, "tid": 3, "ts": -1700000000000000, "dur": 1})";
        const auto damaged = importFolder({first, second});
        QVERIFY(!damaged);
        QVERIFY2(damaged.error().what.ends_with("the trace of rank 1 begins 19675 days before that of rank 0"),
                 damaged.error().toString().c_str());
    }

    void strangersAreRefused_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("why");
        const auto row = [](const char *name, const Rank &a, const Rank &b, const char *why) {
            QTest::newRow(name) << QString::fromStdString(ranks::trace(a)) << QString::fromStdString(ranks::trace(b))
                                << QString(why);
        };
        const Rank a = rankOf(0), b = rankOf(1);
        row("twice the same rank", a, a, "are both rank 0");
        row("another world", a, rankOf(1, 3), "is one of 2 ranks, rank 1 one of 3");
        Rank other = b;
        other.world = 2;
        other.group = "[1, 4]";
        row("another process group", a, other, "process group");
        other = b;
        other.elements = 3;
        row("another model", a, other, "they train different models");
        other = b;
        other.step = "ProfilerStep#5";
        row("another step", a, other, "no step is whole in all of them");
        other = b;
        other.extra = true;
        row("one collective more", a, other, "recorded 2 collectives");
        other = b;
        other.rank = 7;
        row("rank beyond its world", a, other, "rank 7 of a world of 2");
        QTest::newRow("kinds") << QString::fromStdString(ranks::trace(a))
                               << QString::fromStdString(tiny::replaced(ranks::trace(b), "\"Collective name\": \"allreduce\"",
                                                                        "\"Collective name\": \"reduce_scatter\""))
                               << QString("is a allreduce on rank 0 and a reducescatter on rank 1");
    }
    void strangersAreRefused() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(QString, why);
        QTemporaryDir folder;
        ranks::write(folder.filePath("trace_0.json"), first.toStdString());
        ranks::write(folder.filePath("trace_1.json"), second.toStdString());
        const auto profile = importProfile(folder.path().toStdString());
        QVERIFY(!profile);
        QVERIFY2(QString::fromStdString(profile.error().what).contains(why), profile.error().toString().c_str());
        QVERIFY(!profile.error().remedy.empty());
        QVERIFY2(profile.error().file.find("trace_") != std::string::npos, profile.error().file.c_str());
    }

    /// Collectives that cannot belong together: on rank 1 each of the three comes 20 ms after the one before, on rank 0 at once,
    /// so no clock offset fits more than one.
    void runsThatDidNotMeet() {
        Rank first = rankOf(0), second = rankOf(1);
        first.extra = second.extra = true;
        std::string text = ranks::trace(second);
        for (const auto &[at, later] : {std::pair("\"ts\": 1460,", "\"ts\": 21460,"), {"\"ts\": 1476,", "\"ts\": 41476,"}}) {
            QVERIFY2(text.find(at) != std::string::npos, at);
            text = tiny::replaced(text, at, later);
        }
        QTemporaryDir folder;
        ranks::write(folder.filePath("trace_0.json"), ranks::trace(first));
        ranks::write(folder.filePath("trace_1.json"), text);
        const auto profile = importProfile(folder.path().toStdString());
        QVERIFY(!profile);
        QVERIFY2(profile.error().what.find("2 of 3 collectives end on one rank before") != std::string::npos,
                 profile.error().toString().c_str());
    }

    /// Ranks sampled at different times are matched, but waiting is not reported: detected by the spread of the ends, or by their
    /// own clocks.
    void sampledAtOtherTimes() {
        const auto doubtful = [](const Imported &profile, const char *why) {
            VERIFY_VALUE(profile);
            const ImportedProfile &p = **profile;
            for (const std::string &note : {p.inferred.front(), p.job.notes[1]}) {
                QVERIFY2(note.find("may have been recorded at other times") != std::string::npos, note.c_str());
                QVERIFY2(note.find(why) != std::string::npos, note.c_str());
                QVERIFY2(note.find("Record all ranks in the same steps") != std::string::npos, note.c_str());
            }
            for (const std::string &note : p.inferred)
                QVERIFY2(note.find("the rest is waiting") == std::string::npos, note.c_str());
            for (const RankFigures &rank : p.ranks) {
                QVERIFY(!rank.waitingKnown);
                COMPARE_WITHIN(rank.waitingSeconds, 0, 1e-12);
            }
            COMPARE_WITHIN(p.gradients[0].durationSeconds, 40e-6, 1e-12);
        };
        // 55 us of collectives, the second of which ends 30 us apart.
        QTemporaryDir folder;
        const std::string text = ranks::trace(rankOf(1));
        QVERIFY(text.find("\"ts\": 1460,") != std::string::npos);
        ranks::write(folder.filePath("trace_0.json"), ranks::trace(rankOf(0)));
        ranks::write(folder.filePath("trace_1.json"), tiny::replaced(text, "\"ts\": 1460,", "\"ts\": 1490,"));
        doubtful(importProfile(folder.path().toStdString()), "55 % of the collectives' durations");
        Rank later = rankOf(1);
        later.clock = 3600e6;
        doubtful(importFolder({rankOf(0), later}), "by their own clocks rank 1 was recorded ");
        later.clock = 5e6; // clocks of two hosts may differ that much
        const auto sure = importFolder({rankOf(0), later});
        VERIFY_VALUE(sure);
        QVERIFY((*sure)->ranks[1].waitingKnown);
    }

    void ranksByFileName() {
        const std::pair<const char *, std::int64_t> names[]{{"a/rank-7.Mar_25.2861.pt.trace.json.gz", 7},
                                                            {"x.tar.gz:d/worker12_step_12.169.pt.trace.json", 12},
                                                            {"inference_rank_1.json.gz", 1},
                                                            {"rank3/trace.json", -1},
                                                            {"dlrm_eg_5.json", 5},
                                                            {"x_99999999999999999999.json", -1},
                                                            {"rank", -1},
                                                            {"", -1},
                                                            {"traceRank3_1700000000.json", 3},
                                                            {"jobrank3.json", 3},
                                                            // Words that end like these do not tell ranks, if others do.
                                                            {"lowrank4_1.json", 1},
                                                            {"localrank0_rank3.json", 3},
                                                            {"frank2024_rank_2.json", 2},
                                                            {"coworker5_rank6.json", 6}};
        for (const auto &[name, rank] : names)
            QVERIFY2(kineto::rankInName(name) == rank,
                     fmt::format("{}: got {}, want {}", name, kineto::rankInName(name), rank).c_str());
        QTemporaryDir folder;
        Rank first = rankOf(0), second = rankOf(1);
        first.named = second.named = false;
        ranks::write(folder.filePath("b_rank0.json"), ranks::trace(first));
        ranks::write(folder.filePath("a_rank1.json"), ranks::trace(second));
        const auto profile = importProfile(folder.path().toStdString());
        VERIFY_VALUE(profile);
        QVERIFY((*profile)->ranks[0].file.ends_with("b_rank0.json"));
        const auto overlap = measureOverlap(folder.path().toStdString());
        VERIFY_VALUE(overlap);
        QCOMPARE(overlap->size(), std::size_t{2});
        for (std::size_t r = 0; r < 2; ++r)
            QCOMPARE((*overlap)[r].rank, static_cast<std::int64_t>(r));
        ranks::write(folder.filePath("a_rank1.json"), "");
        QFile::remove(folder.filePath("a_rank1.json"));
        ranks::write(folder.filePath("nameless.json"), ranks::trace(second));
        const auto nameless = importProfile(folder.path().toStdString());
        QVERIFY(!nameless);
        QVERIFY(nameless.error().what.find("which rank") != std::string::npos);
    }

    /// Folders, archives, gzip in either, and several arguments all form one set.
    void containers() {
        const std::string a = ranks::trace(rankOf(0)), b = ranks::trace(rankOf(1));
        QTemporaryDir folder;
        ranks::write(folder.filePath("set/sub/a.json"), a);
        ranks::write(folder.filePath("set/b.json.gz"), tiny::gzip(b));
        ranks::write(folder.filePath("set/README"), "two ranks");
        ranks::write(folder.filePath("set/._b.json"), "AppleDouble");
        ranks::write(folder.filePath("set/.hidden/b.json"), b);
        const std::string tar = ranks::tar({{"d/a.json", a}, {"d/._a.json", "AppleDouble"}, {"d/b.json.gz", tiny::gzip(b)}});
        ranks::write(folder.filePath("plain.tar"), tar);
        ranks::write(folder.filePath("packed"), tiny::gzip(tar)); // its name does not matter
        const auto at = [&](const char *name) { return folder.filePath(name).toStdString(); };
        Progress progress;
        for (const std::vector<std::string> &paths :
             {std::vector{at("set")}, std::vector{at("plain.tar")}, std::vector{at("packed")},
              std::vector{at("set/b.json.gz"), at("set/sub/a.json")}}) {
            const auto profile = importProfiles(paths, {}, {}, &progress);
            VERIFY_VALUE(profile);
            QCOMPARE((*profile)->ranks.size(), std::size_t{2});
            QCOMPARE((*profile)->ranks[0].rank, std::int64_t{0});
            QCOMPARE((*profile)->timeline.lanes.size(), std::size_t{4});
            COMPARE_ABOVE(progress.total.load(), 0);
            QCOMPARE(progress.done.load(), progress.total.load());
        }
        const auto overlap = measureOverlap(at("packed"));
        VERIFY_VALUE(overlap);
        QCOMPARE(overlap->size(), std::size_t{2});
        QCOMPARE((*overlap)[1].rank, std::int64_t{1});
        const auto loaded = loadJob(at("set"));
        VERIFY_VALUE(loaded);
        QCOMPARE(loaded->job->layers.size(), std::size_t{2});
        const auto one = importProfiles({at("set/sub")});
        VERIFY_VALUE(one);
        QVERIFY((*one)->ranks.empty());
        QCOMPARE((*one)->timeline.lanes[0].name, std::string("compute stream 7"));
    }

    void emptyAndDamagedContainers() {
        QTemporaryDir folder;
        const auto refused = [](const Imported &profile, const char *why) {
            QVERIFY(!profile);
            QVERIFY2(profile.error().toString().find(why) != std::string::npos, profile.error().toString().c_str());
            QVERIFY(!profile.error().remedy.empty() && !profile.error().file.empty());
        };
        refused(importProfile(folder.path().toStdString()), "no file in it");
        ranks::write(folder.filePath("notes.txt"), "hello");
        refused(importProfile(folder.path().toStdString()), "its only file is not a Kineto trace");
        const std::string a = ranks::trace(rankOf(0)), tar = ranks::tar({{"a.json", a}, {"b.json", ranks::trace(rankOf(1))}});
        const QString path = folder.filePath("cut.tar");
        for (const std::size_t length : {std::size_t{700}, tar.size() / 2, tar.size() - 4000}) {
            ranks::write(path, tar.substr(0, length));
            refused(importProfile(path.toStdString()), "cut");
        }
        const std::string packed = tiny::gzip(tar);
        ranks::write(path, packed.substr(0, packed.size() / 2));
        refused(importProfile(path.toStdString()), "cut off");
        // A damaged header must not hang or crash, however libarchive reads it.
        for (std::size_t at = 0; at < 512; at += 7) {
            std::string damaged = tar;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x2a);
            ranks::write(path, damaged);
            const auto profile = importProfile(path.toStdString());
            QVERIFY(profile ? validateJob((*profile)->job).has_value() : !profile.error().what.empty());
        }
        // The error names the one bad member.
        ranks::write(path, ranks::tar({{"a.json", a}, {"b.json", "{\"traceEvents\": [{]}"}}));
        const auto profile = importProfile(path.toStdString());
        QVERIFY(!profile);
        QCOMPARE(profile.error().file, path.toStdString() + ":b.json");
        ranks::write(folder.filePath("job.json"), R"({"name": "x", "layers": []})");
        refused(importProfiles({folder.filePath("job.json").toStdString(), path.toStdString()}), "of another kind");
    }

    /// A zip archive is read like a folder: plain, deflated and gzipped members, without the files that macOS adds.
    void zipArchive() {
        QTemporaryDir folder;
        const std::string a = ranks::trace(rankOf(0)), b = ranks::trace(rankOf(1));
        ranks::write(folder.filePath("plain/a.json"), a);
        ranks::write(folder.filePath("plain/b.json"), b);
        const auto expected = importProfile(folder.filePath("plain").toStdString());
        VERIFY_VALUE(expected);
        for (const auto &second : {b, tiny::gzip(b)}) {
            const QString path = folder.filePath("run.zip");
            ranks::write(path, ranks::zip({{"run/a.json", a}, {"run/b.json", second}, {"__MACOSX/run/._a.json", "AppleDouble"}}));
            const auto profile = importProfile(path.toStdString());
            VERIFY_VALUE(profile);
            QCOMPARE((*profile)->ranks.size(), std::size_t{2});
            QCOMPARE((*profile)->ranks[1].file, path.toStdString() + ":run/b.json");
            QCOMPARE((*profile)->job.name, std::string("run"));
            QVERIFY((*profile)->job.layers == (*expected)->job.layers && (*profile)->job.variables == (*expected)->job.variables);
            QVERIFY((*profile)->timeline.lanes[2].start == (*expected)->timeline.lanes[2].start);
        }
    }

    void cancels() {
        std::stop_source stop;
        stop.request_stop();
        QTemporaryDir folder;
        ranks::write(folder.filePath("a.json"), ranks::trace(rankOf(0)));
        const auto profile = importProfile(folder.path().toStdString(), {}, stop.get_token());
        QVERIFY(!profile);
        QVERIFY(profile.error().isCancelled());
    }

    /// So does the search for the first profile, before which an archive may have gigabytes of other files.
    void findingTheFormatCancels() {
        std::stop_source stop;
        QTemporaryDir folder;
        const std::string path = folder.filePath("run.tar").toStdString();
        ranks::write(folder.filePath("run.tar"),
                     ranks::tar({{"log.txt", std::string(1 << 20, 'x')}, {"a.json", ranks::trace(rankOf(0))}}));
        QCOMPARE(std::string(formatOfParts(path, stop.get_token()).value_or("")), std::string(rankFormats[0]));
        stop.request_stop();
        const auto format = formatOfParts(path, stop.get_token());
        QVERIFY(!format && format.error().isCancelled());
    }

    void damagedFiles() {
        int files = 0;
        for (const auto &entry : std::filesystem::directory_iterator(SYNCOPATE_SOURCE "/tests/damaged/ranks")) {
            const auto profile = importProfile(entry.path().string());
            QVERIFY2(!profile, entry.path().c_str());
            QVERIFY2(!profile.error().what.empty() && profile.error().file.starts_with(entry.path().string()),
                     profile.error().toString().c_str());
            ++files;
        }
        COMPARE_AT_LEAST(files, 7);
    }

    /// Eight real ranks: the index's rows for each, and the collectives' durations computed independently.
    void dlrmOverlap() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto overlap = measureOverlap(dlrm);
        VERIFY_VALUE(overlap);
        QCOMPARE(overlap->size(), std::size_t{8});
        QFile index(QString::fromStdString(traces + "INDEX.md"));
        QVERIFY(index.open(QIODevice::ReadOnly | QIODevice::Text));
        int rows = 0;
        for (const QString &line : QString::fromUtf8(index.readAll()).split('\n')) {
            QStringList cells = line.split('|');
            if (cells.size() < 11 || !cells[1].contains("param_dlrm_v100_ws8_all_ranks.tar.gz:worker"))
                continue;
            for (QString &cell : cells)
                cell = cell.trimmed();
            const int worker = cells[1].section("worker", 1).toInt();
            const OverlapFigures &figures = (*overlap)[static_cast<std::size_t>(worker)];
            QCOMPARE(figures.rank, std::int64_t{worker});
            QCOMPARE(QString::fromStdString(figures.device), cells[2]);
            QCOMPARE(figures.computeKernels, cells[3].toULongLong());
            QCOMPARE(figures.communicationKernels, cells[4].toULongLong());
            QCOMPARE(figures.copies, cells[5].toULongLong());
            QCOMPARE(QString::number(figures.computeSeconds * 1e3, 'f', 3), cells[6]);
            QCOMPARE(QString::number(figures.communicationSeconds * 1e3, 'f', 3), cells[7]);
            QCOMPARE(QString::number(figures.hiddenSeconds * 1e3, 'f', 3), cells[8]);
            QCOMPARE(QString::number(figures.hiddenRatio() * 100, 'f', 1) + "%", cells[9]);
            QCOMPARE(QString::number(figures.busySeconds * 1e3, 'f', 3), cells[10]);
            ++rows;
        }
        QCOMPARE(rows, 8);
    }

    void dlrmRanks() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto profile = importProfile(dlrm);
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.ranks.size(), std::size_t{8});
        QCOMPARE(p.job.name, std::string("param_dlrm_v100_ws8_all_ranks"));
        // Minimum durations over the ranks, in microseconds, of the eight collectives: 10, 8, 7, 7, 86, 10, 20, 69.
        for (const RankFigures &rank : p.ranks) {
            QCOMPARE(rank.collectives, std::uint64_t{8});
            COMPARE_WITHIN(rank.transferSeconds, 217e-6, 1e-12);
            COMPARE_WITHIN(rank.clockOffsetSeconds, 0, 5e-6); // one host
        }
        // Durations sum to 5798 us on rank 0 and 11336 us on rank 1 (the index's busy times; they do not overlap).
        COMPARE_WITHIN(p.ranks[0].waitingSeconds, 5798e-6 - 217e-6, 1e-12);
        COMPARE_WITHIN(p.ranks[1].waitingSeconds, 11336e-6 - 217e-6, 1e-12);
        COMPARE_WITHIN(p.ranks[7].waitingSeconds, 1746e-6 - 217e-6, 1e-12);
        QCOMPARE(p.gradients.size(), std::size_t{3});
        COMPARE_WITHIN(p.gradients[0].durationSeconds, 86e-6, 1e-12);
        COMPARE_WITHIN(p.gradients[1].durationSeconds, 20e-6, 1e-12);
        COMPARE_WITHIN(p.gradients[2].durationSeconds, 69e-6, 1e-12);
        QCOMPARE(p.job.parameterCount(), std::int64_t{394241 + 112 + 226960});
        std::set<int> workers;
        for (const Lane &lane : p.timeline.lanes) {
            workers.insert(lane.worker);
            for (std::size_t i = 0; i < lane.size(); ++i) {
                COMPARE_AT_LEAST(lane.start[i], 0);
                COMPARE_AT_LEAST(lane.end[i], lane.start[i]);
                COMPARE_AT_MOST(lane.end[i], p.timeline.duration);
            }
        }
        QCOMPARE(workers.size(), std::size_t{8});
    }

    /// One of the eight ranks and a rank of another job are not merged.
    void dlrmAndAStranger() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto profile = importProfiles({dlrm, traces + "kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz"});
        QVERIFY(!profile);
        QVERIFY2(profile.error().what.find("are both rank 0") != std::string::npos, profile.error().toString().c_str());
        const auto worlds = importProfiles(
            {traces + "kineto/hta_dlrm_v100_ws2_rank1.json.gz", traces + "kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz"});
        QVERIFY(!worlds);
        QVERIFY2(worlds.error().what.find("do not belong together") != std::string::npos, worlds.error().toString().c_str());
    }
};

QTEST_GUILESS_MAIN(TestRanks)
#include "tst_ranks.moc"
