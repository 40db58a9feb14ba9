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
class LinkTable;
class NoAnswer;
class ScalingView;
class ShareTable;
class Theme;
class Tornado;

/// Why the iteration is as long as it is: the chain of causes along the critical path (or of one wait), what each remedy would
/// gain with a button that tries it, and what every knob would change, or how far it scales. For measured ranks, which of them
/// kept the others waiting. Works only while visible.
class WhyPanel final : public QWidget {
    Q_OBJECT
public:
    WhyPanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    /// Tells the panel whether it is visible: a panel behind another tab is visible to Qt, but idle here.
    void setSeen(bool seen);
    [[nodiscard]] bool isSeen() const { return m_seen; }
    /// Explains the wait of `worker`'s compute stream on `side` at `seconds` (from the run's start).
    void askWait(Side side, std::int32_t worker, double seconds);
    /// Explains `side`'s iteration.
    void askIteration(Side side);
    [[nodiscard]] std::shared_ptr<const WhyAnswer> answer() const { return m_answer; }
    /// A function that returns the searches whose winners are tried as remedies; called with every question.
    void setSearched(std::function<std::vector<BestTrial>()> searched) { m_searched = std::move(searched); }
    /// Asks again, since the searches have changed.
    void searchesChanged();
    /// Applies the remedy with this index in the answer to the state, as one undo step.
    void tryRemedy(std::size_t index);
    /// Whether to list remedies that change nothing, slow it down or cannot be simulated, too.
    void unfold(bool on) { m_remedies->unfold(on); }
    /// The remedy that a row of the table shows; none for the fold's row.
    [[nodiscard]] std::optional<std::size_t> remedyAt(int row) const { return m_remedies->remedyAt(row); }
    [[nodiscard]] QTableWidget &causes();
    [[nodiscard]] QTableWidget &remedies() { return *m_remedies; }
    [[nodiscard]] Tornado &tornado() { return *m_tornado; }
    [[nodiscard]] StragglerTables &stragglers() { return m_stragglers; }
    [[nodiscard]] ScalingView &scaling() { return *m_scaling; }
    /// How a plan's iteration is divided; offered beside knobs and scaling while a plan is explained.
    [[nodiscard]] QTableWidget &shares();
    /// The worth of faster links; offered in place of the shares while no plan is explained.
    [[nodiscard]] QTableWidget &links();
    /// The reason shown where there are no remedies or no knobs.
    [[nodiscard]] NoAnswer &noRemedies() { return *m_noRemedies; }
    [[nodiscard]] NoAnswer &noneBeside() { return *m_noneBeside; }
    /// The views beside causes and remedies, of which only one has room.
    enum Beside { Knobs, Scaling, Links, Shares };
    void showBeside(Beside page);
    void showScaling(bool on) { showBeside(on ? Scaling : Knobs); }

Q_SIGNALS:
    /// A cause was chosen: show this stretch (seconds from the run's start) and task of `side`.
    void stretchWanted(syncopate::Side side, double fromSeconds, double toSeconds, syncopate::TaskId task);
    /// A new answer, or none; timelines mark its bounds.
    void answerChanged();

private:
    QWidget *makeCauses();
    QWidget *makeRemedies();
    QWidget *makeBeside();
    void runsChanged();
    void ask();
    /// Shows the figures of a side without causes, and the way to causes.
    void showMeasured(const ShownRun &run);
    /// Explains the simulation of the other side, or puts one of the job on this one.
    void explainSimulation();
    [[nodiscard]] QString measuredText(const ShownRun &run) const;
    void showStragglers();
    /// Shows causes and remedies, or ranks and steps.
    void showPages(bool stragglers);
    void show(const std::shared_ptr<const WhyAnswer> &answer);
    void showCauses();
    void showRemedies();
    /// Offers shares of a plan beside knobs and scaling, and shows them first; or links.
    void offerShares(bool ofPlan);
    [[nodiscard]] Beside beside() const;
    /// Shows the chosen view, or why there is nothing in it.
    void refreshBeside();
    void clear(const QString &reason);

    Session &m_session;
    bool m_seen = false;
    WhyQuestion m_question;
    std::shared_ptr<const WhyAnswer> m_answer;
    std::shared_ptr<const ShownRun> m_asked; ///< the run that the analyst was asked about
    bool m_interrupted = false;              ///< stopped before the answer was complete
    std::function<std::vector<BestTrial>()> m_searched;
    bool m_outdated = false; ///< the answer does not include the present searches
    QTimer m_pause;          ///< started while knobs move, fires once they rest
    StragglerTables m_stragglers;
    QComboBox *m_side, *m_shown;
    QLabel *m_what, *m_bounds, *m_remedyState;
    QToolButton *m_whole, *m_simulation;
    CauseBar *m_bar;
    CauseTable *m_causes;
    RemedyTable *m_remedies;
    Tornado *m_tornado;
    ScalingView *m_scaling;
    ShareTable *m_shares;
    LinkTable *m_links;
    NoAnswer *m_noRemedies, *m_noneBeside;
    QString m_whyNoKnobs; ///< where there is no answer
    QStackedWidget *m_causePages, *m_remedyPages;
    Analyst m_analyst;
};

} // namespace syncopate::ui
