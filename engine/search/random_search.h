// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/random_sampler.h"
#include "engine/search/search.h"

namespace syncopate {

/// Random+G of AutoDist, section 3.3: Algorithm 1 without a simulator to filter by, every sample of the guided sampler is tried.
/// Trial n depends on the seed and n alone, so nothing has to be remembered.
class RandomSearch final : public SearchMethod {
public:
    /// `settings` are valid (validateSampler()).
    RandomSearch(std::shared_ptr<const Job> job, std::shared_ptr<const Cluster> cluster, const SamplerSettings &settings,
                 std::uint64_t seed);
    [[nodiscard]] std::string name() const override { return "random"; }
    [[nodiscard]] Result<std::vector<std::shared_ptr<const Strategy>>> propose(std::uint64_t first,
                                                                               std::stop_token stop) override;
    [[nodiscard]] Result<std::shared_ptr<const Strategy>> reproduce(std::uint64_t trial) override;

private:
    std::shared_ptr<const Job> m_job;
    std::shared_ptr<const Cluster> m_cluster;
    SamplerSettings m_settings;
    std::uint64_t m_seed;
};

struct SearchMethodInfo {
    std::string name;        ///< "random"
    std::string description; ///< one sentence
};
/// The methods there are.
[[nodiscard]] const std::vector<SearchMethodInfo> &searchMethods();
/// A method by its name, for `request`. Errors: an unknown name (the error lists the known ones), bad settings, no job or
/// cluster.
[[nodiscard]] Result<std::unique_ptr<SearchMethod>> makeSearchMethod(std::string_view name, const SearchRequest &request,
                                                                     const SamplerSettings &settings = {});

} // namespace syncopate
