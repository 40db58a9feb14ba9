// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/notes_panel.h"

#include "engine/base/units.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/ruler.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace syncopate::ui {

namespace {
enum Column { PaneColumn, TimeColumn, LengthColumn, LaneColumn, TextColumn, ColumnCount };
}

NotesPanel::NotesPanel(Notes &notes, QWidget *parent)
    : QWidget(parent), m_notes(notes), m_table(new QTableWidget(0, ColumnCount)) {
    m_table->setHorizontalHeaderLabels({tr("Pane"), tr("Time"), tr("Length"), tr("Lane"), tr("Note")});
    m_table->horizontalHeaderItem(TimeColumn)->setToolTip(tr("After the start of the iteration that is shown"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(TextColumn, QHeaderView::Stretch);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAccessibleName(tr("Notes"));
    m_table->setToolTip(
        tr("N in a timeline writes a note. Double click or F2 edits it, Enter shows its place, Delete removes it."));
    m_table->installEventFilter(this);
    auto *empty =
        plainLabel(tr("No notes yet. N in a timeline writes one at the pointer, the selected span or the selected stretch."));
    empty->setObjectName(QStringLiteral("empty"));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(empty);
    column->addWidget(m_table, 1);
    connect(&m_notes, &Notes::changed, this, &NotesPanel::fill);
    connect(m_table, &QTableWidget::cellChanged, this, [this](int row, int column) {
        if (!m_filling && column == TextColumn)
            // The table must not be refilled while its editor closes.
            QMetaObject::invokeMethod(
                this,
                [this, row, text = m_table->item(row, column)->text().trimmed().toStdString()] {
                    m_notes.setText(static_cast<std::size_t>(row), text);
                },
                Qt::QueuedConnection);
    });
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int column) {
        if (column != TextColumn)
            Q_EMIT noteWanted(static_cast<std::size_t>(row));
    });
    fill();
}

void NotesPanel::fill() {
    m_filling = true;
    const int current = m_table->currentRow();
    const auto &notes = m_notes.notes();
    m_table->setRowCount(static_cast<int>(notes.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const Note &note = notes[static_cast<std::size_t>(row)];
        const double length = note.toNanoseconds - note.fromNanoseconds;
        const QStringList texts{note.side == 0 ? QStringLiteral("A") : QStringLiteral("B"),
                                formatTime(note.fromNanoseconds, 1000),
                                length > 0 ? QString::fromStdString(formatSeconds(length * 1e-9)) : QString(),
                                QString::fromStdString(note.lane), QString::fromStdString(note.text)};
        for (int column = 0; column < ColumnCount; ++column) {
            auto *item = new QTableWidgetItem(texts[column]);
            if (column != TextColumn)
                item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
            if (column == TimeColumn || column == LengthColumn)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    }
    if (current >= 0 && current < m_table->rowCount())
        m_table->setCurrentCell(current, TextColumn);
    m_filling = false;
    m_table->setVisible(!notes.empty());
    findChild<QWidget *>(QStringLiteral("empty"))->setVisible(notes.empty());
}

bool NotesPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_table && event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete &&
        m_table->currentRow() >= 0) {
        m_notes.remove(static_cast<std::size_t>(m_table->currentRow()));
        return true;
    }
    // An editor passes on the Enter that ends it.
    if (watched == m_table && event->type() == QEvent::KeyPress && m_table->currentRow() >= 0 &&
        (static_cast<QKeyEvent *>(event)->key() == Qt::Key_Return || static_cast<QKeyEvent *>(event)->key() == Qt::Key_Enter) &&
        !m_table->indexWidget(m_table->currentIndex())) {
        Q_EMIT noteWanted(static_cast<std::size_t>(m_table->currentRow()));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace syncopate::ui
