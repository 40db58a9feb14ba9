// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/scaling_view.h"

#include "engine/job/batch.h"
#include "ui/session/simulate_side.h"
#include "ui/tasks/throttle.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/translation.h"
#include "ui/why/scaling_plot.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

QString kneeNumber(const ScalingKnee &knee) {
    return knee.isBeyond ? ScalingView::tr("%1 or more").arg(knee.workers) : QString::number(knee.workers);
}

QString kneeText(const ScalingKnee &knee) {
    return knee.isBeyond ? ScalingView::tr("Knee: %n or more workers", nullptr, knee.workers)
                         : ScalingView::tr("Knee: %n workers", nullptr, knee.workers);
}

std::int32_t workersOf(const SessionState &state, Side side) {
    if (!state.job || !state.cluster || !state.side(side).hasScenario())
        return 0;
    const auto &sideCluster = state.side(side).cluster;
    return state.workers.value_or((sideCluster ? *sideCluster : *state.cluster).replicaCount());
}

constexpr int linesOfText = 4; ///< at most, above the plot

/// Only the numbers of workers; the plot's tooltip gives the reason for each.
QString worthText(const Scaling &scaling) {
    QStringList numbers;
    for (const WorthBenchmarking &count : scaling.worth)
        numbers += QString::number(count.workers);
    return numbers.join(QStringLiteral(", "));
}

} // namespace

ScalingView::ScalingView(const Theme &theme, Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_header(new QWidget), m_range(new QSpinBox), m_button(new QToolButton),
      m_text(new ElidedLabel(Qt::ElideRight, linesOfText)), m_plot(new ScalingPlot(theme)) {
    m_range->setRange(2, maxScalingWorkers);
    m_range->setValue(ScalingOptions().to);
    m_range->setPrefix(tr("1 to "));
    m_range->setKeyboardTracking(false);
    m_range->setAccessibleName(tr("Maximum number of workers to simulate"));
    m_range->setToolTip(tr("Maximum number of workers to simulate, from 1 on. The largest numbers take the longest."));
    auto *controls = new QHBoxLayout(m_header);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(4);
    controls->addWidget(m_range);
    controls->addWidget(m_button);
    controls->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_text);
    layout->addWidget(m_plot, 1);
    m_pause.setSingleShot(true);
    m_pause.setInterval(300);
    connect(&m_pause, &QTimer::timeout, this, &ScalingView::start);
    connect(&session, &Session::stateChanged, this, &ScalingView::stateChanged);
    connect(m_range, &QSpinBox::valueChanged, this, [this] {
        interrupt();
        if (m_seen)
            start();
    });
    connect(m_button, &QToolButton::clicked, this, &ScalingView::press);
    connect(m_plot, &ScalingPlot::workersWanted, this, &ScalingView::workersWanted);
    refresh();
}

bool ScalingView::isOutdated() const {
    if (!m_asked || m_isInterrupted || m_askedSide != m_side || m_askedTo != m_range->value())
        return true;
    SessionState present = m_session.state(); // ignore the knob for workers: it is a position on the curve
    present.workers = m_asked->workers;
    return !present.sameScenario(*m_asked, m_side);
}

void ScalingView::interrupt() {
    m_worker.cancel();
    m_isInterrupted = std::exchange(m_running, false) || m_isInterrupted;
}

void ScalingView::setSeen(bool seen) {
    m_seen = seen;
    if (!seen) {
        m_pause.stop();
        interrupt(); // restarted when it becomes visible again
    } else if (isOutdated()) {
        start();
    }
    refresh();
}

void ScalingView::setSide(Side side) {
    if (side == m_side)
        return;
    m_side = side;
    stateChanged();
}

void ScalingView::stateChanged() {
    if (isOutdated()) {
        interrupt();
        if (m_seen)
            m_pause.start();
    }
    if (m_seen)
        refresh();
}

void ScalingView::press() {
    if (!m_running) {
        start();
        return;
    }
    m_worker.cancel();
    m_running = false;
    m_cancelled = true;
    refresh();
}

