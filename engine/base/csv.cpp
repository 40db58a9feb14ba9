// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"

namespace syncopate {

std::vector<std::string> splitCsvLine(std::string_view line) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
        if (c == ',')
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

} // namespace syncopate
