// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/utf8.h"
#include "engine/job/batch.h"
#include "engine/job/job_file.h"

#include <QtTest>

#include <QDir>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace syncopate;

namespace {

const std::string smallest = R"({"name": "fcnet", "batch_size": 32, "layers": [
   {"name": "conv0", "forward_seconds": 0.004, "backward_seconds": 0.008,
    "variables": [{"name": "conv0/kernel", "shape": [40000], "dtype": "float32", "sparse": false}]},
   {"name": "fc1", "forward_seconds": 0.002, "backward_seconds": 0.004,
    "variables": [{"name": "fc1/kernel", "shape": [400, 100], "dtype": "float16", "sparse": true}]},
   {"name": "skip", "forward_seconds": 1e-3, "backward_seconds": 0, "parents": ["conv0", 1]}]})";

/// `smallest` with one piece of text, which must occur, replaced.
std::string with(const std::string &from, const std::string &to) {
    std::string text = smallest;
    const std::size_t at = text.find(from);
    Q_ASSERT(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

void compareJobs(const Job &a, const Job &b) {
    QCOMPARE(a.name, b.name);
    QCOMPARE(a.batchSize, b.batchSize);
    QCOMPARE(a.batchStated, b.batchStated);
    QVERIFY(a.layers == b.layers);
    QVERIFY(a.variables == b.variables);
    QCOMPARE(a.updateSeconds, b.updateSeconds);
    QCOMPARE(a.updateHostSeconds, b.updateHostSeconds);
    QCOMPARE(a.hostSecondsPerByteBeforeSend, b.hostSecondsPerByteBeforeSend);
    QCOMPARE(a.hostSecondsPerByteAfterReceive, b.hostSecondsPerByteAfterReceive);
    QCOMPARE(a.encodeSecondsPerByte, b.encodeSecondsPerByte);
    QCOMPARE(a.decodeSecondsPerByte, b.decodeSecondsPerByte);
    QCOMPARE(a.compressionRatio, b.compressionRatio);
    QVERIFY(a.notes == b.notes);
}

} // namespace

class TestJobFile : public QObject {
    Q_OBJECT
private slots:
    void readsTheSmallest();
    void defaults();
    void roundTrip();
    void namesAreOneLine();
    void repeatedLayerNames();
    void sumsStopAtTheLargestNumber();
    void aByteOrderMarkIsLeftOut();
    void ignoredKeysAreOneLine();
    void batchIsStatedOrNotKnown();
    void aStatedBatchIsAFactOfItsOwn();
    void olderFilesSayItByTheirNote();
    void refuses_data();
    void refuses();
    void unknownKeysAreNoted();
    void truncationsNeverPass();
    void deepNesting();
    void damagedFiles();
    void missingFile();
    void validation();
    void dataTypes();
};

void TestJobFile::readsTheSmallest() {
    const auto job = readJobText(smallest);
    QVERIFY2(job.has_value(), job ? "" : job.error().toString().c_str());
    QCOMPARE(job->name, std::string("fcnet"));
    QCOMPARE(job->batchSize, 32.0);
    QCOMPARE(job->layers.size(), std::size_t{3});
    QVERIFY(job->layers[0].parents.empty());
    QVERIFY(job->layers[1].parents == std::vector<std::int32_t>{0});
    QVERIFY((job->layers[2].parents == std::vector<std::int32_t>{0, 1}));
    QCOMPARE(job->layers[1].backwardSeconds, 0.004);
    QCOMPARE(job->variables[1].sizeBytes(), std::int64_t{80000});
    QVERIFY(job->variables[1].sparse);
    QCOMPARE(job->parameterCount(), std::int64_t{80000});
    QCOMPARE(job->parameterBytes(), std::int64_t{240000});
    QCOMPARE(job->forwardSeconds(), 0.007);
    QCOMPARE(job->backwardSeconds(), 0.012);
    QVERIFY(job->notes.empty());
}

void TestJobFile::defaults() {
    const auto job = readJobText(R"({"name":"j","layers":[{"name":"a","forward_seconds":0,"backward_seconds":1,
        "variables":[{"name":"s","shape":[]}]}]})");
    QVERIFY2(job.has_value(), job ? "" : job.error().toString().c_str());
    QVERIFY(!statesBatch(*job));
    QCOMPARE(countOfStep(*job), 1.0);
    QCOMPARE(job->variables[0].elementCount(), std::int64_t{1});
    QCOMPARE(job->variables[0].dtype, DataType::Float32);
    QVERIFY(!job->variables[0].sparse);
}

