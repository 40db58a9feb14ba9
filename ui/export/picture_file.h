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
/// By the file name's suffix; PNG if the suffix is unknown.
[[nodiscard]] PictureFormat pictureFormatOf(const QString &path);

/// How to paint on a device.
struct PaintTarget {
    bool dark = false;
    bool vectors = false;      ///< keep paths as paths
    int scale = 1;             ///< device pixels per logical pixel, on raster devices
    std::stop_token stop = {}; ///< requested when the rest is no longer needed
};

/// A view that can be drawn on any device.
struct Picture {
    QString title;
    QSize size; ///< logical pixels
    std::function<void(QPainter &, const PaintTarget &)> paint;
    bool anyThread = false; ///< else paint() must be called on the GUI thread
    /// If set, prepares painting on dark or light while the returned object lives. paint() prepares by itself each time; callers
    /// that paint more than once can prepare once.
    std::function<std::shared_ptr<void>(bool dark)> prepare = nullptr;
};

/// PNG at a scale of 1 to 4 (less if it would be higher than 8,000 pixels), SVG, or a one-page PDF of the picture's size (96
/// logical pixels per inch).
[[nodiscard]] QByteArray encodePicture(const Picture &picture, PictureFormat format, bool dark, int scale,
                                       const std::stop_token &stop = {});
/// The picture's pixels, for the clipboard and previews.
[[nodiscard]] QImage drawImage(const Picture &picture, bool dark, int scale, const std::stop_token &stop = {});
[[nodiscard]] QByteArray pngOf(const QImage &image);
/// The SVG file as rendered by an SVG reader; any thread.
[[nodiscard]] QImage imageOfSvg(const QByteArray &svg, const QSize &size);

} // namespace syncopate::ui
