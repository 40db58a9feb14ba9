// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace syncopate::ui {

/// Keeps the beginning of an editable box's text in view: a box that is given the focus by key selects all, with the end in view,
/// and leaves it there when it loses the focus.
void keepBeginningInView(QComboBox &box);

} // namespace syncopate::ui
