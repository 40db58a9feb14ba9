// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"

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

/// `variables`: whose definition, and the published count. `own`: the rate was published for this very model.
Model model(std::string name, std::string title, const std::string &data, double batch, const char *batchSource, const Rate &rate,
            bool own, const std::string &variables, std::vector<std::string> more, void (*build)(ModelBuilder &)) {
    CatalogueJob info;
    info.description = fmt::format("{}, batch {} a GPU, float32 on NVIDIA T4; {}, times from FLOPs at {:.3g} TFLOP/s", data,
                                   batch, variables.substr(0, variables.find(',')), rate.flopsPerSecond / 1e12);
    info.name = std::move(name);
    info.title = std::move(title);
    info.batchSize = batch;
    info.sustainedFlopsPerSecond = rate.flopsPerSecond;
    info.notes.push_back(fmt::format("Published: {}.", variables));
    info.notes.push_back(batchSource == nullptr ? fmt::format("Assumed: batch {} a GPU.", batch)
                                                : fmt::format("Published: batch {} a GPU, as {}.", batch, batchSource));
    info.notes.push_back(own ? fmt::format("Published: {} on one T4 (AutoDist's documentation), from which the sustained rate "
                                           "follows.",
                                           rate.source)
                             : fmt::format("Assumed: it runs at the rate of a published one on one T4 (AutoDist's documentation, "
                                           "{}).",
                                           rate.source));
    std::move(more.begin(), more.end(), std::back_inserter(info.notes));
    return {std::move(info), build};
}

std::vector<Model> imageModels() {
    const std::string imageNet = "ImageNet";
    const auto keras = [](const char *count) { return fmt::format("variables of Keras' definition, {}", count); };
    const auto benchmarks = [](const char *count) {
        return fmt::format("variables of tf_cnn_benchmarks' definition with 1001 classes, {}", count);
    };
    return {
        model("resnet50", "ResNet-50", imageNet, 32, table1, resNetRate, false,
              keras("25.6 million parameters (He et al. 2016), 224x224 images"), {},
              [](ModelBuilder &m) {
                  catalogue::resNet(m, {3, 4, 6, 3});
              }),
        model("resnet101", "ResNet-101", imageNet, 32, table1, resNetRate, true,
              keras("44.7 million parameters (He et al. 2016), 224x224 images"), {},
              [](ModelBuilder &m) {
                  catalogue::resNet(m, {3, 4, 23, 3});
              }),
        model("resnet152", "ResNet-152", imageNet, 32, nullptr, resNetRate, false,
              keras("60.4 million parameters (He et al. 2016), 224x224 images"), {},
              [](ModelBuilder &m) {
                  catalogue::resNet(m, {3, 8, 36, 3});
              }),
        model("inception_v3", "Inception-v3", imageNet, 32, table1, inceptionRate, true,
              keras("23.9 million parameters (Szegedy et al. 2016), 299x299 images, no auxiliary classifier"), {},
              catalogue::inceptionV3),
        model("inception_v4", "Inception-v4", imageNet, 32, nullptr, inceptionRate, false,
              benchmarks("42.7 million parameters (Szegedy et al. 2017), 299x299 images"), {}, catalogue::inceptionV4),
        model("googlenet", "GoogLeNet", imageNet, 32, nullptr, inceptionRate, false,
              benchmarks("6.8 million parameters (Szegedy et al. 2015), 224x224 images, no auxiliary classifiers"), {},
              catalogue::googLeNet),
        model("vgg11", "VGG-11", imageNet, 32, nullptr, vggRate, false,
              benchmarks("133 million parameters (Simonyan and Zisserman 2015), 224x224 images"), {}, catalogue::vgg11),
        model("vgg16", "VGG-16", imageNet, 32, table1, vggRate, true,
              keras("138.36 million parameters (Simonyan and Zisserman 2015), 224x224 images"), {}, catalogue::vgg16),
        model("densenet121", "DenseNet-121", imageNet, 32, table1, denseNetRate, true,
              keras("8.0 million parameters (Huang et al. 2017), 224x224 images"), {}, catalogue::denseNet121),
        model("alexnet", "AlexNet", imageNet, 32, nullptr, vggRate, false,
              "variables of torchvision's definition (Krizhevsky 2014), 61.1 million parameters, 224x224 images", {},
              catalogue::alexNet),
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
        return fmt::format(
            "variables of google-research/bert with its pre-training heads (Devlin et al. 2019), {} encoder layers "
            "of width {}, {}",
            layers, hidden, count);
    };
    const std::string data = "pre-training on 128 tokens";
    return {
        model("transformer", "Transformer base", "WMT'14 English-German", 5000, table1, bertRate, false,
              "variables of tensorflow/models' definition (Vaswani et al. 2017), 6 + 6 layers of width 512, 33708 shared words, "
              "62 million parameters in AutoSync's Table 1",
              {fmt::format("Assumed: a sample is a pair of tokens, one of the source and one of the target; each attends to {}.",
                           catalogue::transformerLength),
               "Assumed: the gradient of the shared embedding is dense, as in AutoDist's experiments."},
              catalogue::transformerBase),
        model("bert_3l", "BERT, 3 layers", data, 32, table1, bertRate, false,
              definition(3, 256, "11 million parameters in AutoSync's Table 1"), small("11 million", 256),
              [](ModelBuilder &m) { catalogue::bert(m, 3, 256, false); }),
        model("bert_6l", "BERT, 6 layers", data, 32, table1, bertRate, false,
              definition(6, 512, "36 million parameters in AutoSync's Table 1"), small("36 million", 512),
              [](ModelBuilder &m) { catalogue::bert(m, 6, 512, false); }),
        model("bert_base", "BERT-base", data, 32, table1, bertRate, false, definition(12, 768, "110 million parameters"),
              bertNotes(), [](ModelBuilder &m) { catalogue::bert(m, 12, 768, false); }),
        model("bert_base_sparse", "BERT-base, sparse", data, 32, table1, bertRate, false,
              definition(12, 768, "110 million parameters, word embeddings with sparse gradients"), bertNotes(),
              [](ModelBuilder &m) { catalogue::bert(m, 12, 768, true); }),
        model("bert_large", "BERT-large", data, 8, table1, bertRate, true, definition(24, 1024, "340 million parameters"),
              bertNotes(), [](ModelBuilder &m) { catalogue::bert(m, 24, 1024, false); }),
        model("lm1b", "LM1B", "One Billion Words", 128, nullptr, bertRate, false,
              "variables of the LSTM-2048-512 language model (Jozefowicz et al. 2016), 0.83 billion parameters, embedding and "
              "softmax with sparse gradients",
              {fmt::format("Assumed: {} words a sequence, a softmax of 8192 sampled classes.", catalogue::lm1bSteps)},
              catalogue::lm1b),
    };
}

