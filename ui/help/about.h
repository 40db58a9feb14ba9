// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace syncopate::ui {

/// The program, its version and licence, and the versions of the libraries it was built with and runs on, as rich text.
[[nodiscard]] QString aboutText();

} // namespace syncopate::ui
