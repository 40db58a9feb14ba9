// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose layers are numbered: those of TensorFlow's tf_cnn_benchmarks, and Keras' Inception-v3.
#include "engine/job/catalogue_models.h"
#include "engine/job/conv_net.h"

namespace syncopate::catalogue {

namespace {

constexpr std::int64_t benchmarkClasses = 1001; // ImageNet's 1000 and "background"

constexpr Step same(std::int64_t out, std::int64_t kernel, std::int64_t stride = 1) {
    return {Step::Kind::Convolution, out, kernel, kernel, stride, false};
}
constexpr Step valid(std::int64_t out, std::int64_t kernel, std::int64_t stride = 1) {
    return {Step::Kind::Convolution, out, kernel, kernel, stride, true};
}
constexpr Step halve{Step::Kind::Pool, 0, 2, 2, 2, true};
constexpr Step poolSame{Step::Kind::Pool, 0, 3, 3, 2, false};

FeatureMap averaged(FeatureMap features) {
    features.side = 1;
    return features;
}

} // namespace

void vgg11(ModelBuilder &model) {
    ConvNet net(model, ConvNet::Naming::Benchmarks, false);
    FeatureMap x;
    const std::vector<std::pair<int, std::int64_t>> stages{{1, 64}, {1, 128}, {2, 256}, {2, 512}, {2, 512}};
    for (const auto &[count, out] : stages) {
        for (int i = 0; i < count; ++i)
            x = net.apply(x, same(out, 3));
        x = net.apply(x, halve);
    }
    x = net.affine(x, 4096);
    x = net.affine(x, 4096);
    net.affine(x, benchmarkClasses);
}

void googLeNet(ModelBuilder &model) {
    // Szegedy et al. 2015, Table 1; without the auxiliary classifiers and without normalisation.
    ConvNet net(model, ConvNet::Naming::Benchmarks, false);
    FeatureMap x;
    const auto module = [&](std::int64_t one, std::int64_t narrow3, std::int64_t three, std::int64_t narrow5, std::int64_t five,
                            std::int64_t pooled) {
        x = net.inception("incept_v1", x,
                          {{conv(one, 1, 1)},
                           {conv(narrow3, 1, 1), conv(three, 3, 3)},
                           {conv(narrow5, 1, 1), conv(five, 5, 5)},
                           {pool(), conv(pooled, 1, 1)}});
    };
    x = net.apply(x, same(64, 7, 2));
    x = net.apply(x, poolSame);
    x = net.apply(x, same(64, 1));
    x = net.apply(x, same(192, 3));
    x = net.apply(x, poolSame);
    module(64, 96, 128, 16, 32, 32);
    module(128, 128, 192, 32, 96, 64);
    x = net.apply(x, poolSame);
    module(192, 96, 208, 16, 48, 64);
    module(160, 112, 224, 24, 64, 64);
    module(128, 128, 256, 24, 64, 64);
    module(112, 144, 288, 32, 64, 64);
    module(256, 160, 320, 32, 128, 128);
    x = net.apply(x, poolSame);
    module(256, 160, 320, 32, 128, 128);
    module(384, 192, 384, 48, 128, 128);
    net.affine(averaged(x), benchmarkClasses);
}

void inceptionV3(ModelBuilder &model) {
    // Szegedy et al. 2016 as in Keras: batch normalisation without gamma, no auxiliary classifier.
    ConvNet net(model, ConvNet::Naming::Keras, true);
    FeatureMap x{{}, 3, 299};
    const auto module = [&](const std::vector<Column> &columns) { x = net.inception("mixed", x, columns); };
    for (const Step &step : {valid(32, 3, 2), valid(32, 3), same(64, 3), poolReduce(), valid(80, 1), valid(192, 3), poolReduce()})
        x = net.apply(x, step);
    for (const std::int64_t pooled : {32, 64, 64})
        module({{conv(64, 1, 1)},
                {conv(48, 1, 1), conv(64, 5, 5)},
                {conv(64, 1, 1), conv(96, 3, 3), conv(96, 3, 3)},
                {pool(), conv(pooled, 1, 1)}});
    module({{reduce(384)}, {conv(64, 1, 1), conv(96, 3, 3), reduce(96)}, {poolReduce()}});
    for (const std::int64_t n : {128, 160, 160, 192})
        module({{conv(192, 1, 1)},
                {conv(n, 1, 1), conv(n, 1, 7), conv(192, 7, 1)},
                {conv(n, 1, 1), conv(n, 7, 1), conv(n, 1, 7), conv(n, 7, 1), conv(192, 1, 7)},
                {pool(), conv(192, 1, 1)}});
    module({{conv(192, 1, 1), reduce(320)}, {conv(192, 1, 1), conv(192, 1, 7), conv(192, 7, 1), reduce(192)}, {poolReduce()}});
    for (int i = 0; i < 2; ++i)
        module({{conv(320, 1, 1)},
                {conv(384, 1, 1), conv(384, 1, 3)},
                {share(), conv(384, 3, 1)},
                {conv(448, 1, 1), conv(384, 3, 3), conv(384, 1, 3)},
                {share(), share(), conv(384, 3, 1)},
                {pool(), conv(192, 1, 1)}});
    net.affine(averaged(x), 1000);
}

void inceptionV4(ModelBuilder &model) {
    // Szegedy et al. 2017, batch normalisation without gamma.
    ConvNet net(model, ConvNet::Naming::Benchmarks, true);
    FeatureMap x{{}, 3, 299};
    for (const Step &step : {valid(32, 3, 2), valid(32, 3), same(64, 3)})
        x = net.apply(x, step);
    x = net.inception("incept_v4_sa", x, {{poolReduce()}, {reduce(96)}});
    x = net.inception("incept_v4_sb", x,
                      {{conv(64, 1, 1), valid(96, 3)}, {conv(64, 1, 1), conv(64, 7, 1), conv(64, 1, 7), valid(96, 3)}});
    x = net.inception("incept_v4_sc", x, {{reduce(192)}, {poolReduce()}});
    for (int i = 0; i < 4; ++i)
        x = net.inception("incept_v4_a", x,
                          {{pool(), conv(96, 1, 1)},
                           {conv(96, 1, 1)},
                           {conv(64, 1, 1), conv(96, 3, 3)},
                           {conv(64, 1, 1), conv(96, 3, 3), conv(96, 3, 3)}});
    x = net.inception("incept_v4_ra", x, {{poolReduce()}, {reduce(384)}, {conv(192, 1, 1), conv(224, 3, 3), reduce(256)}});
    for (int i = 0; i < 7; ++i)
        x = net.inception("incept_v4_b", x,
                          {{pool(), conv(128, 1, 1)},
                           {conv(384, 1, 1)},
                           {conv(192, 1, 1), conv(224, 1, 7), conv(256, 7, 1)},
                           {conv(192, 1, 1), conv(192, 1, 7), conv(224, 7, 1), conv(224, 1, 7), conv(256, 7, 1)}});
    x = net.inception(
        "incept_v4_rb", x,
        {{poolReduce()}, {conv(192, 1, 1), reduce(192)}, {conv(256, 1, 1), conv(256, 1, 7), conv(320, 7, 1), reduce(320)}});
    for (int i = 0; i < 3; ++i)
        x = net.inception("incept_v4_c", x,
                          {{pool(), conv(256, 1, 1)},
                           {conv(256, 1, 1)},
                           {conv(384, 1, 1), conv(256, 1, 3)},
                           {share(), conv(256, 3, 1)},
                           {conv(384, 1, 1), conv(448, 1, 3), conv(512, 3, 1), conv(256, 3, 1)},
                           {share(), share(), share(), conv(256, 1, 3)}});
    net.affine(averaged(x), benchmarkClasses);
}

} // namespace syncopate::catalogue
