// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/variables/variables_model.h"

#include <QWidget>
#include <array>
#include <vector>

class QLabel;
class QTableView;
class QToolButton;

namespace syncopate::ui {

class FilterLine;
class LoadBars;
class NodeEditSheet;
class Theme;

/// The table of variables with a filter, the load of each side's servers and the pitfalls of its strategy. The current row's
/// variable is highlighted in the timelines; the selected ones can be edited together.
class VariablesPanel final : public QWidget {
    Q_OBJECT
public:
    VariablesPanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    /// Index of the selected variable, -1 = none.
    [[nodiscard]] std::int32_t selectedVariable() const;
    void clearSelection();
    [[nodiscard]] std::vector<std::int32_t> selectedVariables() const; ///< in the job's order
    /// Opens the sheet that changes the selected variables on `side`; null if there is nothing to change.
    NodeEditSheet *editSelected(Side side);
    /// Discards the edits of `side`: its strategy is the builder's again.
    void takeEditsBack(Side side);
    [[nodiscard]] LoadBars *loadBars(Side side) const { return m_bars[indexOf(side)]; }
    [[nodiscard]] QString marksText(Side side) const;
    /// The first of the marks, a line each.
    [[nodiscard]] QString marksTip(Side side) const;
    [[nodiscard]] VariablesModel *model() { return &m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] FilterLine *filter() const { return m_filter; }
    [[nodiscard]] QSize sizeHint() const override { return {600, 180}; }

Q_SIGNALS:
    void variableSelected(std::int32_t variable);
    void copyWanted(); ///< of the table's selected rows

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeTable();
    QLayout *makeBar(const Theme &theme);
    QMenu *makeEditMenu();
    void refresh();
    /// Shows, in place of the table, why there are no variables.
    void showReason();
    void showMenu(const QPoint &at);

    Session &m_session;
    VariablesModel m_model;
    VariablesProxy m_sorted{m_model};
    FilterLine *m_filter;
    QTableView *m_table;
    QToolButton *m_edit;
    QLabel *m_reason;
    std::array<LoadBars *, 2> m_bars{};
    std::array<QLabel *, 2> m_marks{};
};

} // namespace syncopate::ui
