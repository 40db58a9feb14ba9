// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/packed_texts.h"

#include <bit>
#include <charconv>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr char made = '+', failed = '-'; ///< first byte of packResult()'s text

} // namespace

std::string packTexts(const std::vector<std::string> &texts) {
    std::string packed;
    for (const std::string &text : texts)
        packed += fmt::format("{}:{}", text.size(), text);
    return packed;
}

Result<std::vector<std::string>> unpackTexts(std::string_view packed) {
    std::vector<std::string> texts;
    while (!packed.empty()) {
        const std::size_t colon = packed.find(':');
        const auto bytes = colon == std::string_view::npos ? std::nullopt : wholeNumberIn(packed.substr(0, colon));
        if (!bytes || *bytes > packed.size() - colon - 1)
            return internalError("packed texts are cut off");
        texts.emplace_back(packed.substr(colon + 1, *bytes));
        packed.remove_prefix(colon + 1 + *bytes);
    }
    return texts;
}

std::string packResult(const Result<std::vector<std::string>> &result) {
    if (result)
        return made + packTexts(*result);
    const Error &error = result.error();
    return failed +
           packTexts({error.what, error.remedy, error.file, error.place, fmt::format("{}", static_cast<int>(error.kind))});
}

Result<std::vector<std::string>> unpackResult(std::string_view packed) {
    if (packed.empty() || (packed.front() != made && packed.front() != failed))
        return internalError("a packed result has no kind");
    auto texts = TRY(unpackTexts(packed.substr(1)));
    if (packed.front() == made)
        return texts;
    const auto kind = texts.size() == 5 ? wholeNumberIn(texts[4]) : std::nullopt;
    if (!kind || *kind > static_cast<std::uint64_t>(ErrorKind::Internal))
        return internalError("a packed error is cut off");
    return Unexpected(Error{texts[0], texts[1], texts[2], texts[3], static_cast<ErrorKind>(*kind)});
}

std::string bitsOf(double number) { return fmt::format("{:x}", std::bit_cast<std::uint64_t>(number)); }

std::vector<std::string> bitsOf(const std::vector<double> &numbers) {
    std::vector<std::string> bits;
    for (const double number : numbers)
        bits.push_back(bitsOf(number));
    return bits;
}

double numberOf(const std::string &bits) {
    std::uint64_t number = 0;
    std::from_chars(bits.data(), bits.data() + bits.size(), number, 16);
    return std::bit_cast<double>(number);
}

std::vector<double> numbersOf(const std::vector<std::string> &bits) {
    std::vector<double> numbers;
    for (const std::string &one : bits)
        numbers.push_back(numberOf(one));
    return numbers;
}

std::optional<std::uint64_t> wholeNumberIn(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace syncopate
