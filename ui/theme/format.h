// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace syncopate::ui {

[[nodiscard]] QString secondsText(double seconds); ///< "97.8 ms"
[[nodiscard]] QString bytesText(double bytes);     ///< "25.6 MiB"
/// "0.1235", "1235", "123457": up to four digits, or all before the point; "1.235e-05" below 0.0001.
[[nodiscard]] QString figureText(double value);
/// Whether the two are equal in the digits that are shown: readTheSame(). True for NaN.
[[nodiscard]] bool sameSeconds(double from, double to);
/// "▼ −14.6 ms (−13.0 %)": arrow and sign, percent of `from` if it is not zero; "0" if nothing changed.
[[nodiscard]] QString secondsDeltaText(double from, double to);
[[nodiscard]] QString signedText(double value, const QString &digits);
[[nodiscard]] QString savingText(double seconds); ///< "3.2 ms", "0" below a nanosecond, "−3.2 ms" for a loss

} // namespace syncopate::ui
