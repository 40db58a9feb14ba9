// SPDX-License-Identifier: GPL-3.0-or-later
// The context menu of a TimelineView: the actions at a position.
#include "ui/timeline/notes.h"
#include "ui/timeline/timeline_view.h"

#include <QMenu>

namespace syncopate::ui {

namespace {

QAction *addTo(QMenu &menu, const QString &name, const QString &text, const QKeySequence &key, std::function<void()> run) {
    QAction *action = menu.addAction(text, std::move(run));
    action->setObjectName(name);
    action->setShortcut(key); // displayed only; the view handles the key itself
    action->setShortcutContext(Qt::WidgetShortcut);
    return action;
}

} // namespace

void TimelineView::addSpanActions(QMenu &menu) {
    addTo(menu, QStringLiteral("zoomToSpan"), tr("&Zoom to this span"), Qt::Key_Return, [this] {
        if (m_data && m_selected) // the run may have changed while the menu was open
            zoomToSpan(*m_selected);
    });
    addTo(menu, QStringLiteral("nextOfName"), tr("&Next of this name"), Qt::Key_Period, [this] { moveSameName(1); });
    addTo(menu, QStringLiteral("previousOfName"), tr("&Previous of this name"), Qt::Key_Comma, [this] { moveSameName(-1); });
    menu.addSeparator();
}

void TimelineView::addNoteActions(QMenu &menu, std::optional<std::size_t> note) {
    if (note) {
        addTo(menu, QStringLiteral("editNote"), tr("&Edit note…"), {}, [this, note] {
            if (*note < m_notes->notes().size()) // the project may have changed while the menu was open
                editNote(m_notes->notes()[*note], false);
        });
        addTo(menu, QStringLiteral("removeNote"), tr("&Remove note"), {}, [this, note] { m_notes->remove(*note); });
    }
    addTo(menu, QStringLiteral("writeNote"), tr("&Write a note…"), Qt::Key_N, [this] { writeNote(); });
    menu.addSeparator();
}

void TimelineView::addLaneActions(QMenu &menu, std::size_t lane) {
    const bool pinned = isPinned(lane);
    addTo(menu, QStringLiteral("pin"), pinned ? tr("Un&pin lane") : tr("&Pin lane to the top"), Qt::Key_Space,
          [this, lane, pinned] { setPinned(lane, !pinned); });
    const bool collapsed = m_layout.isCollapsed(lane);
    addTo(menu, QStringLiteral("collapse"), collapsed ? tr("E&xpand worker") : tr("&Collapse worker"), Qt::Key_C,
          [this, lane, collapsed] { setCollapsed(lane, !collapsed); })
        ->setEnabled(m_layout.canCollapse(lane));
    const bool expanded = m_layout.isExpanded(lane);
    addTo(menu, QStringLiteral("transfers"), expanded ? tr("Transfers as one strip") : tr("Show each transfer"), Qt::Key_T,
          [this, lane, expanded] { setExpanded(lane, !expanded); })
        ->setEnabled(m_layout.isStacked(lane));
    addTo(menu, QStringLiteral("laneUp"), tr("Move lane &up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { shiftLane(-1); });
    addTo(menu, QStringLiteral("laneDown"), tr("Move lane &down"), QKeySequence(Qt::ALT | Qt::Key_Down),
          [this] { shiftLane(1); });
    menu.addSeparator();
}

void TimelineView::addArrangementActions(QMenu &menu) {
    addTo(menu, QStringLiteral("collapseAll"), tr("Collapse &all workers"), {}, [this] { setAllCollapsed(true); });
    addTo(menu, QStringLiteral("expandAll"), tr("&Expand all workers"), {}, [this] {
        setAllCollapsed(false);
    })->setEnabled(!m_arrangement.collapsed.empty());
    addTo(menu, QStringLiteral("allTransfers"), tr("Each t&ransfer on a lane"), {}, [this] { setAllExpanded(true); });
    addTo(menu, QStringLiteral("allStrips"), tr("Overlapping transfers as &strips"), {}, [this] {
        setAllExpanded(false);
    })->setEnabled(!m_arrangement.expanded.empty());
    addTo(menu, QStringLiteral("asSimulated"), tr("Lanes as &simulated"), {}, [this] {
        setArrangement({});
    })->setEnabled(m_arrangement != LaneArrangement{});
}

std::unique_ptr<QMenu> TimelineView::makeMenu(const QPoint &position) {
    auto menu = std::make_unique<QMenu>(this);
    if (!m_data)
        return menu;
    const auto span = spanAt(position);
    const auto lane = span ? std::optional<std::size_t>(span->lane) : laneAt(position.y());
    if (span) {
        selectSpan(span);
        addSpanActions(*menu);
    }
    if (m_notes)
        addNoteActions(*menu, noteAt(position));
    if (lane) {
        setCurrentLane(lane);
        addLaneActions(*menu, *lane);
    }
    addArrangementActions(*menu);
    return menu;
}

} // namespace syncopate::ui
