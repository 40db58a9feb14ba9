// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/random_sampler.h"
#include "engine/search/search_method.h"
#include "engine/strategy/arguments.h"

namespace syncopate {

/// Random+G of AutoDist, section 3.3: Algorithm 1 without a simulator as filter; every sample of the guided sampler is tried. The
/// gene of a trial is the seed of its sample, so trials depend on nothing but the search's seed and their number.
class RandomSearch final : public SearchMethod {
public:
    /// `settings` are valid (validateSampler()), `base` has a job and a cluster with reduction devices.
    RandomSearch(Scenario base, const SamplerSettings &settings, std::uint64_t seed);
    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string description() const override { return describe(m_settings); }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override;
    [[nodiscard]] CandidateSource sourceKind(const Genes & /*genes*/) const override { return CandidateSource::Drawn; }

    /// The genes of a trial of the search with `seed`; projects of format 3 and older store no other genes.
    [[nodiscard]] static Genes genesOf(std::uint64_t seed, std::uint64_t trial);

private:
    Scenario m_base;
    SamplerSettings m_settings;
    std::uint64_t m_seed;
};

/// The name and arguments of Random+G.
[[nodiscard]] const ExpressionInfo &randomSearchInfo();
/// Settings as an expression, unchecked: readRandomSearch() refuses those that are not valid.
[[nodiscard]] std::string formatRandomSearch(const SamplerSettings &settings);
/// Errors as ArgumentValues::read() and validateSampler().
[[nodiscard]] Result<SamplerSettings> readRandomSearch(const Expression &expression);

} // namespace syncopate
