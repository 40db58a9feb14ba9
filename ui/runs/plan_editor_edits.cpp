// SPDX-License-Identifier: GPL-3.0-or-later
// The edits requested by a PlanEditor's fields, and their answers; plan_editor.cpp fills the fields.
#include "engine/session/session_state.h"
#include "ui/runs/plan_editor.h"
#include "ui/runs/plan_shapes.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QSpinBox>
#include <utility>

namespace syncopate::ui {

void PlanEditor::recut() {
    const DagOpId selected = op();
    if (m_filling || !selected.exists() || m_shape->currentIndex() < 0 || m_channel->currentIndex() < 0)
        return;
    const int shape = m_shape->currentData().toInt();
    RecutOp edit{.op = selected, .cut = cutOfShape(shape), .channels = {}};
    edit.cut.segments = m_segments->value();
    edit.cut.splines = m_splines->value();
    const auto channels = static_cast<int>(work().plan.channels.size());
    for (int c = 0; c < channels; ++c)
        if (m_channel->currentIndex() == c || m_channel->currentIndex() == channels)
            edit.channels.emplace_back(c);
    if (edit.channels.empty()) // the ones that it has
        edit.channels = channelsOf(selected);
    const QString name = planText(work().dag.ops[selected.index()].name);
    apply(edit, tr("%1 as %2 on %3").arg(name, cutText(edit.cut, 1), m_channel->currentText()));
}

void PlanEditor::moveEntry(int by) {
    if (const int row = m_order->currentRow(); row >= 0 && row + by >= 0 && row + by < m_order->count())
        moveTo(row, row + by);
}

void PlanEditor::moveTo(int from, int place) {
    const int channel = m_orderOf->currentIndex();
    const auto &order = work().plan.orders[static_cast<std::size_t>(channel)];
    if (from < 0 || from >= static_cast<int>(order.size()))
        return;
    const OrderEntry &entry = order[static_cast<std::size_t>(from)];
    m_order->setCurrentRow(place); // where the motif is going to be
    apply(MoveMotif{entry.motif, ChannelId(channel), place, entry.iterationOffset},
          place < from ? tr("%1 earlier").arg(nameOfMotif(entry.motif)) : tr("%1 later").arg(nameOfMotif(entry.motif)));
}

void PlanEditor::moveIteration(int by) {
    const int row = m_order->currentRow(), channel = m_orderOf->currentIndex();
    if (row < 0 || channel < 0)
        return;
    const OrderEntry &entry = work().plan.orders[static_cast<std::size_t>(channel)][static_cast<std::size_t>(row)];
    apply(MoveMotif{entry.motif, ChannelId(channel), row, entry.iterationOffset + by},
          by > 0 ? tr("%1 an iteration ahead").arg(nameOfMotif(entry.motif))
                 : tr("%1 an iteration back").arg(nameOfMotif(entry.motif)));
}

void PlanEditor::shift(std::int32_t label, std::size_t lane, double seconds) {
    if (!m_side || m_session.isStale(*m_side)) // the timeline is of the plan before, whose motifs have other numbers
        return;
    const MotifId motif = m_work ? MotifId(label - static_cast<std::int32_t>(work().dag.ops.size())) : MotifId();
    if (!motif.exists() || motif.index() >= work().plan.motifs.size() || lane == 0)
        return;
    apply(ShiftMotif{motif, ChannelId(lane - 1), seconds}, tr("%1 dragged").arg(nameOfMotif(motif)));
}

void PlanEditor::apply(const PlanEdit &edit, const QString &what) {
    const SessionState &state = m_session.state();
    if (!m_work || !m_side || !state.job || !state.cluster)
        return;
    if (m_worker.isPending()) { // the fields still show the plan before that edit, so the request may not be what the user meant
        fillOrder();
        return;
    }
    m_worker.start([work = m_work, job = state.job, cluster = effectiveCluster(state, *m_side), edit,
                    what](const std::stop_token &stop, const auto &post) {
        Answer answer{work, {}, {}, what};
        if (auto made = editedWork(*work, *job, cluster, edit, stop))
            answer.made = std::make_shared<const PlannedWork>(*std::move(made));
        else
            answer.refused = made.error();
        post(std::move(answer));
    });
}

void PlanEditor::take(const Answer &answer) {
    if (!m_side || answer.of != m_work) // the plan has changed since
        return;
    if (answer.refused)
        m_answer->setText(tr("Refused: %1").arg(planText(answer.refused->what)));
    m_answer->setVisible(answer.refused.has_value());
    if (answer.refused || answer.made->plan == m_work->plan) {
        fillForm();
        fillOrder();
        return;
    }
    SessionState next = m_session.state();
    SideState &target = next.side(*m_side);
    target.source = planned(target.source, answer.made);
    m_session.change(std::move(next), answer.what);
}

} // namespace syncopate::ui