void TestJobFile::roundTrip() {
    Job job;
    job.name = "\"quoted\" \\ \u00fc";
    job.batchSize = 0.1;
    job.updateSeconds = 1.0 / 3;
    job.updateHostSeconds = 1.0 / 7;
    job.hostSecondsPerByteBeforeSend = 1.25e-10;
    job.hostSecondsPerByteAfterReceive = 7e-11;
    job.encodeSecondsPerByte = 3e-12;
    job.decodeSecondsPerByte = 1e-12;
    job.compressionRatio = 0.01;
    job.notes = {"one", "two\nlines"};
    job.variables = {{"z", {2, 3}, DataType::BFloat16, false, true},
                     {"y", {}, DataType::Int64, true, false, 0.5},
                     {"x", {1000000}, DataType::Float64, false, false}};
    job.layers = {{"a", 0.1, 0.2, {}, {2}}, {"b", 1e-9, 0, {}, {}}, {"c", 5, 1.0 / 7, {0, 1}, {1, 0}}};
    const std::string text = writeJobText(job);
    const auto read = readJobText(text);
    QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
    compareJobs(*read, job);
    QVERIFY(text.find("variable_order") != std::string::npos);
    QCOMPARE(writeJobText(*read), text);
}

/// Line breaks and escape sequences in names are displayed, not executed, and references to renamed items stay consistent.
void TestJobFile::namesAreOneLine() {
    const auto job = readJobText(R"({"name":"a\nb\u001b[2J","variable_order":["w\tw"],"layers":[
        {"name":"x\ny","forward_seconds":1,"backward_seconds":1,"variables":[{"name":"w\tw","shape":[1]}]},
        {"name":"z","forward_seconds":1,"backward_seconds":1,"parents":["x\ny"]}]})");
    QVERIFY2(job.has_value(), job ? "" : job.error().toString().c_str());
    QCOMPARE(job->name, std::string("a\\nb\\x1b[2J"));
    QCOMPARE(job->layers[0].name, std::string("x\\ny"));
    QCOMPARE(job->variables[0].name, std::string("w\\tw"));
    compareJobs(readJobText(writeJobText(*job)).value(), *job);
}

void TestJobFile::batchIsStatedOrNotKnown() {
    const auto bare = readJobText(with(R"("batch_size": 32, )", ""));
    QVERIFY2(bare.has_value(), bare ? "" : bare.error().toString().c_str());
    QVERIFY(!statesBatch(*bare));
    const std::string text = writeJobText(*bare);
    QVERIFY2(text.find("batch_size") == std::string::npos, text.c_str());
    compareJobs(readJobText(text).value(), *bare);
    const auto stated = withBatch(*bare, 16);
    QVERIFY(stated.has_value());
    QCOMPARE(stated->batchSize, 16.0);
    QCOMPARE(stated->notes, std::vector<std::string>{"Stated: batch 16."});
    QVERIFY(stated->layers == bare->layers);
    compareJobs(readJobText(writeJobText(*stated)).value(), *stated);
    QCOMPARE(withBatch(*readJobText(smallest), 16)->notes, std::vector<std::string>{"Stated: batch 16, instead of 32."});
    QVERIFY(withBatch(*readJobText(smallest), 32)->notes.empty());
    // A batch stated by the user can be changed or taken back, also in a file written since; a file's own cannot.
    const Job again = readJobText(writeJobText(*stated)).value();
    QVERIFY(stated->batchStated && again.batchStated);
    compareJobs(withoutStatedBatch(again), *bare);
    for (const Job &other : {*bare, *readJobText(smallest), *withBatch(*readJobText(smallest), 16)}) {
        QVERIFY(!other.batchStated);
        compareJobs(withoutStatedBatch(other), other);
    }
    for (const double bad : {0.0, -1.0, 2e12, std::nan("")})
        QVERIFY(!withBatch(*bare, bad));
}

