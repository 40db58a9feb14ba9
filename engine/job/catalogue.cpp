// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"

#include "engine/job/catalogue_models.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

const std::vector<CatalogueJob> &catalogueJobs() {
    static const std::vector<CatalogueJob> jobs{
        {"resnet50", "ResNet-50",
         "ImageNet, batch 32 a GPU, float32 on NVIDIA T4; 214 Keras variables, times from FLOPs at 2.8 TFLOP/s"},
        {"vgg16", "VGG-16",
         "ImageNet, batch 32 a GPU, float32 on NVIDIA T4; 32 Keras variables, times from FLOPs at 6.9 TFLOP/s"},
        {"bert_base", "BERT-base",
         "pre-training, batch 32 of 128 tokens a GPU, float32 on NVIDIA T4; 206 variables, times from FLOPs at 2.7 TFLOP/s"},
        {"bert_large", "BERT-large",
         "pre-training, batch 8 of 128 tokens a GPU, float32 on NVIDIA T4; 398 variables, times from FLOPs at 2.7 TFLOP/s"},
    };
    return jobs;
}

Result<Job> catalogueJob(std::string_view name) {
    if (name == "resnet50")
        return catalogue::resNet50();
    if (name == "vgg16")
        return catalogue::vgg16();
    if (name == "bert_base")
        return catalogue::bert("bert_base", 12, 768, 32);
    if (name == "bert_large")
        return catalogue::bert("bert_large", 24, 1024, 8);
    std::string known;
    for (const CatalogueJob &job : catalogueJobs())
        known += (known.empty() ? "" : ", ") + job.name;
    return fail(fmt::format("the catalogue has no job '{}'", name), fmt::format("use one of {}, or a job file", known));
}

} // namespace syncopate
