// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/profile/rank_traces.h"
#include "tests/profile/tiny_timeline.h"

#include "engine/parse/read_limits.h"

#include <QtTest>

using namespace syncopate;

namespace {

/// A trace of this many equal events, between `before` and `after`.
std::string repeated(std::size_t events, const std::string &before = "{\"traceEvents\": [", const std::string &after = "]}") {
    const std::string event = R"({"ph":"X","cat":"kernel","name":"k","ts":1,"dur":2},)";
    std::string text = before;
    text.reserve(before.size() + after.size() + events * event.size());
    for (std::size_t i = 0; i < events; ++i)
        text += event;
    text.pop_back();
    return text + after;
}

constexpr std::size_t many = 200'000; // 11 MB of text, 15 MB of memory

void refused(const Result<std::shared_ptr<const ImportedProfile>> &profile, const char *why) {
    QVERIFY(!profile);
    QVERIFY2(profile.error().what.find(why) != std::string::npos, profile.error().toString().c_str());
}

} // namespace

class TestReadLimits : public QObject {
    Q_OBJECT

private slots:
    void figures() {
        const ReadLimits machine = ReadLimits::ofThisMachine();
        COMPARE_ABOVE(machine.keptBytes, (1U << 20));
        COMPARE_BELOW(machine.keptBytes, ReadLimits::unlimited);
        COMPARE_ABOVE(machine.ratio, 100); // at most 39 in real traces
        QCOMPARE(ReadLimits::of(0).ratio, machine.ratio);
        QCOMPARE(ReadLimits::of(77).keptBytes, std::uint64_t{77});
        QCOMPARE(ReadLimits::of(77).ratio, 0.0);
        const ReadLimits limits{1000, 200, 500};
        QVERIFY(checkLimits(limits, 1000, 100'000, {500, 600}));
        QVERIFY(!checkLimits(limits, 1001, 10, {500, 600}));
        QVERIFY(!checkLimits(limits, 0, 100'001, {500, 600}));
        QVERIFY(checkLimits(limits, 0, 100'001, {}));       // length unknown
        QVERIFY(!checkLimits(limits, 500, 500, {10, 100})); // 5000 at the end
        QVERIFY(checkLimits(limits, 150, 500, {10, 100}));  // 1500: an estimate may be wrong
        QVERIFY(checkLimits(limits, 500, 500, {1, 100}));   // too early to tell
    }

    /// Memory that runs out within the limits, as where other programs take it, is an error of the file that was read.
    void memoryThatRunsOutIsAnError() {
        const auto read = withinMemory("large.json", recordLess, []() -> Result<int> { throw std::bad_alloc(); });
        QVERIFY(!read && read.error().file == "large.json" && read.error().remedy == recordLess);
        QVERIFY2(read.error().what.find("not enough memory") != std::string::npos, read.error().what.c_str());
        QCOMPARE(withinMemory("small.json", recordLess, [] { return Result<int>(3); }).value_or(0), 3);
    }

    void ratioIsBounded() {
        const std::string text = repeated(many), packed = tiny::gzip(text);
        COMPARE_ABOVE(text.size(), 200 * packed.size());
        const auto read = [&](const ReadLimits &limits) {
            const auto source = ByteSource::fromMemory(packed);
            source->setLimits(limits);
            return importKineto(*source, "bomb.json.gz");
        };
        ReadLimits limits{ReadLimits::unlimited, 200, 1 << 20};
        const auto profile = read(limits);
        refused(profile, "times as much");
        QVERIFY2(profile.error().remedy.find("--limit") != std::string::npos, profile.error().toString().c_str());
        QCOMPARE(profile.error().file, std::string("bomb.json.gz"));
        limits.ratio = 0; // requested: it is read, and contains no training step
        refused(read(limits), "no backward pass");
        refused(read({ReadLimits::unlimited, 200, 1 << 30}), "no backward pass");
    }

    /// Limits the memory kept, in every container and through every entry point.
    void memoryIsBounded() {
        const std::string text = repeated(many);
        QTemporaryDir folder;
        const auto at = [&](const char *name) { return folder.filePath(name).toStdString(); };
        ranks::write(folder.filePath("plain.json"), text);
        ranks::write(folder.filePath("packed.json.gz"), tiny::gzip(text));
        ranks::write(folder.filePath("set/a.json.gz"), tiny::gzip(text));
        ranks::write(folder.filePath("set.tar"), ranks::tar({{"a.json", text}}));
        ranks::write(folder.filePath("set.tar.gz"), tiny::gzip(ranks::tar({{"a.json", text}})));
        ranks::write(folder.filePath("set.zip"), ranks::zip({{"README", "x"}, {"a.json", text}}));
        ranks::write(folder.filePath("array.json"), repeated(many, "[", "]"));
        ImportOptions options;
        options.limitBytes = 5 << 20;
        for (const char *name : {"plain.json", "packed.json.gz", "set", "set.tar", "set.tar.gz", "set.zip", "array.json"}) {
            const auto profile = importProfile(at(name), options);
            QVERIFY2(!profile, name);
            QVERIFY2(profile.error().what.find("of memory") != std::string::npos, profile.error().toString().c_str());
            QVERIFY2(profile.error().what.find("5.0 MiB") != std::string::npos, profile.error().toString().c_str());
            QVERIFY2(profile.error().remedy.find("--limit") != std::string::npos, profile.error().toString().c_str());
            QVERIFY(!loadJob(at(name), options));
            const auto overlap = measureOverlap(at(name), {}, nullptr, options.limitBytes);
            QVERIFY2(!overlap && overlap.error().what.find("5.0 MiB") != std::string::npos, name);
            QVERIFY2(measureOverlap(at(name), {}, nullptr, ReadLimits::unlimited), name);
        }
        options.limitBytes = ReadLimits::unlimited;
        refused(importProfile(at("packed.json.gz"), options), "no backward pass");
        refused(importProfile(at("packed.json.gz")), "no backward pass"); // a small one is harmless on any machine
    }

    /// A file that will not fit is refused early, with its projected size.
    void refusedEarly() {
        QTemporaryDir folder;
        ranks::write(folder.filePath("plain.json"), repeated(many));
        ImportOptions options;
        options.limitBytes = 5 << 20;
        Progress progress;
        const auto profile = importProfile(folder.filePath("plain.json").toStdString(), options, {}, &progress);
        refused(profile, "will take about");
        COMPARE_BELOW(progress.done.load() * 4, progress.total.load());
    }

    /// Other formats that are read event by event.
    void otherFormats() {
        std::string text = tiny::timeline();
        const std::size_t from = text.find("{\"ph\": \"X\""), end = text.find("}}", from);
        QVERIFY(from != std::string::npos && end != std::string::npos && text.ends_with("]}"));
        const std::string event = text.substr(from, end + 2 - from);
        text.resize(text.size() - 2);
        for (int i = 0; i < 20'000; ++i)
            text += ",\n" + event;
        text += "]}";
        QTemporaryDir folder;
        ranks::write(folder.filePath("timeline.json"), text);
        ImportOptions options;
        options.limitBytes = 1 << 18;
        const std::string path = folder.filePath("timeline.json").toStdString();
        refused(importProfile(path, options), "of memory");
        QVERIFY(!measureOverlap(path, {}, nullptr, options.limitBytes));
        QVERIFY(measureOverlap(path));
    }
};

QTEST_GUILESS_MAIN(TestReadLimits)
#include "tst_read_limits.moc"