std::vector<Model> recommendationModels() {
    // MLPerf's enlarged data set: 16 times the users and 32 times the items of MovieLens-20M.
    static constexpr std::int64_t users = 138493;
    static constexpr std::int64_t items = 26744;
    const std::string memory =
        "Assumed: times are those of the arithmetic alone; look-ups and updates of the tables are bound by "
        "memory and take longer than that.";
    const std::string enlarged =
        "variables of tensorflow/models' definition (He et al. 2017) with 8 factors and layers 64, 32, 16, "
        "8, 122 million parameters in AutoSync's Table 1, ";
    return {
        model("ncf_dense", "NCF, dense", "MovieLens-20M x16x32", 256, table1, bertRate, false, enlarged + "dense gradients",
              {memory},
              [](ModelBuilder &m) {
                  catalogue::neuralCollaborativeFiltering(m, 16 * users, 32 * items, 8, {64, 32, 16, 8}, false);
              }),
        model("ncf_sparse", "NCF, sparse", "MovieLens-20M x16x32", 256, table1, bertRate, false,
              enlarged + "sparse gradients of both tables", {memory},
              [](ModelBuilder &m) {
                  catalogue::neuralCollaborativeFiltering(m, 16 * users, 32 * items, 8, {64, 32, 16, 8}, true);
              }),
        model(
            "ncf_ml20m", "NCF, MovieLens-20M", "MovieLens-20M", 256, table1, bertRate, false,
            "variables of tensorflow/models' definition (He et al. 2017) with MLPerf's 64 factors and layers 256, 256, 128, 64, "
            "sparse gradients of both tables",
            {memory},
            [](ModelBuilder &m) {
                catalogue::neuralCollaborativeFiltering(m, users, items, 64, {256, 256, 128, 64}, true);
            }),
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
        std::string known;
        for (const Model &other : models())
            known += (known.empty() ? "" : ", ") + other.info.name;
        return fail(fmt::format("the catalogue has no job '{}'", request.name),
                    fmt::format("use one of {}, or a job file", known));
    }
    const auto &devices = accelerators();
    auto device = devices.begin();
    if (request.device) {
        device = std::find_if(devices.begin(), devices.end(), [&](const Accelerator &a) { return a.name == *request.device; });
        if (device == devices.end()) {
            std::string known;
            for (const Accelerator &other : devices)
                known += (known.empty() ? "" : ", ") + other.name;
            return fail(fmt::format("there is no device '{}'", *request.device), fmt::format("use one of {}", known));
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
