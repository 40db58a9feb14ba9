// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace syncopate::ui {

/// What this is, its version and licence, and the versions of what it is built on and runs with, as rich text.
[[nodiscard]] QString aboutText();

} // namespace syncopate::ui
