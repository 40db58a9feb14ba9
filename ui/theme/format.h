// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace syncopate::ui {

[[nodiscard]] QString secondsText(double seconds); ///< "97.8 ms"
[[nodiscard]] QString bytesText(double bytes);     ///< "25.6 MiB"
/// The two are equal but for what simulating and rounding to nanoseconds leave: less than a nanosecond apart in seconds, or less
/// than the digits of the larger show.
[[nodiscard]] bool sameSeconds(double from, double to);
/// "▼ −14.6 ms (−13.0 %)": arrow and sign, percent of `from` where there is one; "0" where nothing changed.
[[nodiscard]] QString secondsDeltaText(double from, double to);
[[nodiscard]] QString signedText(double value, const QString &digits);

} // namespace syncopate::ui
