// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_state_line.h"

#include "ui/runs/figure_line.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <utility>

namespace syncopate::ui {

namespace {

/// "4.2 s", "42 s", "1:05 min".
QString elapsedText(qint64 milliseconds) {
    constexpr qint64 second = 1000, minute = 60 * second;
    if (milliseconds < 10 * second)
        return RunStateLine::tr("%1 s").arg(static_cast<double>(milliseconds) / second, 0, 'f', 1);
    if (milliseconds < minute)
        return RunStateLine::tr("%1 s").arg(milliseconds / second);
    return RunStateLine::tr("%1:%2 min").arg(milliseconds / minute).arg(milliseconds % minute / second, 2, 10, QLatin1Char('0'));
}

} // namespace

RunStateLine::RunStateLine(const QString &name, QString resume, QString resumeToolTip, QWidget *parent)
    : QWidget(parent), m_resume(std::move(resume)), m_resumeToolTip(std::move(resumeToolTip)),
      m_label(new ElidedLabel(Qt::ElideRight, maxFigureLines)), m_elapsed(plainLabel()), m_bar(new QProgressBar),
      m_button(new QPushButton) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_label, 1);
    row->addWidget(m_bar);
    row->addWidget(m_elapsed);
    row->addWidget(m_button);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // yields width to the others, wraps if need be
    m_label->setAccessibleName(name);
    m_elapsed->setAccessibleName(tr("Elapsed time"));
    m_elapsed->setToolTip(tr("Elapsed time so far."));
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(70, 6);
    m_bar->setAccessibleName(tr("Progress"));
    m_button->setAutoDefault(true);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_state.isRunning())
            Q_EMIT stopWanted();
        else
            Q_EMIT resumeWanted();
    });
    constexpr int tickMs = 100;
    m_tick.setInterval(tickMs);
    connect(&m_tick, &QTimer::timeout, this, &RunStateLine::showElapsed);
    setState({});
}

void RunStateLine::setState(const RunState &state) {
    m_state = state;
    if (state.isOfRun() && !m_since.isValid()) {
        m_since.start();
    } else if (!state.isOfRun() && m_since.isValid()) {
        m_beforeMs += m_since.elapsed();
        m_since.invalidate();
    }
    if (state.beside.isEmpty())
        m_besideSince.invalidate();
    else if (!m_besideSince.isValid())
        m_besideSince.start();
    if (!state.isRunning())
        m_tick.stop();
    else if (!m_tick.isActive())
        m_tick.start();
    const QString &text = state.beside.isEmpty() ? state.text : state.beside;
    m_label->setText(text);
    m_label->setToolTip(plainTip(text));
    constexpr int steps = 1000;
    m_bar->setRange(0, state.besideIsLong ? 0 : steps); // how far it is, is not known
    m_bar->setValue(state.total > 0 ? static_cast<int>(state.done * steps / state.total) : 0);
    m_bar->setVisible(state.isRunning());
    showElapsed();
    showButton();
}

void RunStateLine::resetClock() {
    m_beforeMs = 0;
    if (m_since.isValid())
        m_since.start();
    showElapsed();
}

qint64 RunStateLine::elapsedMs() const { return m_beforeMs + (m_since.isValid() ? m_since.elapsed() : 0); }

void RunStateLine::showElapsed() {
    if (m_state.besideIsLong)
        m_elapsed->setText(elapsedText(m_besideSince.elapsed()));
    else
        m_elapsed->setText(m_since.isValid() || m_beforeMs > 0 ? elapsedText(elapsedMs()) : QString());
}

void RunStateLine::showButton() {
    const bool resumable = m_state.phase == RunState::Phase::Stopped && !m_state.besideIsLong;
    m_button->setText(resumable ? m_resume : tr("Stop"));
    m_button->setToolTip(plainTip(resumable              ? m_resumeToolTip
                                  : m_state.besideIsLong ? tr("Stop only this; nothing changes (Esc).")
                                                         : tr("Stop and keep the results (Esc).")));
    m_button->setEnabled(resumable || m_state.besideIsLong || m_state.phase == RunState::Phase::Running);
}

} // namespace syncopate::ui
