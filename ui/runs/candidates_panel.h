// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/candidates_model.h"

#include <QJsonObject>
#include <QWidget>

class QLabel;
class QTableView;

namespace syncopate::ui {

class FilterLine;
class Theme;

/// The table of a search's candidates: sorted, filtered by expressions, the pinned ones on top. Enter or a double click puts
/// one on side A, the keys A and B on that side.
class CandidatesPanel final : public QWidget {
    Q_OBJECT
public:
    CandidatesPanel(const Theme &theme, Searcher &searcher, QWidget *parent = nullptr);

    [[nodiscard]] CandidatesModel &model() { return m_model; }
    [[nodiscard]] CandidatesProxy &proxy() { return m_proxy; }
    [[nodiscard]] QTableView &table() { return *m_table; }
    [[nodiscard]] FilterLine &filter() { return *m_filter; }
    [[nodiscard]] QLabel &stateLabel() { return *m_state; }
    /// Makes it the current row and scrolls there; a candidate that the filter hides is left alone.
    void select(CandidateId id);
    /// Filter and order, as a project keeps them.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

Q_SIGNALS:
    /// Pins, filter or order.
    void changed();
    void wanted(qint64 candidate, syncopate::Side side);
    void selected(qint64 candidate);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void makeTable();
    void connectAll();
    [[nodiscard]] std::optional<CandidateId> current() const;
    void togglePin(const std::vector<CandidateId> &ids);
    void copySelection() const;
    void refresh();

    Searcher &m_searcher;
    CandidatesModel m_model;
    CandidatesProxy m_proxy;
    FilterLine *m_filter;
    QTableView *m_table;
    QLabel *m_state;
};

} // namespace syncopate::ui
