// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"

#include "engine/base/text.h"
#include "engine/job/catalogue_models.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace syncopate {

namespace {

using catalogue::ModelBuilder;

struct Model {
    CatalogueJob info;
    void (*build)(ModelBuilder &);
};

/// Sustained FLOP/s of one T4; see catalogue.h.
struct Rate {
    double flopsPerSecond;
    const char *source;
};
constexpr Rate resNetRate{2.8e12, "ResNet-101: 61.9 images/s"};
constexpr Rate vggRate{6.95e12, "VGG-16: 75.0 images/s"}; // Winograd kernels do fewer operations than are counted here
constexpr Rate denseNetRate{1.66e12, "DenseNet-121: 97.3 images/s"};
constexpr Rate inceptionRate{4.66e12, "Inception-v3: 136.0 images/s"};
constexpr Rate bertRate{2.67e12, "BERT-large: 11.08 sequences/s"};

const char *const table1 = "in AutoSync's Table 1";

/// What is published of a model's variables.
struct Definition {
    std::string source; ///< "variables of Keras' definition"
    std::string facts;  ///< number of parameters, size of images, ...
};

/// The facts of a row of the catalogue.
struct Published {
    double batch = 1;                  ///< samples a GPU
    const char *batchSource = nullptr; ///< where the batch is published; null: it is assumed
    Rate rate{};
    bool isOwnRate = false; ///< the rate was published for this very model
    Definition variables{};
    std::vector<std::string> notes{};
    void (*build)(ModelBuilder &) = nullptr;
};

/// `data`: what it is trained on.
Model modelOf(std::string name, std::string title, const std::string &data, Published row) {
    CatalogueJob info;
    info.description = fmt::format("{}, batch {} a GPU, float32 on NVIDIA T4; {}, times from FLOPs at {:.3g} TFLOP/s", data,
                                   row.batch, row.variables.source, row.rate.flopsPerSecond / 1e12);
    info.name = std::move(name);
    info.title = std::move(title);
    info.batchSize = row.batch;
    info.sustainedFlopsPerSecond = row.rate.flopsPerSecond;
    info.notes.push_back(fmt::format("Published: {}, {}.", row.variables.source, row.variables.facts));
    info.notes.push_back(row.batchSource == nullptr
                             ? fmt::format("Assumed: batch {} a GPU.", row.batch)
                             : fmt::format("Published: batch {} a GPU, as {}.", row.batch, row.batchSource));
    info.notes.push_back(row.isOwnRate
                             ? fmt::format("Published: {} on one T4 (AutoDist's documentation), from which the sustained rate "
                                           "follows.",
                                           row.rate.source)
                             : fmt::format("Assumed: its sustained FLOP/s are those of a similar model, whose throughput on one "
                                           "T4 is published (AutoDist's documentation, {}).",
                                           row.rate.source));
    std::move(row.notes.begin(), row.notes.end(), std::back_inserter(info.notes));
    return {std::move(info), row.build};
}

std::vector<Model> imageModels() {
    const std::string imageNet = "ImageNet";
    const auto keras = [](const char *facts) { return Definition{"variables of Keras' definition", facts}; };
    const auto benchmarks = [](const char *facts) {
        return Definition{"variables of tf_cnn_benchmarks' definition with 1001 classes", facts};
    };
    return {
        modelOf("resnet50", "ResNet-50", imageNet,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = resNetRate,
                 .variables = keras("25.6 million parameters (He et al. 2016), 224x224 images"),
                 .build =
                     [](ModelBuilder &m) {
                         catalogue::resNet(m, {3, 4, 6, 3});
                     }}),
        modelOf("resnet101", "ResNet-101", imageNet,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = resNetRate,
                 .isOwnRate = true,
                 .variables = keras("44.7 million parameters (He et al. 2016), 224x224 images"),
                 .build =
                     [](ModelBuilder &m) {
                         catalogue::resNet(m, {3, 4, 23, 3});
                     }}),
        modelOf("resnet152", "ResNet-152", imageNet,
                {.batch = 32,
                 .rate = resNetRate,
                 .variables = keras("60.4 million parameters (He et al. 2016), 224x224 images"),
                 .build =
                     [](ModelBuilder &m) {
                         catalogue::resNet(m, {3, 8, 36, 3});
                     }}),
        modelOf("inception_v3", "Inception-v3", imageNet,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = inceptionRate,
                 .isOwnRate = true,
                 .variables = keras("23.9 million parameters (Szegedy et al. 2016), 299x299 images, no auxiliary classifier"),
                 .build = catalogue::inceptionV3}),
        modelOf("inception_v4", "Inception-v4", imageNet,
                {.batch = 32,
                 .rate = inceptionRate,
                 .variables = benchmarks("42.7 million parameters (Szegedy et al. 2017), 299x299 images"),
                 .build = catalogue::inceptionV4}),
        modelOf(
            "googlenet", "GoogLeNet", imageNet,
            {.batch = 32,
             .rate = inceptionRate,
             .variables = benchmarks("6.8 million parameters (Szegedy et al. 2015), 224x224 images, no auxiliary classifiers"),
             .build = catalogue::googLeNet}),
        modelOf("vgg11", "VGG-11", imageNet,
                {.batch = 32,
                 .rate = vggRate,
                 .variables = benchmarks("133 million parameters (Simonyan and Zisserman 2015), 224x224 images"),
                 .build = catalogue::vgg11}),
        modelOf("vgg16", "VGG-16", imageNet,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = vggRate,
                 .isOwnRate = true,
                 .variables = keras("138.36 million parameters (Simonyan and Zisserman 2015), 224x224 images"),
                 .build = catalogue::vgg16}),
        modelOf("densenet121", "DenseNet-121", imageNet,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = denseNetRate,
                 .isOwnRate = true,
                 .variables = keras("8.0 million parameters (Huang et al. 2017), 224x224 images"),
                 .build = catalogue::denseNet121}),
        modelOf(
            "alexnet", "AlexNet", imageNet,
            {.batch = 32,
             .rate = vggRate,
             .variables = {"variables of torchvision's definition (Krizhevsky 2014)", "61.1 million parameters, 224x224 images"},
             .build = catalogue::alexNet}),
    };
}

