// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens texts that do not fit: cuts the parts that do not distinguish them, and never a part of a figure.
#pragma once

#include <QString>
#include <QStringList>
#include <Qt>

class QFontMetrics;

namespace syncopate::ui {

/// `text` within `width` pixels, cut where it is like its `neighbours`, the texts above and below: of "bert/embeddings/word:0"
/// above "bert/embeddings/position:0" the beginning is cut. Where nothing is alike, `mode` says where to cut.
[[nodiscard]] QString cutWhereAlike(const QFontMetrics &metrics, const QString &text, const QStringList &neighbours, int width,
                                    Qt::TextElideMode mode = Qt::ElideMiddle);

/// `text` within `width` pixels, cut between the pieces that `separator` joins, so that no figure is cut: as many pieces as have
/// room, then "…". Only a name, a piece without spaces that does not start with a figure, is cut itself, in its middle.
[[nodiscard]] QString cutBetween(const QFontMetrics &metrics, const QString &text, const QString &separator, int width);

} // namespace syncopate::ui
