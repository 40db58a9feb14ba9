// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_bar.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QUrl>
#include <utility>

namespace syncopate::ui {

MessageBar::MessageBar(const Theme &theme, QWidget *parent)
    : QFrame(parent), m_theme(theme), m_label(richLabel(this)), m_copy(new QToolButton(this)), m_offer(new QToolButton(this)) {
    setAutoFillBackground(true);
    setFrameShape(QFrame::StyledPanel);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the message"));
    m_offer->setText(tr("Open folder"));
    m_offer->setToolTip(tr("Show the file in the system's file manager"));
    auto *dismiss = new QToolButton(this);
    dismiss->setText(QStringLiteral("✕"));
    dismiss->setAutoRaise(true);
    dismiss->setToolTip(tr("Dismiss"));
    dismiss->setAccessibleName(tr("Dismiss the message"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->addWidget(m_label, 1);
    row->addWidget(m_offer);
    row->addWidget(m_copy);
    row->addWidget(dismiss);
    connect(dismiss, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_plain); });
    connect(m_offer, &QToolButton::clicked, this, [this] {
        if (m_run)
            m_run();
    });
    connect(&m_theme, &Theme::themeChanged, this, &MessageBar::restyle);
    hide();
}

void MessageBar::hideUntrue() {
    if (m_isTrue && !m_isTrue())
        hide();
}

void MessageBar::clearError(bool ofFile) {
    if (m_isError && !m_isTrue && m_isOfFile == ofFile)
        hide();
}

void MessageBar::showError(const Error &error, IsTrue isTrue) {
    m_isError = true;
    m_isTrue = std::move(isTrue);
    m_isOfFile = !error.file.empty();
    m_copy->setVisible(true);
    m_offer->setVisible(false);
    QString where = QString::fromStdString(error.file);
    if (!error.place.empty())
        where += (where.isEmpty() ? QString() : QStringLiteral(":")) + QString::fromStdString(error.place);
    QString html = QStringLiteral("⚠ <b>%1</b>").arg(QString::fromStdString(error.what).toHtmlEscaped());
    if (!where.isEmpty())
        html += QStringLiteral(" — ") + where.toHtmlEscaped();
    if (!error.remedy.empty())
        html += QStringLiteral("<br>") + QString::fromStdString(error.remedy).toHtmlEscaped();
    show(html, QString::fromStdString(error.toString()));
}

void MessageBar::showDone(const QString &text, const QString &folder, IsTrue isTrue) {
    showOffer(
        text, tr("Open folder"), tr("Show the file in the system's file manager"),
        folder.isEmpty() ? std::function<void()>() : [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    m_isTrue = std::move(isTrue);
}

void MessageBar::showOffer(const QString &text, const QString &button, const QString &toolTip, std::function<void()> run) {
    m_isError = false;
    m_isTrue = nullptr;
    m_run = std::move(run);
    m_copy->setVisible(false);
    m_offer->setText(button);
    m_offer->setToolTip(plainTip(toolTip));
    m_offer->setVisible(m_run != nullptr);
    show(text.toHtmlEscaped(), text);
}

void MessageBar::show(const QString &html, const QString &plain) {
    m_plain = plain;
    m_label->setText(html);
    restyle();
    setVisible(true);
}

void MessageBar::restyle() {
    QPalette colors = palette();
    colors.setColor(QPalette::Window, m_theme.color(m_isError ? ColorId::WarningSurface : ColorId::Control));
    colors.setColor(QPalette::WindowText, m_theme.color(ColorId::Text));
    setPalette(colors);
}

} // namespace syncopate::ui
