// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/notes.h"

#include <cmath>

namespace syncopate::ui {

void Notes::setNotes(std::vector<Note> notes) {
    std::erase_if(notes, [](const Note &note) {
        return note.side > 1 || !std::isfinite(note.fromNanoseconds) || !std::isfinite(note.toNanoseconds);
    });
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    Q_EMIT changed();
}

template <class Edit> void Notes::editBy(Edit edit, const QString &what) {
    const std::vector<Note> before = m_notes;
    edit();
    Q_EMIT changed();
    Q_EMIT edited(before, what);
}

std::size_t Notes::add(Note note) {
    editBy([&] { m_notes.push_back(std::move(note)); }, tr("Write a note"));
    return m_notes.size() - 1;
}

void Notes::setText(std::size_t number, const std::string &text) {
    if (text.empty())
        remove(number);
    else if (number < m_notes.size() && m_notes[number].text != text)
        editBy([&] { m_notes[number].text = text; }, tr("Change a note"));
}

void Notes::remove(std::size_t number) {
    if (number < m_notes.size())
        editBy([&] { m_notes.erase(m_notes.begin() + static_cast<std::ptrdiff_t>(number)); }, tr("Remove a note"));
}

void Notes::swapSides() {
    if (m_notes.empty())
        return;
    for (Note &note : m_notes)
        note.side = note.side == 0 ? 1 : 0;
    Q_EMIT changed();
}

} // namespace syncopate::ui
