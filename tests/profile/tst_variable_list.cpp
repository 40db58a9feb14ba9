// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/profile/rank_traces.h"
#include "tests/profile/tiny_timeline.h"

#include "engine/job/job_file.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/profile/variables/variable_list.h"
#include "engine/profile/variables/variable_list_rules.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("model_vars/");

using Shape = std::vector<std::int64_t>;

std::int64_t elementsOf(const std::vector<Variable> &variables) {
    std::int64_t sum = 0;
    for (const Variable &variable : variables)
        sum += variable.elementCount();
    return sum;
}

VariableList listOf(const std::vector<std::pair<const char *, Shape>> &variables) {
    VariableList list;
    list.file = "list.json";
    list.format = "list of tensors";
    for (const auto &[name, shape] : variables) {
        list.variables.emplace_back();
        list.variables.back().name = name;
        list.variables.back().shape = shape;
    }
    return list;
}

std::string safetensors(const std::string &header) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
    return bytes + header;
}

constexpr auto &field = testing::protobufField;
std::string number(int field, int value) { return std::string(1, static_cast<char>(field << 3)) + static_cast<char>(value); }

/// A table of one block in LevelDB's format, uncompressed, without prefix compression of keys.
std::string table(const std::vector<std::pair<std::string, std::string>> &entries) {
    const auto block = [](const std::vector<std::pair<std::string, std::string>> &all) {
        std::string text;
        for (const auto &[key, value] : all) {
            text += '\0';
            text += static_cast<char>(key.size());
            text += static_cast<char>(value.size());
            text += key + value;
        }
        return text + std::string("\0\0\0\0\1\0\0\0", 8);
    };
    const std::string data = block(entries);
    const std::string index = block({{"z", std::string(1, '\0') + static_cast<char>(data.size())}});
    const std::string footer = std::string("\0\0", 2) + static_cast<char>(data.size() + 5) + static_cast<char>(index.size());
    return data + std::string(5, '\0') + index + std::string(5, '\0') + footer + std::string(40 - footer.size(), '\0') +
           "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
}

std::string varint(std::size_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>((value & 0x7f) | 0x80);
    return bytes + static_cast<char>(value);
}

/// A table of one block, of `entries` scalars with the same name of `nameBytes`: each but the first only refers to the one
/// before.
std::string tableOfOneName(std::size_t nameBytes, std::size_t entries) {
    const std::string restarts("\0\0\0\0\1\0\0\0", 8), unpacked(5, '\0'), value = number(1, 1);
    std::string data = '\0' + varint(nameBytes) + varint(value.size()) + std::string(nameBytes, 'a') + value;
    for (std::size_t e = 1; e < entries; ++e)
        data += varint(nameBytes) + '\0' + varint(value.size()) + value;
    data += restarts;
    const std::string place = '\0' + varint(data.size());
    const std::string index = std::string("\0\1", 2) + varint(place.size()) + 'z' + place + restarts;
    std::string footer = std::string("\0\0", 2) + varint(data.size() + unpacked.size()) + varint(index.size());
    footer.resize(40);
    return data + unpacked + index + unpacked + footer + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
}

Result<std::shared_ptr<const ImportedProfile>> timeline() {
    const std::string text = tiny::timeline();
    const auto source = ByteSource::fromMemory(text);
    const auto graph = readTensorFlowTimeline(*source, "tiny.json");
    return importOpGraphs({*graph}, "tiny.json");
}

/// Two ranks without shapes and sizes of collectives.
Result<std::shared_ptr<const ImportedProfile>> sizelessRanks() {
    QTemporaryDir folder;
    for (int number = 0; number < 2; ++number) {
        ranks::Rank rank;
        rank.rank = number;
        std::string trace = ranks::trace(rank);
        for (const char *key : {"Input Dims", "In msg nelems", "Out msg nelems"})
            trace = tiny::replaced(trace, key, "left out");
        ranks::write(folder.filePath(QString("trace_%1.json").arg(number)), trace);
    }
    return importProfile(folder.path().toStdString());
}

} // namespace

