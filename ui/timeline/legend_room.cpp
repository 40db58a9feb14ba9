// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/legend_room.h"

namespace syncopate::ui {

LegendRoom fitLegend(const QFontMetrics &metrics, const QStringList &names, int around, int width) {
    LegendRoom room;
    for (const QString &name : names)
        room.width += metrics.horizontalAdvance(name) + around;
    room.names = names.size();
    int restWidth = 0;
    while (room.names > 0 && room.width + restWidth > width) {
        room.width -= metrics.horizontalAdvance(names[--room.names]) + around;
        room.rest = QStringLiteral("+%1").arg(names.size() - room.names);
        restWidth = metrics.horizontalAdvance(room.rest);
    }
    room.width += restWidth;
    return room;
}

} // namespace syncopate::ui