/// Notes do not decide whether the batch is stated, regardless of their text.
void TestJobFile::aStatedBatchIsAFactOfItsOwn() {
    const auto stated = readJobText(with(R"("batch_size": 32, )", R"("batch_size": 16, "batch_stated": true, )"));
    QVERIFY2(stated.has_value(), stated ? "" : stated.error().toString().c_str());
    QVERIFY(stated->batchStated && stated->notes.empty());
    QCOMPARE(withoutStatedBatch(*stated).batchSize, 0.0);
    compareJobs(readJobText(writeJobText(*stated)).value(), *stated);
    // A file that says its batch keeps it, also under a note that looks like the other kind's.
    const auto own = readJobText(
        with(R"("batch_size": 32, )", R"("batch_size": 16, "batch_stated": false, "notes": ["Stated: batch 16."], )"));
    QVERIFY2(own.has_value(), own ? "" : own.error().toString().c_str());
    QVERIFY(!own->batchStated);
    compareJobs(withoutStatedBatch(*own), *own);
    compareJobs(readJobText(writeJobText(*own)).value(), *own);
    // Stated once more it is still stated, and one note says so.
    const auto again = withBatch(*withBatch(*stated, 8), 4);
    QVERIFY(again->batchStated);
    QCOMPARE(again->notes, std::vector<std::string>{"Stated: batch 4."});
    QVERIFY(!withBatch(*readJobText(smallest), 16)->batchStated);
    for (const char *bad : {R"("batch_stated": true, )", R"("batch_size": 16, "batch_stated": 1, )"}) {
        const auto refused = readJobText(with(R"("batch_size": 32, )", bad));
        QVERIFY2(!refused, bad);
        QCOMPARE(refused.error().place, std::string("batch_stated"));
        QVERIFY(!refused.error().remedy.empty());
    }
}

/// A file written before the key batch_stated keeps its meaning.
void TestJobFile::olderFilesSayItByTheirNote() {
    const auto older = [](const char *notes) {
        return readJobText(with(R"("batch_size": 32, )", std::string(R"("batch_size": 32, "notes": [)") + notes + "], ")).value();
    };
    QVERIFY(older(R"("Measured: by hand.", "Stated: batch 32.")").batchStated);
    QVERIFY(!older(R"("Stated: batch 16.")").batchStated); // of another one
    QVERIFY(!older(R"("Stated: batch 32, instead of 8.")").batchStated);
    QVERIFY(!readJobText(smallest)->batchStated);
}

/// Editors and shells of Windows write it.
void TestJobFile::aByteOrderMarkIsLeftOut() {
    const std::string mark = "\xef\xbb\xbf";
    const auto job = readJobText(mark + smallest);
    QVERIFY2(job.has_value(), job ? "" : job.error().toString().c_str());
    compareJobs(*job, *readJobText(smallest));
    const std::string damaged = with("32", "32x");
    const auto plain = readJobText(damaged), marked = readJobText(mark + damaged);
    QVERIFY(!plain && !marked);
    const auto byteOf = [](const Error &error) { return QString::fromStdString(error.place).remove("byte ").toInt(); };
    QCOMPARE(byteOf(marked.error()), byteOf(plain.error()) + 3);
    const auto nothing = readJobText(mark);
    QVERIFY(!nothing && nothing.error().what == "the file is empty");
}

/// A key that is not known is named in a note: whole characters of it, on one line.
void TestJobFile::ignoredKeysAreOneLine() {
    const auto job =
        readJobText(with("\"name\": \"fcnet\"", "\"" + std::string(199, 'a') + "\xc3\xa9\\nb\": 1, \"name\": \"fcnet\""));
    QVERIFY(job && job->notes.size() == 1);
    QVERIFY2(isValidUtf8(job->notes.front()), job->notes.front().c_str());
    const auto line = readJobText(with("\"name\": \"fcnet\"", "\"a\\nb\": 1, \"name\": \"fcnet\""));
    QVERIFY(line && line->notes.size() == 1);
    QVERIFY2(line->notes.front().find('\n') == std::string::npos, line->notes.front().c_str());
}

/// Readers state the sizes of a file's variables before these are checked.
void TestJobFile::sumsStopAtTheLargestNumber() {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    Job job;
    for (const char *name : {"a", "b"})
        job.variables.push_back({.name = name, .shape = {largest}});
    QCOMPARE(job.variables[0].sizeBytes(), largest);
    QCOMPARE(job.parameterCount(), largest);
    QCOMPARE(job.parameterBytes(), largest);
}

