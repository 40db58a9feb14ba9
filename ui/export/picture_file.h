// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QByteArray>
#include <QImage>
#include <QPainter>
#include <QSize>
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>

namespace syncopate::ui {

enum class PictureFormat : std::uint8_t { Png, Svg, Pdf };
[[nodiscard]] QString suffixOf(PictureFormat format); ///< "png"
/// By the end of a file's name; PNG where it says nothing known.
[[nodiscard]] PictureFormat pictureFormatOf(const QString &path);

/// How a device is painted on.
struct PaintTarget {
    bool dark = false;
    bool vectors = false;      ///< paths stay paths
    int scale = 1;             ///< device pixels a logical pixel, where there are pixels
    std::stop_token stop = {}; ///< nobody wants the rest any more
};

/// A view that can be drawn anywhere.
struct Picture {
    QString title;
    QSize size; ///< logical pixels
    std::function<void(QPainter &, const PaintTarget &)> paint;
    bool anyThread = false; ///< else paint() must be called on the GUI thread
    /// Where there is one: makes ready for painting on dark or light until what it returns goes. paint() does so itself each
    /// time; whoever paints more than once can have it done once.
    std::function<std::shared_ptr<void>(bool dark)> prepare = nullptr;
};

/// PNG at 1 to 4 times its size (fewer times where it would be higher than 8,000 pixels), or SVG, or a PDF of one page of its
/// size (96 logical pixels an inch).
[[nodiscard]] QByteArray encodePicture(const Picture &picture, PictureFormat format, bool dark, int scale,
                                       const std::stop_token &stop = {});
/// The picture's pixels, for the clipboard and previews.
[[nodiscard]] QImage drawImage(const Picture &picture, bool dark, int scale, const std::stop_token &stop = {});
[[nodiscard]] QByteArray pngOf(const QImage &image);
/// What a reader of SVG sees in such a file; any thread.
[[nodiscard]] QImage imageOfSvg(const QByteArray &svg, const QSize &size);

} // namespace syncopate::ui
