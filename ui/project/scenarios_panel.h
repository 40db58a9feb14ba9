// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/project/project_keeper.h"
#include "ui/project/scenarios_model.h"

#include <QWidget>
#include <optional>

class QLabel;
class QTableView;

namespace syncopate::ui {

/// The scenarios that the user kept: to come back to, or to put beside each other.
class ScenariosPanel final : public QWidget {
    Q_OBJECT
public:
    ScenariosPanel(Session &session, ProjectKeeper &keeper, QWidget *parent = nullptr);

    [[nodiscard]] ScenariosModel *model() { return &m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    /// Keeps the present state under a name made of what differs, ready to be changed.
    void keep();
    void goTo(int row);
    /// Puts what `from` was in the kept scenario onto `to`: strategy, policy, and its cluster where that is another one.
    void putOn(int row, Side from, Side to);
    void remove(int row);
    [[nodiscard]] QSize sizeHint() const override { return {600, 180}; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void showMenu(const QPoint &at);
    [[nodiscard]] int currentRow() const;

    Session &m_session;
    ProjectKeeper &m_keeper;
    ScenariosModel m_model;
    QTableView *m_table;
    QLabel *m_empty;
};

} // namespace syncopate::ui