void ScalingView::start() {
    m_pause.stop();
    m_cancelled = m_isInterrupted = false;
    m_error.clear();
    m_scaling.reset();
    m_asked = m_session.state();
    m_askedSide = m_side;
    m_askedTo = m_range->value();
    m_running = m_asked->job && m_asked->cluster && m_asked->side(m_side).hasScenario();
    if (m_running) {
        ScalingOptions options;
        options.to = m_askedTo;
        m_worker.start([state = *m_asked, side = m_side, options](const std::stop_token &stop, const auto &post) {
            const auto recipe = recipeOf(state, side);
            if (!recipe) {
                post({nullptr, QString::fromStdString(recipe.error().what)});
                return;
            }
            Throttle throttle;
            const auto found = findScaling(*recipe, options, stop, [&](const Scaling &scaling) {
                if (throttle.isDue(scaling.isComplete))
                    post({std::make_shared<const Scaling>(scaling), {}});
            });
            if (!found && !found.error().isCancelled())
                post({nullptr, QString::fromStdString(found.error().what)});
        });
    }
    refresh();
}

void ScalingView::take(const Told &told) {
    m_error = told.error;
    if (told.scaling)
        m_scaling = told.scaling;
    m_running = told.error.isEmpty() && !(told.scaling && told.scaling->isComplete);
    refresh();
}

QString ScalingView::stateText() const {
    if (QString reason = whyNotSimulated(m_session.state()); !reason.isEmpty())
        return reason;
    if (!m_session.state().side(m_side).hasScenario())
        return tr("Scaling can only be simulated: choose a builder for this side.");
    if (!m_error.isEmpty())
        return tr("Cannot be simulated: %1").arg(m_error);
    QString text;
    if (isOutdated() && m_scaling)
        text = tr("Of older settings. ");
    else if (m_cancelled)
        text = tr("Cancelled: incomplete. ");
    else if (m_running)
        text = tr("%1 simulated… ").arg(m_scaling ? m_scaling->simulations : 0);
    if (!m_scaling || !m_scaling->knee)
        return m_scaling && m_scaling->isComplete
                   ? tr("No number of workers can be simulated: %1").arg(QString::fromStdString(m_scaling->points.front().error))
                   : text;
    const Scaling &scaling = *m_scaling;
    if (!scaling.low)
        return text + kneeText(*scaling.knee);
    if (scaling.low->workers == scaling.high->workers)
        return text + tr("%1, under every condition. Worth benchmarking: %2").arg(kneeText(*scaling.knee), worthText(scaling));
    return text + tr("%1, band %2 to %3. Worth benchmarking: %4")
                      .arg(kneeText(*scaling.knee), kneeNumber(*scaling.low), kneeNumber(*scaling.high), worthText(scaling));
}

void ScalingView::refresh() {
    m_button->setText(m_running ? tr("Cancel") : tr("Again"));
    m_button->setToolTip(plainTip(m_running ? tr("Stop simulating and keep the points so far") : tr("Simulate the curve again")));
    m_text->setText(stateText());
    QStringList assumptions;
    if (m_scaling) {
        for (const WorthBenchmarking &count : m_scaling->worth)
            assumptions += tr("%n workers: %1", nullptr, count.workers).arg(worded(count.why));
        for (const ScalingCondition &condition : m_scaling->conditions)
            if (condition.knee)
                assumptions += tr("Knee %1: %2").arg(kneeNumber(*condition.knee), worded(condition.name));
        for (const std::string &one : m_scaling->assumptions)
            assumptions += said(one);
    }
    m_text->setToolTip(plainTip(assumptions.join(QLatin1Char('\n'))));
    const SessionState &state = m_session.state();
    const bool countsSamples = !m_asked || !m_asked->job || statesBatch(*m_asked->job); // the session's job may tell it since
    m_plot->set(state.side(m_side).hasScenario() ? m_scaling : nullptr, workersOf(state, m_side), isOutdated() || m_cancelled,
                countsSamples);
}

} // namespace syncopate::ui