void TestJobFile::repeatedLayerNames() {
    Job job;
    job.layers = {{"conv", 1, 1, {}, {}}, {"conv", 1, 1, {0}, {}}, {"add", 1, 1, {0, 1}, {}}};
    const auto read = readJobText(writeJobText(job));
    QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
    compareJobs(*read, job);
    const auto byName = readJobText(R"({"name":"j","layers":[{"name":"a","forward_seconds":0,"backward_seconds":0},
        {"name":"a","forward_seconds":0,"backward_seconds":0},
        {"name":"b","forward_seconds":0,"backward_seconds":0,"parents":["a"]}]})");
    QVERIFY(!byName);
    QCOMPARE(byName.error().place, std::string("layers[2].parents[0]"));
}

void TestJobFile::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    const auto row = [](const char *name, const std::string &text, const char *place) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QString(place);
    };
    row("empty", "", "byte 0");
    row("blank", "  \n ", "byte 0");
    row("not an object", "[1, 2]", "byte 0");
    row("trailing text", smallest + " x", "byte *");
    row("missing comma", with(", \"batch_size\"", " \"batch_size\""), "byte 17");
    row("NaN", with("0.004", "NaN"), "byte *");
    row("infinite", with("0.004", "1e999"), "byte *");
    row("not UTF-8", with("fcnet", "fc\xc3\xa4\xff"), "byte 14");
    row("line break in a name", with("fcnet", "fc\nnet"), "byte 12");
    row("open string", "{\"name", "byte 6");
    row("unclosed", smallest.substr(0, smallest.size() - 1), "byte *");
    row("negative", with("0.004", "-1"), "layers[0].forward_seconds");
    row("huge", with("0.008", "1e300"), "layers[0].backward_seconds");
    row("time is a text", with("0.004", "\"4ms\""), "layers[0].forward_seconds");
    row("null", with("0.004", "null"), "layers[0].forward_seconds");
    row("no time", with("\"forward_seconds\": 0.004, ", ""), "layers[0].forward_seconds");
    row("no name", with("\"name\": \"fcnet\", ", ""), "name");
    row("no layers", R"({"name": "x"})", "layers");
    row("layers are none", R"({"name": "x", "layers": []})", "layers");
    row("layers are a map", R"({"name": "x", "layers": {}})", "layers");
    row("layer is a number", R"({"name": "x", "layers": [3]})", "layers[0]");
    row("batch zero", with("32", "0"), "batch_size");
    row("batch negative", with("32", "-4"), "batch_size");
    row("duplicate variable", with("fc1/kernel", "conv0/kernel"), "layers[1].variables[0].name");
    row("no variable name", with("fc1/kernel", ""), "layers[1].variables[0].name");
    row("duplicate key", with("\"batch_size\": 32", "\"batch_size\": 32, \"batch_size\": 32"), "batch_size");
    row("unknown parent", with("[\"conv0\", 1]", "[\"conv9\"]"), "layers[2].parents[0]");
    row("itself as parent", with("[\"conv0\", 1]", "[0, 2]"), "layers[2].parents[1]");
    row("negative parent", with("[\"conv0\", 1]", "[-1]"), "layers[2].parents[0]");
    row("parent is a list", with("[\"conv0\", 1]", "[[]]"), "layers[2].parents[0]");
    row("dimension zero", with("[400, 100]", "[400, 0]"), "layers[1].variables[0].shape[1]");
    row("dimension negative", with("[400, 100]", "[-400, 100]"), "layers[1].variables[0].shape[0]");
    row("dimension fractional", with("[400, 100]", "[4.5]"), "layers[1].variables[0].shape[0]");
    row("shape too big", with("[400, 100]", "[4000000000, 4000000000, 4000000000]"), "variables[1]");
    row("shape is a number", with("[400, 100]", "400"), "layers[1].variables[0].shape");
    row("unknown dtype", with("float16", "float17"), "layers[1].variables[0].dtype");
    row("sparse is a number", with("true", "1"), "layers[1].variables[0].sparse");
    row("order incomplete", with("\"batch_size\": 32", "\"variable_order\": [\"fc1/kernel\"]"), "variable_order");
    row("order unknown", with("\"batch_size\": 32", "\"variable_order\": [\"fc\"]"), "variable_order[0]");
    row("order repeats", with("\"batch_size\": 32", "\"variable_order\": [\"fc1/kernel\", \"fc1/kernel\"]"), "variable_order[1]");
}

