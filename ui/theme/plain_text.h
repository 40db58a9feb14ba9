// SPDX-License-Identifier: GPL-3.0-or-later
// Qt guesses whether a tool tip or a label is rich text, and rich text opens the files that it names: a layer called
// `<img src="/dev/zero">` would fill the memory while the pointer rests on it. Names come from files, so every text that may hold
// one is shown as it is. tests/rooms/tst_plain_text.cpp finds tool tips and labels that do not go through here.
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace syncopate::ui {

/// `text` for a tool tip, in its lines and with its spaces. Unchanged unless Qt would take it for rich text.
[[nodiscard]] QString plainTip(const QString &text);

/// `text` for a menu entry or a button, where "&" would be swallowed and underline the letter after it.
[[nodiscard]] QString plainAction(const QString &text);

/// A label that shows its texts as they are.
[[nodiscard]] QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr);

/// A label of rich text: everything in it that is not the program's own must be escaped.
[[nodiscard]] QLabel *richLabel(QWidget *parent = nullptr);

} // namespace syncopate::ui
