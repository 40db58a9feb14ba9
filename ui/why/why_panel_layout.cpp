// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the Why panel: their layout, and the effects of its controls.
#include "ui/knobs/knob_bindings.h"
#include "ui/theme/plain_text.h"
#include "ui/why/cause_bar.h"
#include "ui/why/cause_table.h"
#include "ui/why/link_table.h"
#include "ui/why/no_answer.h"
#include "ui/why/scaling_view.h"
#include "ui/why/share_table.h"
#include "ui/why/tornado.h"
#include "ui/why/why_panel.h"
#include "ui/why/why_parts.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace syncopate::ui {

namespace {

/// Sets a knob of the session's state, as one undo step.
void turnKnob(Session &session, std::size_t dimension, double value) {
    const KnobBinding knob = knobBindings()[dimension];
    SessionState next = session.state();
    const double from = knob.value(next);
    knob.set(next, value);
    session.change(std::move(next),
                   WhyPanel::tr("%1 %2 → %3").arg(knob.info.name, knob.info.format(from), knob.info.format(value)));
}

} // namespace

QWidget *WhyPanel::makeCauses() {
    m_side->addItems({QStringLiteral("A"), QStringLiteral("B")});
    m_side->setAccessibleName(tr("Side that is explained"));
    m_side->setToolTip(tr("Explain A or B"));
    connect(m_side, &QComboBox::activated, this, [this](int side) { askIteration(static_cast<Side>(side)); });
    m_whole->setText(tr("Whole iteration"));
    m_whole->setToolTip(tr("Explain the iteration instead of this wait"));
    connect(m_whole, &QToolButton::clicked, this, [this] { askIteration(m_question.side); });
    m_what->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_what->setMinimumWidth(40);
    auto *top = new QWidget;
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_side);
    row->addWidget(m_what, 1);
    row->addWidget(m_whole);
    m_simulation->setAccessibleName(tr("Explain a simulation"));
    m_simulation->setToolTip(tr("For a measured side: explains a simulation instead"));
    row->addWidget(m_simulation);
    connect(m_simulation, &QToolButton::clicked, this, &WhyPanel::explainSimulation);
    connect(m_causes, &CauseTable::stretchWanted, this, &WhyPanel::stretchWanted);
    m_causePages = whyPages(m_causes, m_stragglers.rankTable());
    return whyColumn({top, m_bar, m_causePages});
}

QWidget *WhyPanel::makeRemedies() {
    m_remedies->setToolTip(
        tr("Each remedy is simulated on its own, from the present state: changes that the causes suggest, half\n"
           "and twice each knob, every builder as released and with the arguments of a small grid (its best),\n"
           "every policy that affects this strategy, and the winners of searches for this job.\n"
           "For a plan: every planner, each of its channels with twice the rate and with half the latency,\n"
           "and the knobs that affect it.\n"
           "Try: apply it; Undo takes it back."));
    connect(m_remedies, &RemedyTable::tried, this, &WhyPanel::tryRemedy);
    m_remedyPages = whyPages(m_remedies, m_stragglers.stepTable());
    m_remedyPages->addWidget(m_noRemedies);
    return whyColumn({m_remedyState, m_remedyPages});
}

QWidget *WhyPanel::makeBeside() {
    m_shown->setObjectName(QStringLiteral("whyView"));
    m_shown->addItem(tr("Knobs"), Knobs);
    m_shown->addItem(tr("Scaling"), Scaling);
    m_shown->addItem(tr("Links"), Links);
    m_shown->setAccessibleName(tr("View beside the remedies"));
    m_shown->setToolTip(tr("Knobs: the iteration with each knob at half and at twice its value.\n"
                           "Scaling: samples/s over the number of workers, its bottlenecks, and the knee.\n"
                           "Links: those that limit it, and the time that a faster one would save.\n"
                           "Shares, of a plan: the parts of compute, channels and collectives in the iteration."));
    connect(m_shown, &QComboBox::currentIndexChanged, this, &WhyPanel::refreshBeside);
    m_bounds->setMinimumWidth(40);
    m_bounds->setWordWrap(true);
    connect(m_tornado, &Tornado::valueWanted, this,
            [this](std::size_t dimension, double value) { turnKnob(m_session, dimension, value); });
    connect(m_scaling, &ScalingView::workersWanted, this, [this](std::int32_t workers) {
        if (const auto dimension = scenarioSpace().indexOf("workers"))
            turnKnob(m_session, *dimension, workers);
    });
    auto *top = new QWidget;
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_shown, 0, Qt::AlignTop);
    row->addWidget(m_bounds, 1);
    row->addWidget(m_scaling->header(), 1);
    auto *plots = new QWidget;
    auto *layout = new QVBoxLayout(plots);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tornado);
    layout->addWidget(m_scaling);
    layout->addWidget(m_shares);
    layout->addWidget(m_links);
    layout->addWidget(m_noneBeside);
    refreshBeside();
    return whyColumn({top, plots});
}

} // namespace syncopate::ui
