// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/scrolled_label.h"

#include <QGuiApplication>
#include <QLabel>
#include <QResizeEvent>
#include <algorithm>
#include <iterator>

namespace syncopate::ui {

namespace {

constexpr QChar breakPlace(0x200b); ///< zero width space

/// A selection and its copy differ in their separators of lines and cells.
QString lettersOf(const QString &text) {
    QString letters;
    std::ranges::copy_if(text, std::back_inserter(letters), [](QChar c) { return c.isLetterOrNumber(); });
    return letters;
}

} // namespace

QString withBreaks(const QString &text) {
    QString broken;
    broken.reserve(text.size() * 2);
    for (qsizetype c = 0; c < text.size(); ++c) {
        const QChar letter = text[c];
        broken += letter;
        const bool endsScope = letter == QLatin1Char(':') && c > 0 && text[c - 1] == letter;
        const bool mayBreak = endsScope || QStringView(u"_(<,/.").contains(letter);
        if (mayBreak && c + 1 < text.size() && !text[c + 1].isSpace())
            broken += breakPlace;
    }
    return broken;
}

ScrolledLabel::ScrolledLabel(QLabel *label, QWidget *parent) : QScrollArea(parent), m_label(label) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setWidgetResizable(true);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setMinimumWidth(1); // a word that is wider still must not push the other lines beyond the edge
    setWidget(label);
    connect(QGuiApplication::clipboard(), &QClipboard::changed, this, &ScrolledLabel::cleanCopy);
}

void ScrolledLabel::cleanCopy(QClipboard::Mode mode) {
    if (!m_label->hasSelectedText())
        return;
    QClipboard &clipboard = *QGuiApplication::clipboard();
    const QString text = clipboard.text(mode);
    if (text.contains(breakPlace) && lettersOf(text) == lettersOf(m_label->selectedText())) // else another label's
        clipboard.setText(QString(text).remove(breakPlace), mode);
}

void ScrolledLabel::setText(const QString &text) {
    m_label->setText(text);
    updateGeometry();
    fit();
}

void ScrolledLabel::fit() {
    // Not as needed: once shown, the bar takes width, so that the text would need it even where all of it would fit.
    const bool overflows = m_label->heightForWidth(width()) > height();
    setVerticalScrollBarPolicy(overflows ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
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
    fit();
    if (event->size().width() != event->oldSize().width())
        updateGeometry(); // its lines break elsewhere
}

} // namespace syncopate::ui