void TestJobFile::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QString, place);
    const auto job = readJobText(text.toStdString(), "job.json");
    QVERIFY(!job);
    const Error &error = job.error();
    QCOMPARE(error.file, std::string("job.json"));
    QVERIFY(!error.what.empty());
    QVERIFY(!error.remedy.empty());
    if (place.endsWith('*'))
        QVERIFY2(error.place.starts_with("byte "), error.toString().c_str());
    else
        QCOMPARE(QString::fromStdString(error.place), place);
}

void TestJobFile::unknownKeysAreNoted() {
    const auto job = readJobText(with("\"parents\"", "\"parent\""));
    QVERIFY(job.has_value());
    QCOMPARE(job->notes.size(), std::size_t{1});
    QVERIFY(job->notes[0].find("layers[2].parent ") != std::string::npos);
}

void TestJobFile::truncationsNeverPass() {
    for (std::size_t length = 0; length < smallest.size(); ++length) {
        const auto job = readJobText(std::string_view(smallest).substr(0, length));
        QVERIFY(!job);
        QVERIFY2(job.error().place.starts_with("byte "), job.error().toString().c_str());
    }
}

void TestJobFile::deepNesting() {
    const auto job = readJobText(std::string(100000, '['));
    QVERIFY(!job);
    const auto closed = readJobText("{\"name\":" + std::string(5000, '[') + std::string(5000, ']') + "}");
    QVERIFY(!closed);
    QVERIFY(closed.error().what.find("nested") != std::string::npos);
}

void TestJobFile::damagedFiles() {
    const QDir folder(QStringLiteral(SYNCOPATE_SOURCE "/tests/damaged/job"));
    const auto files = folder.entryInfoList(QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const auto &file : files) {
        const std::string path = file.absoluteFilePath().toStdString();
        const auto job = readJobFile(path);
        QVERIFY2(!job, path.c_str());
        QCOMPARE(job.error().file, path);
        QVERIFY(!job.error().what.empty());
    }
}

void TestJobFile::missingFile() {
    QVERIFY(!readJobFile("/nowhere/at/all.json"));
    QVERIFY(!readJobFile(SYNCOPATE_SOURCE)); // a folder
}

void TestJobFile::validation() {
    Job good;
    good.variables = {{"v", {2}, DataType::Float32, false, false}};
    good.layers = {{"a", 1, 1, {}, {0}}};
    QVERIFY(validateJob(good).has_value());
    Job job = good;
    job.layers[0].variables.clear();
    QVERIFY(!validateJob(job)); // v has no owner
    job = good;
    job.layers.push_back({"b", 1, 1, {0}, {0}});
    QVERIFY(!validateJob(job)); // v has two owners
    job = good;
    job.layers[0].variables = {1};
    QVERIFY(!validateJob(job));
    job = good;
    job.layers[0].parents = {0};
    QVERIFY(!validateJob(job));
    job = good;
    job.layers[0].forwardSeconds = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!validateJob(job));
    job = good;
    job.updateSeconds = -1;
    QVERIFY(!validateJob(job));
    job = good;
    job.compressionRatio = 1.5;
    QVERIFY(!validateJob(job));
    job = good;
    job.encodeSecondsPerByte = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!validateJob(job));
    job = good;
    job.variables[0].rowsTouched = -1;
    QVERIFY(!validateJob(job));
    job = good;
    job.hostSecondsPerByteBeforeSend = std::numeric_limits<double>::infinity();
    QVERIFY(!validateJob(job));
    QVERIFY(!validateJob(Job{}));
}

void TestJobFile::dataTypes() {
    QCOMPARE(*dataTypeFromName("torch.bfloat16"), DataType::BFloat16);
    QCOMPARE(*dataTypeFromName("c10::Half"), DataType::Float16);
    QCOMPARE(*dataTypeFromName("float"), DataType::Float32);
    QCOMPARE(*dataTypeFromName("double"), DataType::Float64);
    QCOMPARE(*dataTypeFromName("long"), DataType::Int64);
    QVERIFY(!dataTypeFromName("quaternion"));
    for (const DataType type : {DataType::Float16, DataType::BFloat16, DataType::Float32, DataType::Float64, DataType::Int8,
                                DataType::Int16, DataType::Int32, DataType::Int64, DataType::Bool})
        QCOMPARE(*dataTypeFromName(nameOf(type)), type);
    QCOMPARE(sizeOf(DataType::Float64), std::int64_t{8});
}

QTEST_GUILESS_MAIN(TestJobFile)
#include "tst_job_file.moc"
