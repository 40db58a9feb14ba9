// SPDX-License-Identifier: GPL-3.0-or-later
// Qt guesses whether a tooltip or a label is rich text, and rich text opens the files that it names: a layer called `<img
// src="/dev/zero">` would fill the memory while the pointer rests on it. Names come from files, so every text that may contain
// one is shown verbatim. tests/rooms/tst_plain_text.cpp finds tooltips and labels that bypass these functions; it trusts
// functions whose names end in Tip where all that they return is safe.
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace syncopate::ui {

/// `text` for a tooltip, with its line breaks and spaces. Unchanged unless Qt would take it for rich text.
[[nodiscard]] QString plainTip(const QString &text);

/// The text that plainTip() was given for this tooltip.
[[nodiscard]] QString tipText(const QString &toolTip);

/// `text` for a menu entry or a button, where a single "&" would underline the next letter instead of being shown.
[[nodiscard]] QString plainAction(const QString &text);

/// The text that a menu entry shows: its letters without the marks that underline one, "&&" as "&".
[[nodiscard]] QString withoutMnemonic(QString text);

/// A label that shows its texts verbatim.
[[nodiscard]] QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr);

/// The same in bold, above a group.
[[nodiscard]] QLabel *headingLabel(const QString &text);

/// A label with rich text: everything in it that is not the program's own text must be escaped.
[[nodiscard]] QLabel *richLabel(QWidget *parent = nullptr);

} // namespace syncopate::ui
