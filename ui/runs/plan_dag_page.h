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

/// The DAG of the plan that a side shows, B's before A's, as a graph; where neither shows one, the DAG that the sheet has chosen,
/// without channels. The graph is laid out on a thread, while the page is seen. A span that is selected in the side's timeline
/// lights its op, and an op that is clicked selects its first span.
class PlanDagPage final : public QWidget {
    Q_OBJECT
public:
    /// `sheet`: what is planned.
    PlanDagPage(const Theme &theme, Session &session, std::function<PlanSettings()> sheet, QWidget *parent = nullptr);

    [[nodiscard]] PlanDagView &view() { return *m_view; }
    /// Which DAG it is, and what of it is left out.
    [[nodiscard]] QLabel &titleLabel() { return *m_title; }
    /// The side whose plan is shown; null: the sheet's DAG.
    [[nodiscard]] std::optional<Side> side() const { return m_answer.question.side; }
    /// The graph that is shown is not the one of the present state yet.
    [[nodiscard]] bool isPending() const { return m_worker.isPending(); }
    /// What is selected in the timeline of a side.
    void showSpan(Side side, const std::optional<SpanRef> &span);
    /// The state, a run or the sheet is another.
    void refresh();

Q_SIGNALS:
    void spanWanted(syncopate::Side side, const syncopate::SpanRef &span);

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// What a graph is of.
    struct Question {
        std::optional<Side> side;
        std::shared_ptr<const ShownRun> run;     ///< of that side
        std::shared_ptr<const PlannedWork> work; ///< that it plays
        PlannedFrom from;                        ///< the sheet's DAG, where no side shows one
        std::int32_t around = -1;                ///< op
        bool operator==(const Question &) const = default;
    };
    struct Answer {
        Question question;
        std::shared_ptr<const DagPicture> picture;
        std::optional<Error> error;
    };
    [[nodiscard]] Question present() const;
    void take(const Answer &answer);
    /// The op of the span that is selected in the side's timeline; -1: none.
    [[nodiscard]] std::int32_t opOfSpan() const;
    void showTitle();
    void picked(int node);

    Session &m_session;
    std::function<PlanSettings()> m_sheet;
    PlanDagView *m_view;
    QLabel *m_title;
    std::optional<Question> m_asked;
    Answer m_answer;
    std::int32_t m_around = -1;                    ///< the op whose neighbours are shown, of a DAG that is not shown whole
    std::int32_t m_selectedOp = -1;                ///< of the DAG that is shown
    std::array<std::optional<SpanRef>, 2> m_spans; ///< selected in the timelines of A and B
    /// Last, so that its thread has ended before the rest is destroyed. An older graph is better than none.
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }, std::chrono::milliseconds(150)};
};

} // namespace syncopate::ui