class TestVariableList : public QObject {
    Q_OBJECT

private slots:
    /// Counts made independently; the statistics of normalisations are not variables.
    void onnxModels_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("tensors");
        QTest::addColumn<qint64>("elements");
        QTest::addColumn<qint64>("trained");
        QTest::newRow("resnet50") << "light_resnet50" << 268 << qint64{25610153} << qint64{25557032};
        QTest::newRow("vgg19") << "light_vgg19" << 38 << qint64{143667240} << qint64{143667240};
        QTest::newRow("alexnet") << "light_bvlc_alexnet" << 16 << qint64{60965224} << qint64{60965224};
        QTest::newRow("squeezenet") << "light_squeezenet" << 52 << qint64{1235496} << qint64{1235496};
    }
    void onnxModels() {
        REQUIRE_FOREIGN_TRACE("model_vars");
        QFETCH(QString, file);
        QFETCH(int, tensors);
        QFETCH(qint64, elements);
        QFETCH(qint64, trained);
        const auto list = readVariableList(traces + "onnx/" + file.toStdString() + ".onnx");
        VERIFY_VALUE(list);
        std::vector<Variable> real = list->variables;
        for (const Variable &variable : list->leftOut) {
            if (variable.dtype == DataType::Float32)
                real.push_back(variable);
        }
        QCOMPARE(static_cast<int>(real.size()), tensors);
        QCOMPARE(qint64{elementsOf(real)}, elements);
        QCOMPARE(qint64{elementsOf(list->variables)}, trained);
        const Variable *largest = &list->variables.front();
        for (const Variable &variable : list->variables)
            largest = variable.elementCount() > largest->elementCount() ? &variable : largest;
        if (file == "light_vgg19") {
            QCOMPARE(largest->name, std::string("fc6_w_0"));
            QVERIFY((largest->shape == Shape{4096, 25088}));
            QCOMPARE(list->variables.front().name, std::string("conv1_1_w_0"));
        }
    }

    void otherRealLists() {
        REQUIRE_FOREIGN_TRACE("model_vars");
        const auto toy = readVariableList(traces + "tensor_list/dsv3-toy.model.json");
        VERIFY_VALUE(toy);
        QCOMPARE(toy->variables.size() + toy->leftOut.size(), std::size_t{1546});
        QCOMPARE(elementsOf(toy->variables) + elementsOf(toy->leftOut), std::int64_t{11320869760});
        QVERIFY((toy->variables.front().shape == Shape{7168} && toy->variables.front().dtype == DataType::BFloat16));
        const auto codes = readVariableList(traces + "safetensors/jfk-codes.safetensors");
        VERIFY_VALUE(codes);
        QVERIFY(codes->variables.empty()); // integers
        QCOMPARE(codes->leftOut.size(), std::size_t{1});
        QVERIFY((codes->leftOut.front().shape == Shape{1, 2, 828} && codes->leftOut.front().dtype == DataType::Int64));
        const auto index = readVariableList(traces + "tf_ckpt/half_plus_two_cpu.index"); // compressed with Snappy
        VERIFY_VALUE(index);
        const char *const names[] = {"a", "a2", "b", "c", "c2"};
        QCOMPARE(index->variables.size(), std::size_t{5});
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(index->variables[i].name, std::string(names[i]));
            QVERIFY(index->variables[i].shape.empty() && index->variables[i].dtype == DataType::Float32);
        }
    }

    /// A project names files by their absolute paths, but jobs of the catalogue by their names, which loadJob() prefers.
    void projectsNameJobsForGood() {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()) && QDir().mkdir(QStringLiteral("vgg16")) &&
                QDir().mkdir(QStringLiteral("ranks")));
        const std::string vgg = lastingJobName("vgg16"), ranks = lastingJobName("./ranks"), none = lastingJobName("none.json");
        const QString here = QDir::currentPath(); // without symbolic links
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(vgg, std::string("vgg16"));
        QCOMPARE(QString::fromStdString(ranks), here + QStringLiteral("/ranks"));
        QCOMPARE(none, std::string("none.json"));
    }

    void handMadeLists() {
        const auto tensors = readSafetensors(
            *ByteSource::fromMemory(safetensors(
                R"({"__metadata__": {"format": "pt"}, "bn.running_mean": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]},)"
                R"("fc.weight": {"dtype": "BF16", "shape": [4, 2], "data_offsets": [16, 32]}, "s": {"dtype": "F16", "shape": [], "data_offsets": [32, 34]}})")),
            0);
        VERIFY_VALUE(tensors);
        QCOMPARE(tensors->variables.size(), std::size_t{2});
        QCOMPARE(tensors->leftOut.front().name, std::string("bn.running_mean"));
        QVERIFY(tensors->variables[0].dtype == DataType::BFloat16 && tensors->variables[0].elementCount() == 8);
        QCOMPARE(tensors->variables[1].elementCount(), std::int64_t{1});
        for (const char *untrained :
             {"model.layers.0.self_attn.rotary_emb.inv_freq", "beta1_power_1", "w/Adam_2", "step/global_step"})
            QVERIFY2(!isTrainable(untrained), untrained);
        for (const char *trained : {"layer_1", "conv/kernel_2", "12", "block_3/bias"})
            QVERIFY2(isTrainable(trained), trained);
        // BundleEntryProto: float, 3 x 5; a slot of the optimizer; the bundle's header.
        const std::string shape = field(2, field(2, number(1, 3)) + field(2, number(1, 5)));
        const std::string bytes =
            table({{"", "x"}, {"conv/kernel", number(1, 1) + shape}, {"conv/kernel/Adam", number(1, 1) + shape}});
        const auto checkpoint = readCheckpointIndex(bytes);
        VERIFY_VALUE(checkpoint);
        QCOMPARE(checkpoint->variables.size(), std::size_t{1});
        QVERIFY((checkpoint->variables[0].name == "conv/kernel" && checkpoint->variables[0].shape == Shape{3, 5}));
        QCOMPARE(checkpoint->leftOut.size(), std::size_t{1});
        const std::string slice("\0\1w\0\1-", 6); // of a partitioned variable: "w" has all of it
        const auto partitioned =
            readCheckpointIndex(table({{"", "x"}, {slice, number(1, 1) + shape}, {"w", number(1, 1) + shape}}));
        VERIFY_VALUE(partitioned);
        QCOMPARE(partitioned->variables.size(), std::size_t{1});
        QCOMPARE(partitioned->variables[0].name, std::string("w"));
        QCOMPARE(partitioned->leftOut.size(), std::size_t{0});
        for (std::size_t at = 0; at < bytes.size(); ++at) { // damaged anywhere, it is an error or another list, never a crash
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
            const auto read = readCheckpointIndex(damaged);
            QVERIFY(read || !read.error().what.empty());
            QVERIFY(!readCheckpointIndex(bytes.substr(0, at)));
        }
        // ModelProto { ir_version 7, graph { initializer { dims 2, 3; float; "w"; raw data }, initializer { dims 4 packed; int64
        // } } }
        const std::string weights =
            field(5, number(1, 2) + number(1, 3) + number(2, 1) + field(8, "w") + field(9, std::string(24, 'x')));
        const std::string model = number(1, 7) + field(7, weights + field(5, field(1, "\x04") + number(2, 7) + field(8, "n")));
        const auto onnx = readOnnx(*ByteSource::fromMemory(model));
        VERIFY_VALUE(onnx);
        QVERIFY((onnx->variables.size() == 1 && onnx->variables[0].shape == Shape{2, 3}));
        QCOMPARE(onnx->leftOut.size(), std::size_t{1});
        for (std::size_t length = 3; length < model.size(); ++length)
            QVERIFY(!readOnnx(*ByteSource::fromMemory(std::string_view(model).substr(0, length))));
    }

    void damagedTensorsAreNamed_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("problem");
        QTest::newRow("fraction") << R"("shape": [2.7, 3])"
                                  << "tensor 'w' has no valid shape";
        QTest::newRow("text") << R"("shape": ["3"])"
                              << "tensor 'w' has no valid shape";
        QTest::newRow("negative") << R"("shape": [-3])"
                                  << "tensor 'w' has no valid shape";
        QTest::newRow("offsets") << R"("shape": [2], "data_offsets": [-1, 8])"
                                 << "tensor 'w' has no valid data_offsets";
        QTest::newRow("no colon") << R"("shape" [2])"
                                  << "expected ':' after a key; write the file again";
    }
    void damagedTensorsAreNamed() {
        QFETCH(QString, tensor);
        QFETCH(QString, problem);
        QTemporaryDir folder;
        const QString path = folder.filePath("w.json");
        testing::writeFile(path, R"({"w": {"dtype": "F32", )" + tensor.toStdString() + "}}");
        const auto list = readVariableList(path.toStdString());
        QVERIFY(!list);
        QVERIFY2(QString::fromStdString(list.error().toString()).contains(problem), list.error().toString().c_str());
    }

    /// Hugging Face's model.safetensors.index.json names the files of tensors, not their shapes.
    void anIndexHasNoShapes() {
        const auto index = readTensorList(R"({"metadata": {"total_size": 10}, "weight_map": {"a": "model-1.safetensors"}})");
        QVERIFY(!index);
        QVERIFY2(index.error().what.find("this index names the tensors but has no shapes") != std::string::npos,
                 index.error().toString().c_str());
    }

    /// Only outermost "layers" make a file a job file, not those among a list's names or metadata.
    void layersInAListMakeNoJob() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("list.json").toStdString();
        testing::writeFile(folder.filePath("list.json"),
                           R"({"__metadata__": {"layers": "12"}, "a": {"shape": [3], "dtype": "F32"}})");
        const auto list = readVariableList(path);
        VERIFY_VALUE(list);
        QCOMPARE(list->format, std::string("list of tensors"));
        QCOMPARE(list->variables.size(), std::size_t{1});
    }

    void matchedByName() {
        const auto profile = timeline();
        VERIFY_VALUE(profile);
        const auto sized = withVariables(**profile, listOf({{"b:0", {10, 30}}, {"other", {7}}, {"a", {100}}}));
        VERIFY_VALUE(sized);
        const Job &job = (*sized)->job;
        QVERIFY(job.layers[0].variables == std::vector<std::int32_t>{0} &&
                job.layers[1].variables == std::vector<std::int32_t>{1});
        QVERIFY(job.variables[0].name == "a" && job.variables[0].elementCount() == 100);
        QVERIFY((job.variables[1].name == "b" && job.variables[1].shape == Shape{10, 30}));
        QVERIFY((*sized)->unsized.empty());
        QVERIFY(QString::fromStdString((*sized)->inferred.back()).contains("1 of the list are not in the profile"));
        const auto part = withVariables(**profile, listOf({{"b", {3}}}));
        VERIFY_VALUE(part);
        QCOMPARE((*part)->unsized.size(), std::size_t{1});
        QCOMPARE((*part)->unsized[0].name, std::string("a"));
        const auto none = withVariables(**profile, listOf({{"x", {3}}}));
        QVERIFY(!none && !none.error().remedy.empty() && none.error().file == "list.json");
    }

    /// The trace has shapes [2, 3, 1, 1] and [2].
    void matchedByShape() {
        const auto profile = tiny::import(tiny::trace());
        VERIFY_VALUE(profile);
        const auto named = withVariables(**profile, listOf({{"features.0.weight", {2, 3, 1, 1}}, {"features.1.weight", {2}}}));
        VERIFY_VALUE(named);
        QCOMPARE((*named)->job.variables[0].name, std::string("features.0.weight"));
        QCOMPARE((*named)->job.variables[1].name, std::string("features.1.weight"));
        QVERIFY(!withVariables(**profile, listOf({{"w", {5}}})));
    }

    /// Without shapes the trace has buckets of 6 and 2 elements.
    void matchedByBuckets() {
        tiny::Spelling s;
        s.shapes = false;
        const auto profile = tiny::import(tiny::trace(s));
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.variables.front().name.substr(0, 6), std::string("bucket"));
        const auto filled = withVariables(**profile, listOf({{"conv.weight", {4}}, {"conv.bias", {2}}, {"norm.weight", {2}}}));
        VERIFY_VALUE(filled);
        QCOMPARE((*filled)->job.variables.size(), std::size_t{3});
        QCOMPARE((*filled)->job.layers[0].variables.size(), std::size_t{2});
        QVERIFY(!withVariables(**profile, listOf({{"a", {5}}, {"b", {3}}})));
        QVERIFY(!withVariables(**profile, listOf({{"a", {6}}, {"b", {2}}, {"c", {1}}})));
        QVERIFY((*profile)->isBucketed && !(*filled)->isBucketed);
        // Modulo 2^64, 1 + 2 (2^63 - 1) + 7 is 6, and 6 the first bucket.
        constexpr std::int64_t large = std::int64_t{1} << 62;
        const auto huge =
            withVariables(**profile, listOf({{"a", {1}}, {"b", {large, 4}}, {"c", {large, 4}}, {"d", {7}}, {"e", {2}}}));
        QVERIFY(!huge);
        QVERIFY2(huge.error().what.find("do not fill") != std::string::npos, huge.error().toString().c_str());
    }

    /// Variables of a model that are called buckets are matched by their shapes; buckets are buckets under any name.
    void namesDoNotMakeBuckets() {
        tiny::Spelling s;
        s.shapes = false;
        ImportedProfile renamed = **tiny::import(tiny::trace(s));
        ImportedProfile shaped = renamed;
        for (std::size_t v = 0; v < renamed.job.variables.size(); ++v)
            renamed.job.variables[v].name = "w" + std::to_string(v);
        const VariableList parts = listOf({{"conv.weight", {3}}, {"conv.bias", {3}}, {"norm.weight", {1}}, {"norm.bias", {1}}});
        VERIFY_VALUE(withVariables(renamed, parts));
        shaped.isBucketed = false;
        QVERIFY(!withVariables(shaped, parts));
        VERIFY_VALUE(withVariables(shaped, listOf({{"a", {6}}, {"b", {2}}})));
    }

    /// A real trace without shapes and the same model's ONNX file from another source: five buckets, 161 variables.
    void realBuckets() {
        REQUIRE_FOREIGN_TRACE("model_vars");
        ImportOptions options;
        options.variables = traces + "onnx/light_resnet50.onnx";
        const auto profile = importProfile(testing::foreignTrace("kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz"), options);
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.variables.size(), std::size_t{161});
        QCOMPARE((*profile)->job.parameterCount(), std::int64_t{25557032});
        QVERIFY((*profile)->job.variables.front().shape == (Shape{64, 3, 7, 7}));
        options.variables = traces + "onnx/light_squeezenet.onnx";
        QVERIFY(!importProfile(testing::foreignTrace("kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz"), options));
    }

    /// Neither shapes nor sizes: modules are matched to layers.
    void matchedByModules() {
        ImportedProfile profile;
        profile.job.layers = {{"conv2d_1", 1, 1, {}, {}}, {"batch_norm_1", 1, 1, {0}, {}}, {"relu_1", 1, 1, {1}, {}}};
        const VariableList list = listOf({{"features.0.weight", {3}}, {"features.0.bias", {1}}, {"features.1.weight", {2}}});
        const auto paired = withVariables(profile, list);
        VERIFY_VALUE(paired);
        QCOMPARE((*paired)->job.layers[0].variables.size(), std::size_t{2});
        QCOMPARE((*paired)->job.layers[1].variables.size(), std::size_t{1});
        VariableList sorted = list;
        sorted.sorted = true;
        QVERIFY(!withVariables(profile, sorted)); // its order is not the model's
        ImportedProfile resized = profile;
        resized.job.layers[2].name = "upsample_bilinear2d_1"; // no linear layer: resizing has no weights
        VERIFY_VALUE(withVariables(resized, list));
        profile.job.layers.push_back({"conv2d_2", 1, 1, {2}, {}});
        QVERIFY(!withVariables(profile, list)); // two modules, three layers that may own variables
        profile.job.layers[3].name = "features.1";
        QVERIFY(!withVariables(profile, list)); // one of three such layers: a coincidence
        profile.job.layers[0].name = "features.0";
        const auto named = withVariables(profile, list);
        VERIFY_VALUE(named);
        QCOMPARE((*named)->job.layers[3].variables.size(), std::size_t{1});
    }

    /// Readers say that nothing will be synchronised without sizes. With a list's sizes that is not so, and not said.
    void sizesEndTheirLack() {
        tiny::Spelling s;
        s.shapes = s.metadata = false;
        const auto kineto = tiny::import(tiny::trace(s));
        const auto tensorFlow = timeline();
        const VariableList modules = listOf({{"conv2d_1.weight", {6}}, {"batch_norm_1.weight", {2}}}),
                           names = listOf({{"a", {100}}, {"b", {300}}});
        for (const auto &[profile, list] :
             {std::pair(kineto, modules), std::pair(sizelessRanks(), modules), std::pair(tensorFlow, names)}) {
            VERIFY_VALUE(profile);
            const auto sized = withVariables(**profile, list);
            VERIFY_VALUE(sized);
            QCOMPARE((*sized)->job.variables.size(), std::size_t{2});
            for (const auto &[before, after] : {std::pair(&(*profile)->inferred, &(*sized)->inferred),
                                                std::pair(&(*profile)->job.notes, &(*sized)->job.notes)}) {
                QVERIFY(testing::mentions(*before, "othing will be synchronised"));
                QVERIFY(!testing::mentions(*after, "othing will be synchronised"));
                QCOMPARE(after->size(), before->size()); // the list's note instead
            }
        }
    }

    /// The sentence that goes is known by its kind: notes of others that read like it stay.
    void notesThatReadLikeItStay() {
        tiny::Spelling s;
        s.shapes = s.metadata = false;
        const auto kineto = tiny::import(tiny::trace(s));
        VERIFY_VALUE(kineto);
        ImportedProfile profile = **kineto;
        const std::string note = "Frozen layers: nothing will be synchronised in a simulation of this job for them.";
        profile.job.notes.push_back(note);
        const auto sized = withVariables(profile, listOf({{"conv2d_1.weight", {6}}, {"batch_norm_1.weight", {2}}}));
        VERIFY_VALUE(sized);
        QVERIFY(testing::mentions((*sized)->job.notes, note));
        QCOMPARE((*sized)->job.notes.size(), profile.job.notes.size()); // the list's note instead of the reader's
    }

    /// A list with too small a share of the profile is another model's, by each way of matching; the error states the share.
    void shareOfMatches() {
        const auto refused = [](const ImportedProfile &profile, const VariableList &list, const char *share) {
            const auto sized = withVariables(profile, list);
            QVERIFY(!sized);
            QVERIFY2(sized.error().what.find(share) != std::string::npos, sized.error().toString().c_str());
            QVERIFY2(sized.error().what.find("another model's") != std::string::npos, sized.error().toString().c_str());
            QVERIFY(!sized.error().remedy.empty() && sized.error().file == "list.json");
        };
        const auto accepted = [](const ImportedProfile &profile, const VariableList &list, const char *share) {
            const auto sized = withVariables(profile, list);
            VERIFY_VALUE(sized);
            QVERIFY2((*sized)->inferred.back().find(share) != std::string::npos, (*sized)->inferred.back().c_str());
        };
        // By layer names that the profile made up: 2 of 42.
        ImportedProfile layers;
        for (int i = 0; i < 42; ++i)
            layers.job.layers.push_back({fmt::format("linear_{}", i + 1), 1, 1, {}, {}});
        refused(layers, listOf({{"linear_1.weight", {3}}, {"linear_2.weight", {3}}, {"fc.weight", {3}}}),
                "2 of the profile's 42 layers");
        refused(layers, listOf({{"linear_1.weight", {3}}, {"linear_2.weight", {3}}, {"fc.weight", {3}}}), "(5 %)");
        std::vector<Variable> half;
        for (int i = 0; i < 21; ++i)
            half.push_back({fmt::format("linear_{}.weight", i + 1), {3}});
        VariableList list = listOf({});
        list.variables = half;
        accepted(layers, list, "50 % of the 42 layers");
        // By variable names.
        ImportedProfile unsized;
        unsized.job.layers = {{"a", 1, 1, {}, {}}};
        for (const char *name : {"a", "b", "c", "d"})
            unsized.unsized.push_back({name, 0});
        refused(unsized, listOf({{"a", {3}}, {"x", {3}}}), "1 of the profile's 4 variables (25 %)");
        accepted(unsized, listOf({{"a", {3}}, {"b", {3}}}), "50 % of the profile's");
        // By shapes.
        ImportedProfile shaped;
        shaped.job.layers = {{"a", 1, 1, {}, {0, 1, 2}}};
        shaped.job.variables = {{"a/weight", {3}}, {"a/variable2", {4}}, {"a/variable3", {5}}};
        refused(shaped, listOf({{"x", {3}}, {"y", {9}}}), "1 of the profile's 3 variables (33 %)");
        accepted(shaped, listOf({{"x", {3}}, {"y", {4}}}), "2 of the profile's 3 variables (67 %)");
    }

    /// End to end: a timeline and each kind of list, as files.
    void importWithList() {
        QTemporaryDir folder;
        testing::writeFile(folder.filePath("timeline.json"), tiny::timeline());
        const std::string scalar = number(1, 1) + field(2, field(2, number(1, 100)));
        testing::writeFile(folder.filePath("model.index"),
                           table({{"", "x"}, {"a", scalar}, {"b", number(1, 1) + field(2, field(2, number(1, 120)))}}));
        testing::writeFile(folder.filePath("list.json"),
                           R"({"a": {"shape": [100], "dtype": "F32"}, "b": {"shape": [120], "dtype": "float32"}})");
        testing::writeFile(
            folder.filePath("m.safetensors"),
            safetensors(
                R"({"a":{"dtype":"F32","shape":[100],"data_offsets":[0,0]},"b":{"dtype":"F32","shape":[120],"data_offsets":[0,0]}})"));
        testing::writeFile(
            folder.filePath("job.json"),
            R"({"name": "x", "layers": [{"name": "l", "forward_seconds": 1, "backward_seconds": 1, "variables": [{"name": "a", "shape": [100]}, {"name": "b", "shape": [120]}]}]})");
        for (const char *file : {"model.index", "list.json", "m.safetensors", "job.json"}) {
            ImportOptions options;
            options.variables = folder.filePath(file).toStdString();
            const auto profile = importProfile(folder.filePath("timeline.json").toStdString(), options);
            VERIFY_VALUE(profile);
            QCOMPARE((*profile)->job.parameterCount(), std::int64_t{220});
            const auto job = loadJob(folder.filePath("job.json").toStdString(), options);
            QVERIFY(!job); // it has its own
        }
    }

    /// Entries of 6 bytes each repeat a name: the names that are kept are bounded, not only the bytes that are read.
    void repeatedNamesAreBounded() {
        const auto longest = readCheckpointIndex(tableOfOneName(4096, 3));
        VERIFY_VALUE(longest);
        QCOMPARE(longest->variables.size(), std::size_t{3});
        QCOMPARE(longest->variables.back().name, std::string(4096, 'a'));
        const auto longer = readCheckpointIndex(tableOfOneName(4097, 3));
        QVERIFY(!longer);
        QVERIFY2(longer.error().what.find("a name is longer") != std::string::npos, longer.error().toString().c_str());
        const std::string small = tableOfOneName(4096, 70'000); // 2^28 bytes are the names of 65,536
        COMPARE_BELOW(small.size(), 500'000);
        const auto many = readCheckpointIndex(small);
        QVERIFY(!many);
        QVERIFY2(many.error().what.find("the names are longer") != std::string::npos, many.error().toString().c_str());
    }

    /// A tensor, and the name of one, may take two bytes of the file: memory is counted, not bytes read.
    void modelsAreBounded() {
        std::string tensors, names;
        for (int i = 0; i < 100'000; ++i) {
            tensors += field(5, "");
            names += field(1, "");
        }
        for (const std::string &graph : {tensors, field(1, names)}) {
            const std::string model = number(1, 7) + field(7, graph);
            COMPARE_BELOW(model.size(), 250'000);
            const auto read = [&](std::uint64_t keptBytes) {
                const auto source = ByteSource::fromMemory(model);
                source->setLimits(ReadLimits::of(keptBytes));
                return readOnnx(*source);
            };
            VERIFY_VALUE(read(ReadLimits::unlimited));
            const auto list = read(5 << 20);
            QVERIFY(!list);
            QVERIFY2(list.error().what.find("of memory") != std::string::npos, list.error().toString().c_str());
        }
    }

    /// Entries are not packed: unpacked, a file of some hundred kilobytes could be terabytes of them.
    void packedEntriesAreDamaged() {
        const std::string entry = number(1, 1) + field(2, field(2, number(1, 3)));
        VERIFY_VALUE(readCheckpointIndex(table({{"w", entry}})));
        const auto packed = readCheckpointIndex(table({{"w", tiny::gzip(entry)}}));
        QVERIFY(!packed);
        QVERIFY2(packed.error().what.find("the entry of 'w' is damaged") != std::string::npos, packed.error().toString().c_str());
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = readCheckpointIndex(tableOfOneName(4, 3), stop.get_token());
        QVERIFY(!cancelled && cancelled.error().isCancelled());
    }

    void damagedFiles() {
        const QDir folder(SYNCOPATE_SOURCE "/tests/damaged/variables");
        const QStringList files = folder.entryList(QDir::Files);
        COMPARE_AT_LEAST(files.size(), 8);
        for (const QString &file : files) {
            const auto list = readVariableList(folder.filePath(file).toStdString());
            QVERIFY2(!list, qPrintable(file));
            QVERIFY2(!list.error().what.empty() && !list.error().remedy.empty(), qPrintable(file));
            QVERIFY2(QString::fromStdString(list.error().file).endsWith(file), list.error().toString().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestVariableList)
#include "tst_variable_list.moc"
