// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/dag_picture.h"
#include "ui/runs/plan_sheet.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QWidget>
#include <array>
#include <functional>
#include <memory>
#include <optional>

class QLabel;

namespace syncopate::ui {

class PlanDagView;
class Theme;

/// The DAG of the plan that a side shows, B's before A's, as a graph; if neither shows one, the DAG chosen in the sheet, without
/// channels. The graph is laid out on a worker thread while the page is visible. Selecting a span in the side's timeline
/// highlights its op, and clicking an op selects its first span.
class PlanDagPage final : public QWidget {
    Q_OBJECT
public:
    /// `sheet`: returns the settings of planning.
    PlanDagPage(const Theme &theme, Session &session, std::function<PlanSettings()> sheet, QWidget *parent = nullptr);

    [[nodiscard]] PlanDagView &view() { return *m_view; }
    /// Names the DAG, and says which part of it is not shown.
    [[nodiscard]] QLabel &titleLabel() { return *m_title; }
    /// The side whose plan is shown; null: the sheet's DAG.
    [[nodiscard]] std::optional<Side> side() const { return m_answer.question.side; }
    /// Whether another graph is being laid out.
    [[nodiscard]] bool isPending() const { return m_worker.isPending(); }
    /// Takes the span selected in the timeline of a side.
    void showSpan(Side side, const std::optional<SpanRef> &span);
    /// The state, a run or the sheet changed.
    void refresh();

Q_SIGNALS:
    void spanWanted(syncopate::Side side, const syncopate::SpanRef &span);

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// The inputs of a graph.
    struct Question {
        std::optional<Side> side;
        std::shared_ptr<const ShownRun> run;     ///< that side's
        std::shared_ptr<const PlannedWork> work; ///< the plan that the run plays
        PlannedFrom from;                        ///< the sheet's DAG, if no side shows a plan
        DagOpId around{};
        bool operator==(const Question &) const = default;
    };
    struct Answer {
        Question question;
        std::shared_ptr<const DagPicture> picture;
        std::optional<Error> error;
    };
    [[nodiscard]] Question present() const;
    void take(const Answer &answer);
    /// The op of the span selected in the side's timeline; may be none.
    [[nodiscard]] DagOpId opOfSpan() const;
    void showTitle();
    void picked(int node);

    Session &m_session;
    std::function<PlanSettings()> m_sheet;
    PlanDagView *m_view;
    QLabel *m_title;
    std::optional<Question> m_asked;
    Answer m_answer;
    DagOpId m_around;                              ///< if the DAG is only partly shown, the op whose neighbours are
    DagOpId m_selectedOp;                          ///< in the DAG that is shown
    std::array<std::optional<SpanRef>, 2> m_spans; ///< selected in the timelines of A and B
    /// Last, so that its thread has ended before the rest is destroyed. An outdated graph is shown until a newer one arrives.
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }, std::chrono::milliseconds(150)};
};

} // namespace syncopate::ui
