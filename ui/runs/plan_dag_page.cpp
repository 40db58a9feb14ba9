// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_dag_page.h"

#include "ui/runs/figure_line.h"
#include "ui/runs/plan_dag_view.h"
#include "ui/theme/sentences.h"

#include <QLabel>
#include <QVBoxLayout>
#include <string>
#include <utility>

namespace syncopate::ui {

namespace {

/// The DAG chosen in the sheet.
Result<DagPicture> sheetPicture(const SessionState &state, const PlanSettings &settings, DagOpId around,
                                const std::stop_token &stop) {
    return dagPicture(TRY(planTask(state, settings)).request.dag, around, stop);
}

} // namespace

PlanDagPage::PlanDagPage(const Theme &theme, Session &session, std::function<PlanSettings()> sheet, QWidget *parent)
    : QWidget(parent), m_session(session), m_sheet(std::move(sheet)), m_view(new PlanDagView(theme)),
      m_title(figureLine(tr("The DAG that is drawn"))) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4, 3, 4, 0);
    column->setSpacing(2);
    column->addWidget(m_title);
    column->addWidget(m_view, 1);
    connect(&session, &Session::stateChanged, this, &PlanDagPage::refresh);
    connect(&session, &Session::runsChanged, this, &PlanDagPage::refresh);
    connect(m_view, &PlanDagView::nodePicked, this, &PlanDagPage::picked);
    take({});
}

PlanDagPage::Question PlanDagPage::present() const {
    const SessionState &state = m_session.state();
    Question question;
    for (const Side side : {Side::A, Side::B}) {
        const auto *planned = std::get_if<Planned>(&m_session.stateOfRun(side).side(side).source); // what the run played
        const auto run = m_session.run(side);
        if (!planned || (side == Side::B && !state.compare) || m_session.error(side) || !run || !run->plan())
            continue;
        question.side = side;
        question.run = run;
        question.work = planned->work;
    }
    question.around = m_around;
    if (!question.side)
        question.from = plannedFrom(state, m_sheet());
    return question;
}

void PlanDagPage::refresh() {
    if (!isVisible()) // showEvent() asks then
        return;
    const Question question = present();
    if (m_asked == question || (question.side && m_session.isStale(*question.side))) // the run is of an older state
        return;
    m_asked = question;
    m_worker.start([question, state = m_session.state(), settings = m_sheet()](const std::stop_token &stop, const auto &post) {
        auto picture = question.side ? planPicture(*question.work, *question.run->plan(), question.around, stop)
                                     : sheetPicture(state, settings, question.around, stop);
        Answer answer{question, {}, {}};
        if (picture)
            answer.picture = std::make_shared<const DagPicture>(*std::move(picture));
        else
            answer.error = picture.error();
        post(std::move(answer));
    });
}

void PlanDagPage::take(const Answer &answer) {
    const auto nameOf = [](DagOpId op, const DagPicture *picture) {
        return picture && op.exists() && op.index() < picture->dag->ops.size()
                   ? picture->dag->name + '\n' + picture->dag->ops[op.index()].name
                   : std::string();
    };
    const auto isOfAnotherDag = [&](DagOpId op) {
        return nameOf(op, m_answer.picture.get()) != nameOf(op, answer.picture.get());
    };
    if (isOfAnotherDag(m_selectedOp))
        m_selectedOp = {};
    const bool isElsewhere = isOfAnotherDag(m_around);
    m_answer = answer;
    m_view->setPicture(answer.picture, answer.error ? QString::fromStdString(answer.error->toString())
                                                    : tr("The graph of the planned DAG appears here."));
    if (!m_selectedOp.exists()) // the span selected before the graph arrived
        m_selectedOp = opOfSpan();
    const auto &nodes = answer.picture ? answer.picture->nodeOfOp : std::vector<std::int32_t>();
    m_view->select(m_selectedOp.exists() && m_selectedOp.index() < nodes.size() ? nodes[m_selectedOp.index()] : -1);
    showTitle();
    if (isElsewhere) { // the other DAG begins at its first ops
        m_around = {};
        refresh();
    }
}

DagOpId PlanDagPage::opOfSpan() const {
    const auto side = m_answer.question.side;
    const auto span = side ? m_spans[indexOf(*side)] : std::nullopt;
    if (!span || !m_answer.picture)
        return {};
    const auto &lanes = m_answer.question.run->recording().timeline.lanes;
    return span->lane < lanes.size() && span->span < lanes[span->lane].size()
               ? m_answer.picture->opOfLabel(lanes[span->lane].label[span->span])
               : DagOpId();
}

void PlanDagPage::showTitle() {
    const DagPicture *picture = m_answer.picture.get();
    m_title->setVisible(picture != nullptr);
    if (!picture)
        return;
    int comm = 0, critical = 0;
    for (const DagNode &node : picture->nodes) {
        comm += picture->dag->ops[node.op.index()].isCompute() ? 0 : 1;
        critical += node.isCritical ? 1 : 0;
    }
    const QString name = QString::fromStdString(m_answer.question.side ? m_answer.question.work->title : picture->dag->name);
    QString text = m_answer.question.side == Side::A   ? tr("A: %1").arg(name)
                   : m_answer.question.side == Side::B ? tr("B: %1").arg(name)
                                                       : tr("%1, not planned yet").arg(name);
    const int compute = static_cast<int>(picture->nodes.size()) - comm;
    text += QStringLiteral(" · ") + tr("%n compute-ops", nullptr, compute) + QStringLiteral(", ") +
            tr("%n collectives", nullptr, comm);
    if (picture->isPlanned)
        text += QStringLiteral(", ") + tr("%n of them on the critical path", nullptr, critical);
    for (const std::string &note : picture->notes)
        text += QStringLiteral(" · ") + said(note);
    if (!m_view->drawsAllEdges())
        text += tr(" · of %1 edges only those of the critical path and of the selected op are drawn")
                    .arg(picture->layout.routes.size());
    m_title->setText(text);
}

void PlanDagPage::picked(int node) {
    const DagNode &of = m_answer.picture->nodes[static_cast<std::size_t>(node)];
    m_selectedOp = of.op;
    // A run numbers its own spans: the timeline cannot resolve those of an older one.
    if (const auto side = m_answer.question.side; side && of.span && m_session.run(*side) == m_answer.question.run)
        Q_EMIT spanWanted(*side, *of.span);
}

void PlanDagPage::showSpan(Side side, const std::optional<SpanRef> &span) {
    m_spans[indexOf(side)] = span;
    if (side != m_answer.question.side || !m_answer.picture || m_session.run(side) != m_answer.question.run)
        return;
    m_selectedOp = opOfSpan();
    const std::int32_t node = m_selectedOp.exists() ? m_answer.picture->nodeOfOp[m_selectedOp.index()] : -1;
    m_view->select(node);
    if (node < 0 && m_selectedOp.exists()) { // of a DAG that is only partly shown
        m_around = m_selectedOp;
        refresh();
    }
}

void PlanDagPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

} // namespace syncopate::ui
