// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/cut_text.h"

#include <QFontMetrics>
#include <algorithm>

namespace syncopate::ui {

namespace {

constexpr QChar ellipsis(0x2026); ///< stands for the cut part

/// Some letters of a text, [from, to).
struct Part {
    qsizetype from = 0, to = 0;
    [[nodiscard]] qsizetype size() const { return to - from; }
};

/// The letters of `text` that are not in `other`: all between a common beginning and a common end.
Part difference(const QString &text, const QString &other) {
    const qsizetype from = std::ranges::mismatch(text, other).in1 - text.begin();
    const qsizetype maxSame = std::min(text.size(), other.size()) - from;
    qsizetype same = 0;
    while (same < maxSame && text[text.size() - 1 - same] == other[other.size() - 1 - same])
        ++same;
    return {from, text.size() - same};
}

/// `part`, with the words that it begins and ends in: "12" for the 2 that "thread 12" has instead of a 3.
Part wholeWords(const QString &text, Part part) {
    while (part.from > 0 && text[part.from - 1].isLetterOrNumber())
        --part.from;
    while (part.to > 0 && part.to < text.size() && text[part.to - 1].isLetterOrNumber() && text[part.to].isLetterOrNumber())
        ++part.to;
    return part;
}

/// `text` cut outside of `part`, at the place of `mode` if possible; empty: there is no room for the part.
QString cutAround(const QFontMetrics &metrics, const QString &text, const Part &part, int width, Qt::TextElideMode mode) {
    for (const Qt::TextElideMode place : {mode, Qt::ElideLeft, Qt::ElideRight}) {
        const QString cut = metrics.elidedText(text, place, width);
        const Part dots = difference(cut, text);
        if (part.to <= dots.from || part.from >= text.size() - (cut.size() - dots.to))
            return cut;
    }
    if (metrics.horizontalAdvance(ellipsis + text.mid(part.from, part.size()) + ellipsis) > width)
        return {};
    return ellipsis + metrics.elidedText(text.mid(part.from), Qt::ElideRight, width - metrics.horizontalAdvance(ellipsis));
}

/// Whether a piece may be cut in its middle: a cut figure would read as another one.
bool isName(const QString &piece) {
    return !piece.contains(QLatin1Char(' ')) &&
           std::none_of(piece.begin(), piece.begin() + std::min<qsizetype>(2, piece.size()), [](QChar c) { return c.isDigit(); });
}

} // namespace

QString cutBetween(const QFontMetrics &metrics, const QString &text, const QString &separator, int width) {
    constexpr int fewest = 6; // characters' width that a cut name needs
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    const QStringList pieces = text.split(separator);
    QString shown;
    for (const QString &piece : pieces) {
        const QString longer = shown + piece + separator;
        if (metrics.horizontalAdvance(longer + ellipsis) > width) {
            const int room = width - metrics.horizontalAdvance(shown + separator + ellipsis);
            if (isName(piece) && room >= fewest * metrics.averageCharWidth())
                return shown + metrics.elidedText(piece, Qt::ElideMiddle, room) + separator + ellipsis;
            break;
        }
        shown = longer;
    }
    return shown + ellipsis;
}

QString cutWhereAlike(const QFontMetrics &metrics, const QString &text, const QStringList &neighbours, int width,
                      Qt::TextElideMode mode) {
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    Part all{text.size(), 0}, shortest{0, text.size()}; // the part that differs from any neighbour, and from the most similar one
    QStringList alike;
    for (const QString &other : neighbours) {
        const Part part = wholeWords(text, difference(text, other));
        if (other == text || part.size() == text.size())
            continue; // they cannot be told apart, or are by any part
        alike += other;
        all = {std::min(all.from, part.from), std::max(all.to, part.to)};
        if (part.size() < shortest.size())
            shortest = part;
    }
    if (alike.isEmpty())
        return metrics.elidedText(text, mode, width);
    if (const QString cut = cutAround(metrics, text, all, width, mode); !cut.isEmpty())
        return cut;
    for (const Qt::TextElideMode place : {mode, Qt::ElideMiddle, Qt::ElideLeft, Qt::ElideRight})
        if (const QString cut = metrics.elidedText(text, place, width);
            std::ranges::none_of(alike, [&](const QString &other) { return metrics.elidedText(other, place, width) == cut; }))
            return cut;
    const QString before = shortest.from > 0 ? QString(ellipsis) : QString();
    return before + metrics.elidedText(text.mid(shortest.from, shortest.size()), mode, width - metrics.horizontalAdvance(before));
}

} // namespace syncopate::ui
