// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/pane_swap.h"

#include "ui/theme/motion.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>

namespace syncopate::ui {

PaneSwap *PaneSwap::play(TimelineView &first, TimelineView &second) {
    QWidget *const window = first.window();
    delete window->findChild<PaneSwap *>(); // a previous swap may still be running
    const int milliseconds = motionMilliseconds();
    if (milliseconds == 0 || !first.isVisible() || !second.isVisible())
        return nullptr;
    const auto lanes = [window](TimelineView &pane) {
        const QRect own(0, pane.plotRect().top(), pane.width(), pane.plotRect().height());
        return Moving{pane.grab(own), QRect(pane.mapTo(window, own.topLeft()), own.size()), {}};
    };
    std::array moving{lanes(first), lanes(second)};
    moving[0].to = moving[1].from.topLeft();
    moving[1].to = moving[0].from.topLeft();
    return new PaneSwap(std::move(moving), milliseconds, window);
}

PaneSwap::PaneSwap(std::array<Moving, 2> moving, int milliseconds, QWidget *window)
    : QWidget(window), m_moving(std::move(moving)) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(m_moving[0].from.united(m_moving[1].from));
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::InOutCubic);
    m_animation.setDuration(milliseconds);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_animation, &QVariantAnimation::finished, this, [this] {
        hide();
        deleteLater();
    });
    m_animation.start();
    raise();
    show();
}

QPoint PaneSwap::place(std::size_t pane) const {
    const Moving &moving = m_moving[pane];
    return moving.from.topLeft() + (moving.to - moving.from.topLeft()) * m_animation.currentValue().toDouble();
}

void PaneSwap::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    for (const std::size_t pane : {std::size_t{1}, std::size_t{0}}) // A on top
        painter.drawPixmap(place(pane) - pos(), m_moving[pane].picture);
}

} // namespace syncopate::ui
