// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/filter_line.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QPainter>
#include <QPixmap>

namespace syncopate::ui {

FilterLine::FilterLine(const Theme &theme, std::vector<FilterField> fields, QWidget *parent)
    : QLineEdit(parent), m_theme(theme), m_mark(new QAction(this)) {
    setClearButtonEnabled(true);
    m_mark->setVisible(false);
    addAction(m_mark, LeadingPosition);
    setFields(std::move(fields));
    connect(this, &QLineEdit::textChanged, this, &FilterLine::parse);
    connect(&theme, &Theme::themeChanged, this, &FilterLine::paintMark);
    paintMark();
}

void FilterLine::setFields(std::vector<FilterField> fields) {
    m_fields = std::move(fields);
    QStringList names;
    for (const FilterField &field : m_fields)
        names.push_back(field.name);
    setToolTip(plainTip(tr("Fields: %1.\n"
                           "Compare with < <= > >= = != and ~ (contains); times and sizes take units (2ms, 4MiB).\n"
                           "All terms must hold; write \"or\" between alternatives, ! before a term that must not hold; a single "
                           "word is searched for in all texts.")
                            .arg(names.join(QStringLiteral(", ")))));
    parse();
    if (m_error) { // the expression in force names fields by their numbers, which are other fields now
        m_expression = FilterExpression();
        Q_EMIT expressionChanged();
    }
}

void FilterLine::parse() {
    auto parsed = FilterExpression::parse(text(), m_fields);
    m_error = parsed ? std::nullopt : std::optional(parsed.error());
    const QString why = m_error ? QString::fromStdString(m_error->toString()) : QString();
    m_mark->setVisible(m_error.has_value());
    m_mark->setToolTip(plainTip(why));
    setAccessibleDescription(why);
    Q_EMIT errorChanged(why);
    if (m_error)
        return;
    m_expression = *std::move(parsed);
    Q_EMIT expressionChanged();
}

void FilterLine::paintMark() {
    QPixmap mark(32, 32);
    mark.setDevicePixelRatio(2);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = m_theme.color(ColorId::Warning);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({{8, 1.5}, {15, 14.5}, {1, 14.5}}));
    painter.setPen(QPen(Theme::inkOn(color), 1.6));
    painter.drawLine(QPointF(8, 6), QPointF(8, 10));
    painter.drawLine(QPointF(8, 12), QPointF(8, 12.3));
    m_mark->setIcon(mark);
}

} // namespace syncopate::ui
