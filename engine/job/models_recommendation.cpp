// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue_models.h"

#include <fmt/format.h>

namespace syncopate::catalogue {

void neuralCollaborativeFiltering(ModelBuilder &model, std::int64_t users, std::int64_t items, std::int64_t factors,
                                  const std::vector<std::int64_t> &layers, bool sparse) {
    // He et al. 2017 as in tensorflow/models: one table for users and one for items, each with the factors of both halves.
    const std::int64_t width = factors + layers.front() / 2;
    const auto table = [&](const char *name, std::int64_t rows) {
        const std::int32_t layer =
            model.layer(name, 10.0 * static_cast<double>(width), {}, {{fmt::format("{}/embeddings:0", name), {rows, width}}});
        if (sparse)
            model.markSparse();
        return layer;
    };
    const std::int32_t user = table("embedding_user", users);
    const std::int32_t item = table("embedding_item", items);
    std::vector<std::int32_t> parents{user, item};
    for (std::size_t l = 1; l < layers.size(); ++l) {
        const std::string name = fmt::format("layer{}", l);
        parents = {model.layer(name, denseFlops(layers[l - 1], layers[l]), parents,
                               {{name + "/kernel:0", {layers[l - 1], layers[l]}}, {name + "/bias:0", {layers[l]}}})};
    }
    const std::int64_t joined = factors + layers.back();
    model.layer("rating", denseFlops(joined, 1), {user, item, parents.front()},
                {{"rating/kernel:0", {joined, 1}}, {"rating/bias:0", {1}}});
}

} // namespace syncopate::catalogue