std::vector<Model> languageModels() {
    const auto bertNotes = [] {
        return std::vector<std::string>{
            fmt::format("Assumed: {} tokens a sequence, {} of them predicted; the documentation does not state the length.",
                        catalogue::bertTokens, catalogue::bertPredicted)};
    };
    const auto small = [&bertNotes](const char *row, std::int64_t hidden) {
        std::vector<std::string> notes = bertNotes();
        notes.push_back(
            fmt::format("Assumed: width {}, which AutoSync does not state; it is the usual width that comes nearest to "
                        "the {} of its Table 1.",
                        hidden, row));
        return notes;
    };
    const auto definition = [](std::int32_t layers, std::int64_t hidden, const char *count) {
        return Definition{"variables of google-research/bert with its pre-training heads (Devlin et al. 2019)",
                          fmt::format("{} encoder layers of width {}, {}", layers, hidden, count)};
    };
    const std::string data = fmt::format("pre-training on {} tokens", catalogue::bertTokens);
    return {
        modelOf(
            "transformer", "Transformer base", "WMT'14 English-German",
            {.batch = 5000,
             .batchSource = table1,
             .rate = bertRate,
             .variables = {"variables of tensorflow/models' definition (Vaswani et al. 2017)",
                           "6 + 6 layers of width 512, 33708 shared words, 62 million parameters in AutoSync's Table 1"},
             .notes = {fmt::format(
                           "Assumed: a sample is a pair of tokens, one of the source and one of the target; each attends to {}.",
                           catalogue::transformerLength),
                       "Assumed: the gradient of the shared embedding is dense, as in AutoDist's experiments."},
             .build = catalogue::transformerBase}),
        modelOf("bert_3l", "BERT, 3 layers", data,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = definition(3, 256, "11 million parameters in AutoSync's Table 1"),
                 .notes = small("11 million", 256),
                 .build = [](ModelBuilder &m) { catalogue::bert(m, 3, 256, false); }}),
        modelOf("bert_6l", "BERT, 6 layers", data,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = definition(6, 512, "36 million parameters in AutoSync's Table 1"),
                 .notes = small("36 million", 512),
                 .build = [](ModelBuilder &m) { catalogue::bert(m, 6, 512, false); }}),
        modelOf("bert_base", "BERT-base", data,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = definition(12, 768, "110 million parameters"),
                 .notes = bertNotes(),
                 .build = [](ModelBuilder &m) { catalogue::bert(m, 12, 768, false); }}),
        modelOf("bert_base_sparse", "BERT-base, sparse", data,
                {.batch = 32,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = definition(12, 768, "110 million parameters, word embeddings with sparse gradients"),
                 .notes = bertNotes(),
                 .build = [](ModelBuilder &m) { catalogue::bert(m, 12, 768, true); }}),
        modelOf("bert_large", "BERT-large", data,
                {.batch = 8,
                 .batchSource = table1,
                 .rate = bertRate,
                 .isOwnRate = true,
                 .variables = definition(24, 1024, "340 million parameters"),
                 .notes = bertNotes(),
                 .build = [](ModelBuilder &m) { catalogue::bert(m, 24, 1024, false); }}),
        modelOf("lm1b", "LM1B", "One Billion Words",
                {.batch = 128,
                 .rate = bertRate,
                 .variables = {"variables of the LSTM-2048-512 language model (Jozefowicz et al. 2016)",
                               "0.83 billion parameters, embedding and softmax with sparse gradients"},
                 .notes = {fmt::format("Assumed: {} words a sequence, a softmax of 8192 sampled classes.", catalogue::lm1bSteps)},
                 .build = catalogue::lm1b}),
    };
}

