// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plot_or_text.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/qcustomplot.h"

#include <QLabel>

namespace syncopate::ui {

PlotOrText::PlotOrText(QCustomPlot *plot, const QString &text) : m_text(plainLabel()) {
    addWidget(plot);
    addWidget(m_text);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setMargin(12);
    setText(text);
}

void PlotOrText::setText(const QString &text) {
    m_text->setText(text);
    m_text->setAccessibleDescription(text);
    showPage();
}

void PlotOrText::setEmpty(bool empty) {
    m_empty = empty;
    showPage();
}

void PlotOrText::showPage() {
    setCurrentIndex(m_empty && !m_text->text().isEmpty() ? 1 : 0);
    const QWidget &plot = *widget(0); // which gets its name and policy after it is put here
    m_text->setAccessibleName(plot.accessibleName());
    m_text->setFocusPolicy(plot.focusPolicy());
    setFocusProxy(currentWidget());
}

} // namespace syncopate::ui
