// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/winner.h"
#include "engine/session/search_state.h"
#include "ui/tasks/background.h"

#include <QDialog>
#include <optional>
#include <vector>

class QLabel;
class QTreeWidget;

namespace syncopate::ui {

class Theme;

/// Explains the winner of a search: the common traits of the best candidates, the worth of each piece of the best one, and
/// whether it stays the best under other conditions (engine/search/winner.h), as a list and two tables. It stays open beside the
/// window; closing it stops the computation.
class WinnerSheet final : public QDialog {
    Q_OBJECT
public:
    explicit WinnerSheet(const Theme &theme, QWidget *parent = nullptr);

    /// Explains a search as it stands now, with its own judge.
    void explain(const SearchPlan &plan, const SearchHistory &history, const std::vector<TunedBaseline> &tuned);

    [[nodiscard]] bool isBusy() const { return m_worker.isPending(); }
    [[nodiscard]] const std::optional<WinnerReport> &report() const { return m_report; }
    [[nodiscard]] QTreeWidget &pieces() { return *m_pieces; }
    [[nodiscard]] QTreeWidget &elsewhere() { return *m_elsewhere; }
    [[nodiscard]] QLabel &state() { return *m_state; }
    [[nodiscard]] QLabel &common() { return *m_common; }

public Q_SLOTS:
    void done(int result) override;

private:
    struct Answer {
        std::optional<WinnerReport> report;
        std::optional<Error> error;
    };
    void take(const Answer &answer);
    void showCommon(const WinnerReport &report);
    void showPieces(const WinnerReport &report);
    void showElsewhere(const WinnerReport &report);

    const Theme &m_theme;
    QLabel *m_common, *m_state, *m_noElsewhere;
    QTreeWidget *m_pieces, *m_elsewhere;
    std::optional<WinnerReport> m_report;
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }};
};

} // namespace syncopate::ui
