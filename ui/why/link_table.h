// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/why/analyst.h"

#include <QTableWidget>
#include <memory>

namespace syncopate::ui {

/// The links that limit the explained time, the most valuable first by the derivative, and the saving per iteration of 1 Gbit/s
/// more on each.
class LinkTable final : public QTableWidget {
    Q_OBJECT
public:
    explicit LinkTable(QWidget *parent = nullptr);

    void fill(const std::shared_ptr<const WhyAnswer> &answer); ///< null or of a plan: empties it
    enum Column { Link, Rate, Limits, Worth, ColumnCount };
};

} // namespace syncopate::ui
