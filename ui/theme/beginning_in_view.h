// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace syncopate::ui {

/// Keeps the beginning of an editable box's text in view. By itself a box that is given the focus by key selects all, scrolls to
/// the end, and stays there when it loses the focus.
void keepBeginningInView(QComboBox &box);

} // namespace syncopate::ui
