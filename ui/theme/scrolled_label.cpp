// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/scrolled_label.h"

#include <QLabel>
#include <QResizeEvent>
#include <algorithm>

namespace syncopate::ui {

ScrolledLabel::ScrolledLabel(QLabel *label, QWidget *parent) : QScrollArea(parent), m_label(label) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setWidgetResizable(true);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setWidget(label);
}

void ScrolledLabel::setText(const QString &text) {
    m_label->setText(text);
    updateGeometry();
    offerFocus();
}

void ScrolledLabel::offerFocus() {
    const bool overflows = m_label->heightForWidth(viewport()->width()) > viewport()->height();
    setFocusPolicy(overflows ? Qt::TabFocus : Qt::NoFocus);
}

QSize ScrolledLabel::sizeHint() const {
    const int width = std::max(this->width(), minimumWidth());
    return {m_label->minimumSizeHint().width(), m_label->heightForWidth(width)};
}

QSize ScrolledLabel::minimumSizeHint() const {
    constexpr int lines = 3;
    return {0, std::min(sizeHint().height(), lines * fontMetrics().lineSpacing())};
}

void ScrolledLabel::resizeEvent(QResizeEvent *event) {
    QScrollArea::resizeEvent(event);
    offerFocus();
    if (event->size().width() != event->oldSize().width())
        updateGeometry(); // its lines break elsewhere
}

} // namespace syncopate::ui
