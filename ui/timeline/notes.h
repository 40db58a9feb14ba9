// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/annotations.h"

#include <QObject>
#include <vector>

namespace syncopate::ui {

/// The notes of a window: the only thing about timelines that a user writes. Views draw and edit them, the list shows them,
/// project files keep notes() and give them back with setNotes().
class Notes final : public QObject {
    Q_OBJECT
public:
    explicit Notes(QObject *parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const std::vector<Note> &notes() const { return m_notes; }
    /// Times that are not finite and sides that do not exist are left out: files may say anything.
    void setNotes(std::vector<Note> notes);
    /// Returns the new note's number.
    std::size_t add(Note note);
    /// An empty text removes the note. Unknown numbers change nothing.
    void setText(std::size_t number, const std::string &text);
    void remove(std::size_t number);
    /// Sides A and B have changed places.
    void swapSides();

Q_SIGNALS:
    void changed();
    /// The user wrote, changed or removed a note; `before` are the notes as they were, `what` names the step.
    void edited(const std::vector<syncopate::Note> &before, const QString &what);

private:
    /// Changes the notes by `edit`, as a step called `what`.
    template <class Edit> void editBy(Edit edit, const QString &what);

    std::vector<Note> m_notes;
};

} // namespace syncopate::ui
