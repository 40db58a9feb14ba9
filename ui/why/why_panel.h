// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/why/analyst.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QTableWidget;
class QToolButton;

namespace syncopate::ui {

class CauseBar;
class Theme;
class Tornado;

/// Why the iteration is as long as it is: the chain of causes along the critical path (or of one wait), what each remedy
/// would gain with a button that tries it, and what every knob would change. Works only while it is seen.
class WhyPanel final : public QWidget {
    Q_OBJECT
public:
    WhyPanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    /// Whether anybody looks: a panel behind another tab is visible to Qt, but idle here.
    void setSeen(bool seen);
    [[nodiscard]] bool isSeen() const { return m_seen; }
    /// Asks about `side`'s wait at `seconds` (from the run's start) of `worker`'s compute stream.
    void askWait(Side side, std::int32_t worker, double seconds);
    /// Asks about `side`'s iteration.
    void askIteration(Side side);
    [[nodiscard]] std::shared_ptr<const WhyAnswer> answer() const { return m_answer; }
    /// Searches whose winners are tried as remedies; asked whenever a question is.
    void setSearched(std::function<std::vector<BestTrial>()> searched) { m_searched = std::move(searched); }
    /// Asks anew, as there are other searches now.
    void searchesChanged();
    /// Makes remedy number `index` of the answer the state, as one undo step.
    void tryRemedy(std::size_t index);
    /// Whether remedies that change nothing, make it slower or cannot be simulated are listed, too.
    void unfold(bool on);
    /// The remedy that a row of the table shows; none: the row of the fold.
    [[nodiscard]] std::optional<std::size_t> remedyAt(int row) const;
    [[nodiscard]] QTableWidget &causes() { return *m_causes; }
    [[nodiscard]] QTableWidget &remedies() { return *m_remedies; }
    [[nodiscard]] Tornado &tornado() { return *m_tornado; }

Q_SIGNALS:
    /// A cause was chosen: show this stretch (seconds from the run's start) and task of `side`.
    void stretchWanted(syncopate::Side side, double fromSeconds, double toSeconds, std::int32_t task);
    /// A new answer, or none: whoever marks bounds in the timelines.
    void answerChanged();

private:
    QWidget *makeCauses();
    QWidget *makeRemedies();
    QWidget *makeSensitivities();
    void runsChanged();
    void ask();
    void show(const std::shared_ptr<const WhyAnswer> &answer);
    void showCauses();
    void showRemedies();
    void showRemedy(int row, const RemedyRow &remedy, double present);
    void showFold(int row);
    void chooseRow(int row); ///< tries its remedy, or opens and closes the fold
    void tryPressed();       ///< the remedy whose button went down
    void clear(const QString &reason);

    const Theme &m_theme;
    Session &m_session;
    bool m_seen = false;
    WhyQuestion m_question;
    std::shared_ptr<const WhyAnswer> m_answer;
    std::shared_ptr<const ShownRun> m_asked; ///< that the analyst was asked about
    bool m_interrupted = false;              ///< it was stopped before the answer was complete
    std::function<std::vector<BestTrial>()> m_searched;
    std::size_t m_helpful = 0; ///< remedies above the fold
    bool m_unfolded = false;
    bool m_outdated = false;                ///< the answer knows other searches
    std::vector<std::size_t> m_shownCauses; ///< per row of m_causes, its number in the answer
    QTimer m_pause;                         ///< knobs in motion: wait until they rest
    QComboBox *m_side;
    QLabel *m_what, *m_bounds, *m_remedyState;
    std::string m_pressed; ///< the remedy whose button is down
    QToolButton *m_whole;
    CauseBar *m_bar;
    QTableWidget *m_causes, *m_remedies;
    Tornado *m_tornado;
    Analyst m_analyst;
};

} // namespace syncopate::ui
