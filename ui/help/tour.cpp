// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/tour.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace syncopate::ui {

namespace {
constexpr int checkEveryMilliseconds = 150;
}

Tour::Tour(const Theme &theme, std::vector<TourStep> steps, std::function<QString()> figures, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_steps(std::move(steps)), m_figuresText(std::move(figures)), m_title(plainLabel()),
      m_text(new QTextBrowser), m_figures(plainLabel()), m_state(plainLabel()), m_progress(new QProgressBar),
      m_back(new QPushButton(tr("Back"))), m_next(new QPushButton(tr("Next"))) {
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->viewport()->setAutoFillBackground(false);
    m_text->setMinimumHeight(80);
    m_text->setAccessibleName(tr("What to do"));
    m_figures->setWordWrap(true);
    m_state->setWordWrap(true);
    m_progress->setRange(0, stepCount());
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(6);
    m_progress->setAccessibleName(tr("Progress of the tutorial"));
    m_back->setToolTip(tr("The step before"));
    m_back->setAutoDefault(true);
    m_next->setAutoDefault(true);
    m_next->setToolTip(tr("The next step; you may skip one that you have not done"));
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_back);
    buttons->addStretch();
    buttons->addWidget(m_next);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_progress);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    column->addWidget(m_figures);
    column->addWidget(m_state);
    column->addLayout(buttons);
    setMinimumWidth(260);
    connect(m_back, &QPushButton::clicked, this, &Tour::back);
    connect(m_next, &QPushButton::clicked, this, &Tour::next);
    connect(&m_timer, &QTimer::timeout, this, &Tour::check);
    m_timer.setInterval(checkEveryMilliseconds);
}

void Tour::start() { showStep(0); }

void Tour::back() {
    if (m_step > 0)
        showStep(m_step - 1);
}

void Tour::next() {
    if (m_step + 1 < stepCount())
        showStep(m_step + 1);
    else
        Q_EMIT finished();
}

void Tour::showStep(int step) {
    m_step = step;
    m_done = false;
    const TourStep &shown = m_steps[static_cast<std::size_t>(step)];
    m_progress->setValue(step);
    m_title->setText(tr("%1 of %2: %3").arg(step + 1).arg(stepCount()).arg(shown.title));
    m_text->setHtml(shown.text);
    m_back->setEnabled(step > 0);
    setAccessibleDescription(m_title->text());
    if (shown.begin)
        shown.begin();
    check();
}

void Tour::check() {
    m_done = m_done || m_steps[static_cast<std::size_t>(m_step)].isDone();
    m_figures->setText(m_figuresText());
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, m_theme.color(m_done ? ColorId::Better : ColorId::DimText));
    m_state->setPalette(colors);
    m_state->setText(m_done ? tr("✓ Done") : tr("Waiting for you…"));
    m_progress->setValue(m_step + (m_done ? 1 : 0));
    const bool last = m_step + 1 == stepCount();
    m_next->setText(m_done ? (last ? tr("Finish") : tr("Next")) : (last ? tr("End") : tr("Skip")));
    m_next->setDefault(m_done);
}

void Tour::showEvent(QShowEvent *event) {
    m_timer.start();
    QWidget::showEvent(event);
}

void Tour::hideEvent(QHideEvent *event) {
    m_timer.stop();
    QWidget::hideEvent(event);
}

} // namespace syncopate::ui
