// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

namespace syncopate::ui {

RunsPanel::RunsPanel(const QString &stateName, const QString &resume, const QString &resumeToolTip, QWidget *parent)
    : QWidget(parent), m_scroll(new QScrollArea), m_stateLine(new RunStateLine(stateName, resume, resumeToolTip)),
      m_escape(new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut)) {
    setFocusPolicy(Qt::ClickFocus);
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, this, [this] { this->stop(); });
    connect(m_stateLine, &RunStateLine::stopWanted, this, [this] { this->stop(); });
    connect(m_stateLine, &RunStateLine::resumeWanted, this, [this] { this->resume(); });
}

void RunsPanel::setParts(const Parts &parts) {
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    auto *left = new QVBoxLayout;
    left->setSpacing(3);
    m_scroll->setWidget(parts.sheet);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus); // its controls have it
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    parts.sheet->installEventFilter(this);
    fitSheet();
    left->addWidget(m_scroll, 1);
    if (parts.below)
        left->addWidget(parts.below);
    layout->addLayout(left);
    auto *right = new QVBoxLayout;
    right->setSpacing(2);
    right->addWidget(m_stateLine);
    if (parts.figures)
        right->addWidget(parts.figures);
    right->addWidget(parts.plot, 1);
    layout->addLayout(right, 1);
}

void RunsPanel::fitSheet() {
    const QWidget *sheet = m_scroll->widget();
    const int width = std::max(sheet->minimumWidth(), sheet->minimumSizeHint().width());
    m_scroll->setFixedWidth(width + m_scroll->verticalScrollBar()->sizeHint().width());
}

bool RunsPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_scroll->widget() && event->type() == QEvent::LayoutRequest) // other fields than before
        fitSheet();
    return QWidget::eventFilter(watched, event);
}

void RunsPanel::setRunState(const RunState &state) {
    m_stateLine->setState(state);
    m_escape->setEnabled(state.isRunning());
}

} // namespace syncopate::ui
