// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/variables/variables_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLineEdit;
class QTableView;

namespace syncopate::ui {

/// The table of variables with a filter; its current row is the variable to light in the timelines.
class VariablesPanel final : public QWidget {
    Q_OBJECT
public:
    explicit VariablesPanel(Session &session, QWidget *parent = nullptr);

    /// Index of the selected variable, -1 = none.
    [[nodiscard]] std::int32_t selectedVariable() const;
    void clearSelection();
    [[nodiscard]] VariablesModel *model() { return &m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] QSize sizeHint() const override { return {600, 180}; }

Q_SIGNALS:
    void variableSelected(std::int32_t variable);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void copySelection() const;

    Session &m_session;
    VariablesModel m_model;
    QSortFilterProxyModel m_sorted;
    QLineEdit *m_filter;
    QTableView *m_table;
};

} // namespace syncopate::ui
