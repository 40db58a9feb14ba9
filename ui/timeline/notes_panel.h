// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/notes.h"

#include <QWidget>

class QTableWidget;

namespace syncopate::ui {

/// All notes as a table: pane, time, length, lane, text. The text is edited in place; Enter, or a double click on another column,
/// scrolls to the note; Delete removes it.
class NotesPanel final : public QWidget {
    Q_OBJECT
public:
    explicit NotesPanel(Notes &notes, QWidget *parent = nullptr);
    [[nodiscard]] QTableWidget *table() { return m_table; }

Q_SIGNALS:
    void noteWanted(std::size_t number); ///< asks to scroll to the note

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();

    Notes &m_notes;
    QTableWidget *m_table;
    bool m_filling = false;
};

} // namespace syncopate::ui
