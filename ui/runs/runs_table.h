// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_model.h"

#include "engine/session/session_state.h"

#include <QJsonObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QTableView;

namespace syncopate::ui {

class FilterLine;
class Theme;

/// The table of a run's rows: sorted, filtered by expressions, pinned rows on top. Enter, a double click, and the keys A and B
/// ask for a row. The window lets copyRowsWithKeyboard() (ui/export/model_table.h) copy its rows.
class RunsTable final : public QWidget {
    Q_OBJECT
public:
    struct Words {
        QString name, toolTip;             ///< of the table
        QString filterName, filterExample; ///< of the line above it
        QString keys;                      ///< what the keys do, in the line above the table
        std::function<QString(int)> rows;  ///< "12 plans"
        int sortColumn = 1;
        bool clickWantsB = false; ///< a click asks for a row on side B; else a double click asks for it on A
    };
    /// Takes ownership of `model`.
    RunsTable(const Theme &theme, RunsModel *model, Words words, QWidget *parent = nullptr);

    [[nodiscard]] RunsModel &model() { return m_model; }
    [[nodiscard]] RunsProxy &proxy() { return m_proxy; }
    [[nodiscard]] QTableView &table() { return *m_table; }
    [[nodiscard]] FilterLine &filter() { return *m_filter; }
    [[nodiscard]] QLabel &stateLabel() { return *m_state; }
    /// Makes it the current row and scrolls to it, unless the filter hides it.
    void select(RunId id);
    /// Shown while there are no rows: why there are none.
    void setEmptyText(const QString &text);
    /// Filter and order, as a project keeps them.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

Q_SIGNALS:
    /// Pins, filter or order changed.
    void changed();
    void wanted(qint64 id, syncopate::Side side);
    void selected(qint64 id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void makeTable();
    void setWidths();
    void connectAll();
    void act(int key);
    [[nodiscard]] RunId idAt(const QModelIndex &index) const;
    [[nodiscard]] bool isPin(const QModelIndex &index) const;
    [[nodiscard]] std::optional<RunId> current() const;
    void togglePin(const std::vector<RunId> &ids);
    void refresh();

    RunsModel &m_model;
    const Words m_words;
    RunsProxy m_proxy;
    FilterLine *m_filter;
    QTableView *m_table;
    QLabel *m_state, *m_keys;
    QString m_emptyText;
};

} // namespace syncopate::ui
