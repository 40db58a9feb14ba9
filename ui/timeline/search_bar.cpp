// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/search_bar.h"

#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace syncopate::ui {

SearchBar::SearchBar(QWidget *parent) : QWidget(parent), m_text(new QLineEdit), m_count(plainLabel()) {
    setAutoFillBackground(true);
    m_text->setPlaceholderText(tr("Find spans by name or variable"));
    m_text->setAccessibleName(tr("Find in the timelines"));
    m_text->setToolTip(
        tr("Spans whose name, or whose variable's name, contains this. Enter: next, Shift+Enter: previous, Esc: end"));
    m_text->setClearButtonEnabled(true);
    m_text->setMaximumWidth(360);
    m_text->installEventFilter(this);
    m_count->setAccessibleName(tr("Spans found"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(4);
    row->addWidget(m_text, 1);
    const auto button = [&](const QString &text, const QString &toolTip, auto run) {
        auto *tool = new QToolButton;
        tool->setText(text);
        tool->setToolTip(plainTip(toolTip));
        tool->setAccessibleName(toolTip);
        tool->setAutoRaise(true);
        connect(tool, &QToolButton::clicked, this, run);
        row->addWidget(tool);
    };
    button(QStringLiteral("▲"), tr("Previous (Shift+Enter)"), [this] { Q_EMIT stepWanted(false); });
    button(QStringLiteral("▼"), tr("Next (Enter)"), [this] { Q_EMIT stepWanted(true); });
    row->addWidget(m_count);
    row->addStretch(1);
    button(QStringLiteral("✕"), tr("End the search (Esc)"), [this] { close(); });
    connect(m_text, &QLineEdit::textChanged, this, &SearchBar::textChanged);
    hide();
}

void SearchBar::open() {
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void SearchBar::close() {
    if (isHidden())
        return;
    hide();
    Q_EMIT closed();
}

QString SearchBar::text() const { return m_text->text(); }
QString SearchBar::count() const { return m_count->text(); }
void SearchBar::setCount(const QString &count) { m_count->setText(count); }

bool SearchBar::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_text && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool ours = key->key() == Qt::Key_Escape || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (ours && event->type() == QEvent::ShortcutOverride) {
            event->accept(); // Esc must not cancel a load instead
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
        if (ours) {
            Q_EMIT stepWanted(!key->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace syncopate::ui
