// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QTextDocument>

namespace syncopate::ui {

QString plainTip(const QString &text) {
    return Qt::mightBeRichText(text) ? QStringLiteral("<div style='white-space:pre-wrap'>%1</div>").arg(text.toHtmlEscaped())
                                     : text;
}

QString plainAction(const QString &text) { return QString(text).replace(QLatin1Char('&'), QLatin1String("&&")); }

QLabel *plainLabel(const QString &text, QWidget *parent) {
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText); // before the text, which is parsed when it is set
    label->setText(text);
    return label;
}

QLabel *richLabel(QWidget *parent) {
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::RichText);
    return label;
}

} // namespace syncopate::ui