std::vector<Model> recommendationModels() {
    // MLPerf's enlarged data set: 16 times the users and 32 times the items of MovieLens-20M.
    static constexpr std::int64_t users = 138493;
    static constexpr std::int64_t items = 26744;
    const std::string memory =
        "Assumed: times cover the arithmetic alone; look-ups and updates of the tables are bound by memory and take longer.";
    const auto enlarged = [](const std::string &gradients) {
        return Definition{"variables of tensorflow/models' definition (He et al. 2017) with 8 factors and layers 64, 32, 16, 8",
                          "122 million parameters in AutoSync's Table 1, " + gradients};
    };
    return {
        modelOf("ncf_dense", "NCF, dense", "MovieLens-20M x16x32",
                {.batch = 256,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = enlarged("dense gradients"),
                 .notes = {memory},
                 .build =
                     [](ModelBuilder &m) {
                         catalogue::neuralCollaborativeFiltering(m, 16 * users, 32 * items, 8, {64, 32, 16, 8}, false);
                     }}),
        modelOf("ncf_sparse", "NCF, sparse", "MovieLens-20M x16x32",
                {.batch = 256,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = enlarged("sparse gradients of both tables"),
                 .notes = {memory},
                 .build =
                     [](ModelBuilder &m) {
                         catalogue::neuralCollaborativeFiltering(m, 16 * users, 32 * items, 8, {64, 32, 16, 8}, true);
                     }}),
        modelOf("ncf_ml20m", "NCF, MovieLens-20M", "MovieLens-20M",
                {.batch = 256,
                 .batchSource = table1,
                 .rate = bertRate,
                 .variables = {"variables of tensorflow/models' definition (He et al. 2017) with MLPerf's 64 factors and layers "
                               "256, 256, 128, 64",
                               "sparse gradients of both tables"},
                 .notes = {memory},
                 .build =
                     [](ModelBuilder &m) {
                         catalogue::neuralCollaborativeFiltering(m, users, items, 64, {256, 256, 128, 64}, true);
                     }}),
    };
}

