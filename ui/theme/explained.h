// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/glossary.h"

#include <QString>

namespace syncopate::ui {

/// A term's glossary entry for a tooltip: glossaryText().
[[nodiscard]] inline QString explained(const char *term) {
    const std::string_view text = glossaryText(term);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace syncopate::ui
