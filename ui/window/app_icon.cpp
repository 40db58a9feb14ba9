// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/app_icon.h"

#include <QPainter>
#include <QPixmap>

namespace syncopate::ui {

QIcon appIcon() {
    QIcon icon;
    for (const int size : {16, 32, 64, 128}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(size / 64.0, size / 64.0);
        painter.setPen(Qt::NoPen);
        const auto bar = [&painter](const char *color, double x, double y, double width) {
            painter.setBrush(QColor(color));
            painter.drawRoundedRect(QRectF(x, y, width, 12), 2, 2);
        };
        painter.setBrush(QColor("#1b1e23"));
        painter.drawRoundedRect(QRectF(0, 0, 64, 64), 12, 12);
        bar("#2b65df", 8, 10, 18);
        bar("#80ebfe", 29, 10, 27);
        bar("#fbde54", 19, 26, 20);
        bar("#fbde54", 42, 26, 14);
        bar("#ac88a2", 28, 42, 28);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace syncopate::ui
