// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture_file.h"

#include <QBuffer>
#include <QMarginsF>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <algorithm>

namespace syncopate::ui {

namespace {
constexpr int dotsPerInch = 96;
constexpr int mostPixels = 8000; ///< in height, of a picture that is enlarged
constexpr double pointsPerPixel = 72.0 / dotsPerInch;
} // namespace

QString suffixOf(PictureFormat format) {
    switch (format) {
    case PictureFormat::Png:
        return QStringLiteral("png");
    case PictureFormat::Svg:
        return QStringLiteral("svg");
    case PictureFormat::Pdf:
        return QStringLiteral("pdf");
    }
    return {};
}

PictureFormat pictureFormatOf(const QString &path) {
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive))
        return PictureFormat::Svg;
    return path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive) ? PictureFormat::Pdf : PictureFormat::Png;
}

QImage drawImage(const Picture &picture, bool dark, int wantedScale, const std::stop_token &stop) {
    const int scale = std::clamp(mostPixels / std::max(1, picture.size.height()), 1, wantedScale);
    QImage image(picture.size * scale, QImage::Format_RGB32);
    image.fill(Qt::white);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    picture.paint(painter, {dark, false, scale, stop});
    return image;
}

QByteArray pngOf(const QImage &image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QImage imageOfSvg(const QByteArray &svg, const QSize &size) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QSvgRenderer(svg).render(&painter);
    return image;
}

QByteArray encodePicture(const Picture &picture, PictureFormat format, bool dark, int scale, const std::stop_token &stop) {
    if (format == PictureFormat::Png)
        return pngOf(drawImage(picture, dark, scale, stop));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const PaintTarget target{dark, true, 1, stop};
    if (format == PictureFormat::Svg) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(picture.size);
        svg.setViewBox(QRect(QPoint(0, 0), picture.size));
        svg.setResolution(dotsPerInch);
        svg.setTitle(picture.title.toHtmlEscaped()); // Qt writes the title without escaping it
        svg.setDescription(QString());
        QPainter painter(&svg);
        picture.paint(painter, target);
        return painter.end() ? bytes : QByteArray();
    }
    QPdfWriter pdf(&buffer);
    pdf.setTitle(picture.title);
    pdf.setCreator(QStringLiteral("Syncopate"));
    pdf.setResolution(dotsPerInch);
    pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
    pdf.setPageSize(QPageSize(QSizeF(picture.size) * pointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
    QPainter painter(&pdf);
    picture.paint(painter, target);
    painter.end();
    return bytes;
}

} // namespace syncopate::ui
