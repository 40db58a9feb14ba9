// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bottom_panels.h"

#include <QDockWidget>
#include <QMainWindow>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

QList<QDockWidget *> BottomPanels::panels() const {
    QList<QDockWidget *> panels;
    for (QDockWidget *panel : m_window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly))
        if (m_window.dockWidgetArea(panel) == Qt::BottomDockWidgetArea && !panel->isFloating())
            panels.push_back(panel);
    return panels;
}

void BottomPanels::toggle() {
    QList<QPointer<QDockWidget>> shown;
    for (QDockWidget *panel : panels())
        if (!panel->isHidden())
            shown.push_back(panel);
    if (!shown.isEmpty()) {
        std::ranges::stable_partition(shown, [](const QDockWidget *panel) { return panel->visibleRegion().isEmpty(); });
        for (const auto &panel : shown)
            panel->hide();
        m_hidden = std::move(shown);
        return;
    }
    if (m_hidden.isEmpty()) // hidden otherwise: one by one, or by a perspective
        for (QDockWidget *panel : panels())
            m_hidden.push_back(panel);
    const auto hidden = std::exchange(m_hidden, {});
    for (const auto &panel : hidden)
        if (panel)
            panel->show();
    if (!hidden.isEmpty() && hidden.back())
        hidden.back()->raise();
}

} // namespace syncopate::ui
