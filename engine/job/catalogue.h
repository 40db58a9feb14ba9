// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

// Published models as jobs. Variables have the names, shapes and order of the public definitions; times follow from FLOPs:
//
//     forward_seconds  = batch size * FLOPs(layer, one sample) / sustained FLOP/s      (a multiply-add counts 2)
//     backward_seconds = 2 * forward_seconds                                           (gradients of inputs and of weights)
//
// The device is one NVIDIA T4 in float32 unless another one is named. The sustained rate is what one T4 reaches end to end in
// the throughput that AutoDist's documentation publishes (petuum/autodist, docs/usage/figure1.png, 1 GPU, AllReduce):
// samples/s * 3 * forward FLOPs, for VGG-16, BERT-large, ResNet-101, DenseNet-121 and Inception-v3; every other model takes the
// rate of the most similar of these, and its notes say which. The rate includes the optimizer, whose own time is 0 here, and
// leaves out memory-bound work: look-ups and updates of large embeddings. On another device the rate is the same share of that
// device's peak. Measured times override all this (engine/job/measured_times.h).

/// A device for a catalogue job.
struct Accelerator {
    std::string name;      ///< "V100"
    double flopsPerSecond; ///< float32 peak of one GPU
    std::string source;    ///< where the peak is published
};
/// The first one is the T4.
[[nodiscard]] const std::vector<Accelerator> &accelerators();

/// A model of the catalogue, before it becomes a job.
struct CatalogueJob {
    std::string name;                   ///< "resnet50", as given on the command line
    std::string title;                  ///< "ResNet-50"
    std::string description;            ///< one line: batch size, device, where the variables and times come from
    double batchSize = 1;               ///< samples a GPU
    double sustainedFlopsPerSecond = 0; ///< on a T4
    std::vector<std::string> notes;     ///< what is published, what is assumed; go into the job
};

/// In the order in which `catalog jobs` lists them.
[[nodiscard]] const std::vector<CatalogueJob> &catalogueJobs();
/// The job of a catalogue name, optionally with another batch size and device: `vgg16`, `vgg16:64`, `vgg16@V100`,
/// `vgg16:64@V100`. Errors: an unknown name or device, with the known ones; a batch size other than a whole number from 1 to
/// 1000000.
[[nodiscard]] Result<Job> catalogueJob(std::string_view expression);

} // namespace syncopate
