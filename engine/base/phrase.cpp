// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/phrase.h"

namespace syncopate {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

} // namespace

std::string Phrase::in(const std::function<std::string(const std::string &)> &translate) const {
    if (isName || isEmpty())
        return pattern;
    const std::string own = translate(pattern);
    std::string text;
    for (std::size_t c = 0; c < own.size(); ++c) {
        std::size_t digits = 0, number = 0;
        while (own[c] == '%' && c + digits + 1 < own.size() && digits < 2 && isDigit(own[c + digits + 1]))
            number = 10 * number + static_cast<std::size_t>(own[c + ++digits] - '0');
        if (number == 0 || number > values.size()) {
            text += own[c];
            continue;
        }
        text += values[number - 1].in(translate);
        c += digits;
    }
    return text;
}

std::string Phrase::english() const {
    return in([](const std::string &text) { return text; });
}

Phrase joined(std::vector<Phrase> phrases, std::string_view separator) {
    Phrase all;
    for (std::size_t p = 0; p < phrases.size(); ++p) {
        all.pattern += p > 0 ? separator : std::string_view();
        all.pattern += '%' + std::to_string(p + 1);
    }
    all.values = std::move(phrases);
    return all;
}

} // namespace syncopate
