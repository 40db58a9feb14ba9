// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/plan_edit.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QWidget>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace syncopate::ui {

/// Edits the plan that a side shows, B's before A's: how a collective is cut into motifs, on which channels they run, and in
/// which order. Every edit is verified and played on a worker thread; then it becomes the side's plan as one undo step, or is
/// refused with a reason and changes nothing.
class PlanEditor final : public QWidget {
    Q_OBJECT
public:
    explicit PlanEditor(Session &session, QWidget *parent = nullptr);

    /// The side whose plan is edited; null: neither shows one.
    [[nodiscard]] std::optional<Side> side() const { return m_side; }
    /// Starts an edit of the plan of side(); does nothing while another one is in progress. `what` names the undo step.
    void apply(const PlanEdit &edit, const QString &what);
    /// Makes the motif with this label in the side's timeline start `seconds` later, on the channel of a lane. Does nothing while
    /// the timeline is of an older plan.
    void shift(std::int32_t label, std::size_t lane, double seconds);
    [[nodiscard]] bool isPending() const { return m_worker.isPending(); }

    [[nodiscard]] QTableWidget &opsTable() { return *m_ops; }
    [[nodiscard]] QSpinBox &segmentsBox() { return *m_segments; }
    [[nodiscard]] QSpinBox &splinesBox() { return *m_splines; }
    [[nodiscard]] QComboBox &channelBox() { return *m_channel; }
    [[nodiscard]] QComboBox &orderBox() { return *m_orderOf; }
    [[nodiscard]] QListWidget &orderList() { return *m_order; }
    [[nodiscard]] QPushButton &earlierButton() { return *m_earlier; }
    [[nodiscard]] QLabel &answerLabel() { return *m_answer; }

private:
    struct Answer {
        std::shared_ptr<const PlannedWork> of; ///< the plan that was edited
        std::shared_ptr<const PlannedWork> made;
        std::optional<Error> refused;
        QString what;
    };
    [[nodiscard]] QWidget *makeOps();
    [[nodiscard]] QWidget *makeForm();
    [[nodiscard]] QWidget *makeOrder();
    void connectAll();
    void refresh();
    void fillOps();
    void fillForm();
    void fillOrder();
    void fillShapes(const DagOp &op);
    void take(const Answer &answer);
    void recut();
    void moveEntry(int by);
    void moveIteration(int by);
    void moveTo(int from, int place);
    [[nodiscard]] const PlannedWork &work() const { return *m_work; }
    /// The selected comm-op; may be none.
    [[nodiscard]] DagOpId op() const;
    [[nodiscard]] std::vector<Motif> motifsOf(DagOpId op) const;
    [[nodiscard]] QString nameOfMotif(MotifId motif) const;
    [[nodiscard]] std::vector<ChannelId> channelsOf(DagOpId op) const; ///< in the plan's order
    [[nodiscard]] QString channelsText(DagOpId op) const;

    Session &m_session;
    std::optional<Side> m_side;
    std::shared_ptr<const PlannedWork> m_work; ///< the plan that is shown
    QLabel *m_title, *m_answer;
    QTableWidget *m_ops;
    QSpinBox *m_segments, *m_splines;
    QComboBox *m_shape, *m_channel, *m_orderOf;
    QListWidget *m_order;
    QPushButton *m_earlier, *m_later, *m_sooner, *m_afterwards;
    QWidget *m_body;
    bool m_filling = false; ///< fields are being filled from the plan, not edited
    /// Last, so that its thread has ended before the rest is destroyed.
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }};
};

} // namespace syncopate::ui