const std::vector<Model> &models() {
    static const std::vector<Model> all = [] {
        std::vector<Model> table = imageModels();
        for (auto *more : {&languageModels, &recommendationModels}) {
            std::vector<Model> rows = more();
            std::move(rows.begin(), rows.end(), std::back_inserter(table));
        }
        return table;
    }();
    return all;
}

/// "name:batch@device".
struct Request {
    std::string_view name;
    std::optional<std::string_view> batch, device;
};

Request split(std::string_view text) {
    Request request;
    if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
        request.device = text.substr(at + 1);
        text = text.substr(0, at);
    }
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        request.batch = text.substr(colon + 1);
        text = text.substr(0, colon);
    }
    request.name = text;
    return request;
}

} // namespace

const std::vector<Accelerator> &accelerators() {
    static const std::vector<Accelerator> table{
        {"T4", 8.1e12, "NVIDIA T4 data sheet"},
        {"M60", 4.82e12, "NVIDIA Tesla M60 data sheet: 9.65 TFLOP/s for its two GPUs"},
        {"TITANX", 6.6e12, "GeForce GTX TITAN X: 3072 cores at 1075 MHz"},
        {"V100", 15.7e12, "NVIDIA V100 SXM2 data sheet"},
        {"A100", 19.5e12, "NVIDIA A100 data sheet"},
        {"H100", 67e12, "NVIDIA H100 SXM data sheet"},
    };
    return table;
}

const std::vector<CatalogueJob> &catalogueJobs() {
    static const std::vector<CatalogueJob> jobs = [] {
        std::vector<CatalogueJob> all;
        for (const Model &row : models())
            all.push_back(row.info);
        return all;
    }();
    return jobs;
}

Result<Job> catalogueJob(std::string_view expression) {
    const Request request = split(expression);
    const auto row = std::find_if(models().begin(), models().end(), [&](const Model &m) { return m.info.name == request.name; });
    if (row == models().end()) {
        return fail(
            fmt::format("the catalogue has no job '{}'", request.name),
            fmt::format("use one of {}, or a job file", listOfNames(models(), [](const Model &each) { return each.info.name; })));
    }
    const auto &devices = accelerators();
    auto device = devices.begin();
    if (request.device) {
        device = std::find_if(devices.begin(), devices.end(), [&](const Accelerator &a) { return a.name == *request.device; });
        if (device == devices.end()) {
            return fail(fmt::format("there is no device '{}'", *request.device),
                        fmt::format("use one of {}", listOfNames(devices, &Accelerator::name)));
        }
    }
    double batch = row->info.batchSize;
    if (request.batch) {
        const char *end = request.batch->data() + request.batch->size();
        std::int64_t given = 0;
        const auto [rest, status] = std::from_chars(request.batch->data(), end, given);
        if (status != std::errc() || rest != end || given < 1 || given > 1'000'000)
            return fail(fmt::format("the batch size is '{}'", *request.batch), "write a whole number from 1 to 1000000");
        batch = static_cast<double>(given);
    }

    const double rate = row->info.sustainedFlopsPerSecond * device->flopsPerSecond / devices.front().flopsPerSecond;
    ModelBuilder builder(row->info.name, batch, rate);
    row->build(builder);
    Job job = builder.take();
    job.notes = row->info.notes;
    if (batch != row->info.batchSize)
        job.notes.push_back(fmt::format("Given: batch {} a GPU.", batch));
    job.notes.push_back(fmt::format("Assumed: forward seconds of a layer = batch size {} x FLOPs / {:.3g} TFLOP/s, backward = "
                                    "2 x forward; an NVIDIA {} in float32 peaks at {:.3g} TFLOP/s.",
                                    batch, rate / 1e12, device->name, device->flopsPerSecond / 1e12));
    if (device != devices.begin())
        job.notes.push_back(fmt::format("Assumed: the {} sustains the same share of its peak as the T4.", device->name));
    job.notes.emplace_back("Assumed: the optimizer's time is within the sustained rate, so the update takes 0 s of its own.");
    return job;
}

} // namespace syncopate
