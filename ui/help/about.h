// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace syncopate::ui {

/// The program, its version and licence, and the versions of Qt, other libraries, compiler and system, as rich text.
[[nodiscard]] QString aboutText();

} // namespace syncopate::ui
