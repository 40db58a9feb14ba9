// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/annotations.h"

#include <QObject>
#include <vector>

namespace syncopate::ui {

/// The notes of a window: the only part of timelines that a user writes. Views draw and edit them, the list shows them, project
/// files store notes() and restore them with setNotes().
class Notes final : public QObject {
    Q_OBJECT
public:
    explicit Notes(QObject *parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const std::vector<Note> &notes() const { return m_notes; }
    /// Replaces all notes, not as an undo step; drops those whose times are not finite or whose side is unknown. Emits changed()
    /// if they differ.
    void setNotes(std::vector<Note> notes);
    /// Returns the new note's number.
    std::size_t add(Note note);
    /// An empty text removes the note. Unknown numbers are ignored.
    void setText(std::size_t number, const std::string &text);
    void remove(std::size_t number);
    /// Sides A and B were swapped.
    void swapSides();

Q_SIGNALS:
    void changed();
    /// The user wrote, changed or removed a note; `before` holds the previous notes, `what` names the step.
    void edited(const std::vector<syncopate::Note> &before, const QString &what);

private:
    /// Applies `edit` to the notes, as a step called `what`.
    template <class Edit> void editBy(Edit edit, const QString &what);

    std::vector<Note> m_notes;
};

} // namespace syncopate::ui
