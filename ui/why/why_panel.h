// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/why/analyst.h"
#include "ui/why/remedy_table.h"
#include "ui/why/straggler_tables.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace syncopate::ui {

class CauseBar;
class CauseTable;
class ScalingView;
class Theme;
class Tornado;

/// Why the iteration is as long as it is: the chain of causes along the critical path (or of one wait), what each remedy
/// would gain with a button that tries it, and what every knob would change, or how far it scales. Of measured ranks, which of
/// them kept the others waiting. Works only while it is seen.
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
    void unfold(bool on) { m_remedies->unfold(on); }
    /// The remedy that a row of the table shows; none: the row of the fold.
    [[nodiscard]] std::optional<std::size_t> remedyAt(int row) const { return m_remedies->remedyAt(row); }
    [[nodiscard]] QTableWidget &causes();
    [[nodiscard]] QTableWidget &remedies() { return *m_remedies; }
    [[nodiscard]] Tornado &tornado() { return *m_tornado; }
    [[nodiscard]] StragglerTables &stragglers() { return m_stragglers; }
    [[nodiscard]] ScalingView &scaling() { return *m_scaling; }
    /// What knobs change, or how far it scales: beside causes and remedies there is room for one of them.
    void showScaling(bool on);

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
    void askStragglers();
    void showStragglers();
    /// Causes and remedies, or ranks and steps.
    void showPages(bool stragglers);
    void show(const std::shared_ptr<const WhyAnswer> &answer);
    void showCauses();
    void showRemedies();
    void showBounds();
    void clear(const QString &reason);

    Session &m_session;
    bool m_seen = false;
    WhyQuestion m_question;
    std::shared_ptr<const WhyAnswer> m_answer;
    std::shared_ptr<const ShownRun> m_asked; ///< that the analyst was asked about
    bool m_interrupted = false;              ///< it was stopped before the answer was complete
    std::function<std::vector<BestTrial>()> m_searched;
    bool m_outdated = false; ///< the answer knows other searches
    QTimer m_pause;          ///< knobs in motion: wait until they rest
    StragglerTables m_stragglers;
    QComboBox *m_side, *m_shown;
    QLabel *m_what, *m_bounds, *m_remedyState;
    QToolButton *m_whole;
    CauseBar *m_bar;
    CauseTable *m_causes;
    RemedyTable *m_remedies;
    Tornado *m_tornado;
    ScalingView *m_scaling;
    QStackedWidget *m_causePages, *m_remedyPages;
    Analyst m_analyst;
};

} // namespace syncopate::ui
