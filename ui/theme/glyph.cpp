// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/glyph.h"

#include "ui/theme/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <utility>

namespace syncopate::ui {

namespace {

/// Draws an SVG whose only colour is "currentColor", which is replaced, as Qt's renderer does not support it.
class GlyphEngine final : public QIconEngine {
public:
    GlyphEngine(const Theme &theme, QByteArray svg) : m_theme(theme), m_svg(std::move(svg)) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        const QColor color = mode == QIcon::Selected   ? m_theme.color(ColorId::AccentText)
                             : mode == QIcon::Disabled ? m_theme.palette().color(QPalette::Disabled, QPalette::ButtonText)
                                                       : m_theme.color(ColorId::Text);
        QByteArray svg = m_svg;
        QSvgRenderer renderer(svg.replace("currentColor", color.name(QColor::HexRgb).toLatin1()));
        painter->save();
        painter->setOpacity(painter->opacity() * color.alphaF());
        renderer.render(painter, rect);
        painter->restore();
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new GlyphEngine(*this); }

private:
    const Theme &m_theme;
    QByteArray m_svg;
};

} // namespace

QIcon glyph(const Theme &theme, const QString &name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? QIcon(new GlyphEngine(theme, file.readAll())) : QIcon();
}

} // namespace syncopate::ui
