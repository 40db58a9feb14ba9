// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QTextDocument>
#include <utility>

namespace syncopate::ui {

namespace {
constexpr QLatin1String escapedBegin("<div style='white-space:pre-wrap'>"), escapedEnd("</div>");
} // namespace

QString plainTip(const QString &text) {
    return Qt::mightBeRichText(text) ? escapedBegin + text.toHtmlEscaped() + escapedEnd : text;
}

QString tipText(const QString &toolTip) {
    if (!toolTip.startsWith(escapedBegin) || !toolTip.endsWith(escapedEnd))
        return toolTip;
    QString text = toolTip.mid(escapedBegin.size(), toolTip.size() - escapedBegin.size() - escapedEnd.size());
    for (const auto &[escaped, plain] : {std::pair("&lt;", '<'), {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}}) // & last
        text.replace(QLatin1String(escaped), QLatin1String(&plain, 1));
    return text;
}

QString plainAction(const QString &text) { return QString(text).replace(QLatin1Char('&'), QLatin1String("&&")); }

QString withoutMnemonic(QString text) {
    return text.replace(QStringLiteral("&&"), QStringLiteral("\x01"))
        .remove(QLatin1Char('&'))
        .replace(QLatin1Char('\x01'), QLatin1Char('&'));
}

QLabel *plainLabel(const QString &text, QWidget *parent) {
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText); // before the text, which is parsed when it is set
    label->setText(text);
    return label;
}

QLabel *headingLabel(const QString &text) {
    auto *label = plainLabel(text);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

QLabel *richLabel(QWidget *parent) {
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::RichText);
    return label;
}

} // namespace syncopate::ui
