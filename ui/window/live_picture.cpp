// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/live_picture.h"

#include "engine/job/catalogue.h"
#include "ui/runs/plan_stack.h"
#include "ui/session/sample.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {
constexpr int workers = 8;
constexpr int steps = 40; ///< of the slider, from leastGbits to ten times that
constexpr double leastGbits = 4;
constexpr int firstStep = 16;
} // namespace

LivePicture::LivePicture(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_stack(new PlanStack(theme)), m_slider(new QSlider(Qt::Horizontal)), m_value(plainLabel()),
      m_line(plainLabel()) {
    m_stack->setAccessibleName(tr("All-reduce and parameter servers"));
    m_stack->setEmptyText({});
    m_stack->setFocusPolicy(Qt::NoFocus);
    m_stack->setFixedHeight(92);
    m_stack->setToolTip(tr("One iteration of each: computing above, communication below. It ends at the dashed line."));
    m_slider->setRange(0, steps);
    m_slider->setValue(firstStep);
    m_slider->setAccessibleName(tr("Bandwidth"));
    m_slider->setToolTip(tr("Bandwidth of each worker: both strategies are simulated while it moves"));
    auto *row = new QHBoxLayout;
    auto *name = plainLabel(tr("Bandwidth"));
    name->setBuddy(m_slider);
    m_value->setMinimumWidth(m_value->fontMetrics().horizontalAdvance(tr("%1 Gbit/s").arg(QStringLiteral("00.0"))));
    row->addWidget(name);
    row->addWidget(m_slider, 1);
    row->addWidget(m_value);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_stack);
    column->addLayout(row);
    column->addWidget(m_line);
    connect(m_slider, &QSlider::valueChanged, this, &LivePicture::simulate);
}

double LivePicture::gbits() const { return leastGbits * std::pow(10.0, static_cast<double>(m_slider->value()) / steps); }

SessionState LivePicture::state() const {
    SessionState state;
    state.job = m_job;
    state.cluster = std::make_shared<const Cluster>(uniformCluster(workers, gbits()));
    state.sides = defaultSides();
    return state;
}

void LivePicture::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    if (!m_job)
        if (auto job = catalogueJob("resnet50"))
            m_job = std::make_shared<const Job>(*std::move(job));
    simulate();
}

void LivePicture::simulate() {
    m_value->setText(tr("%1 Gbit/s").arg(gbits(), 0, 'f', 1));
    if (!m_job)
        return;
    m_simulator.start([state = state(), gbits = gbits()](const std::stop_token &stop, const auto &post) {
        Answer answer{gbits, {}};
        for (const Side side : {Side::A, Side::B})
            if (auto run = simulateSide(state, side, stop))
                answer.runs[indexOf(side)] = *std::move(run);
        if (answer.runs[0] && answer.runs[1])
            post(std::move(answer));
    });
}

void LivePicture::take(const Answer &answer) {
    const std::array titles{tr("All-reduce"), tr("Parameter servers")};
    const std::array withinSentence{tr("all-reduce"), tr("parameter servers")};
    const bool first = m_stack->rows().empty();
    const auto window = m_stack->axis().window();
    std::vector<PlanStack::Row> rows;
    for (const std::size_t s : {std::size_t{0}, std::size_t{1}}) {
        const auto &run = answer.runs[s];
        rows.push_back({titles[s],
                        secondsText(run->recording().iterationSeconds),
                        {run, &run->timeline()},
                        false,
                        PlanStack::lanesOfWorker(run->timeline(), run->window().worker)});
    }
    m_stack->setRows(std::move(rows));
    if (!first) // keep the time scale, so that a faster iteration looks shorter
        m_stack->axis().setWindow(window.first, window.second);
    const double a = answer.runs[0]->recording().iterationSeconds, b = answer.runs[1]->recording().iterationSeconds;
    const double percent = 100 * (1 - std::min(a, b) / std::max(a, b));
    const QString faster = sameSeconds(a, b) || percent < 0.5
                               ? tr("both take as long")
                               : tr("%1 % less time with %2").arg(percent, 0, 'f', 0).arg(withinSentence[a < b ? 0 : 1]);
    m_line->setText(tr("ResNet-50 on %1 workers at %2 Gbit/s: %3.").arg(workers).arg(answer.gbits, 0, 'f', 1).arg(faster));
}

} // namespace syncopate::ui
