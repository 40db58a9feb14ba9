// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/genes.h"

#include "engine/base/rng.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace syncopate {

namespace {

/// Appends numbers separated by single spaces, up to a semicolon or the end of the text; returns where they end.
template <class Number> Result<std::size_t> parseNumbers(std::string_view text, std::size_t at, std::vector<Number> &numbers) {
    while (at < text.size() && text[at] != ';') {
        Number number{};
        const auto [rest, status] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        const auto end = static_cast<std::size_t>(rest - text.data());
        const bool isApart = end == text.size() || text[end] == ' ' || text[end] == ';';
        if (status != std::errc() || !isApart || !std::isfinite(static_cast<double>(number)))
            return fail("the genes of a trial are not numbers", "the file is damaged: open an older copy", {},
                        fmt::format("byte {}", at));
        numbers.push_back(number);
        at = end;
        if (at < text.size() && text[at] == ' ')
            ++at;
    }
    return at;
}

} // namespace

std::string formatGenes(const Genes &genes) {
    std::string text;
    for (const std::uint64_t number : genes.whole)
        fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : " ", number);
    for (std::size_t i = 0; i < genes.real.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? ";" : " ", genes.real[i]);
    return text;
}

Result<Genes> parseGenes(std::string_view text) {
    Genes genes;
    std::size_t at = TRY(parseNumbers(text, 0, genes.whole));
    if (at < text.size())
        at = TRY(parseNumbers(text, at + 1, genes.real));
    if (at < text.size())
        return fail("the genes of a trial have more than two lists", "the file is damaged: open an older copy", {},
                    fmt::format("byte {}", at));
    return genes;
}

} // namespace syncopate

std::size_t std::hash<syncopate::Genes>::operator()(const syncopate::Genes &genes) const noexcept {
    std::uint64_t state = genes.whole.size();
    for (const std::uint64_t number : genes.whole)
        state = syncopate::Rng(state ^ number).next();
    for (const double number : genes.real)
        state = syncopate::Rng(state ^ std::bit_cast<std::uint64_t>(number + 0.0)).next(); // + 0.0 makes -0 and 0 equal
    return static_cast<std::size_t>(state);
}
