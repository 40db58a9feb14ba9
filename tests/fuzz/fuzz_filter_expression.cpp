// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/filter_expression.h"

#include <array>
#include <cmath>
#include <cstdlib>

/// Any text yields an expression that can be evaluated on rows, or an Error that names a character of the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    using namespace syncopate::ui;
    static const std::array<FilterField, 4> fields{{{QStringLiteral("name"), FilterField::Kind::Text},
                                                    {QStringLiteral("iteration"), FilterField::Kind::Seconds},
                                                    {QStringLiteral("bytes"), FilterField::Kind::Bytes},
                                                    {QStringLiteral("servers"), FilterField::Kind::Number}}};
    const QString text = QString::fromUtf8(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto expression = FilterExpression::parse(text, fields);
    if (!expression) {
        const Error &error = expression.error();
        const int character = std::atoi(error.place.c_str() + std::string_view("character ").size());
        if (error.what.empty() || error.remedy.empty() || !error.place.starts_with("character ") || character < 1 ||
            character > text.size() + 1)
            std::abort();
        return 0;
    }
    const auto full = [](std::size_t field) { return field == 0 ? FilterValue(QStringLiteral("a kernel")) : FilterValue(4.0e6); };
    const auto empty = [](std::size_t) { return FilterValue(); };
    // Evaluation is deterministic; an expression without a comparison matches every row.
    if (expression->matches(full) != expression->matches(full))
        std::abort();
    if (expression->isEmpty() && !expression->matches(empty))
        std::abort();
    return 0;
}
