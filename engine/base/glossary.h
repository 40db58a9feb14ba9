// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace syncopate {

/// Explains a term in a sentence or two, for tool tips and reports: the first paragraph of its entry in docs/glossary.md, which
/// is compiled in. `term` is the entry's heading, "Hit rate"; any other text is a programmer's error and gives "". Markdown is
/// not rendered, so entries that programs show must be plain. One pass over the glossary, some 20 KB.
[[nodiscard]] std::string_view glossaryText(std::string_view term);

/// The same for a term that may have no entry, such as the name of a search's argument: then "".
[[nodiscard]] std::string_view findGlossaryText(std::string_view term);

} // namespace syncopate
