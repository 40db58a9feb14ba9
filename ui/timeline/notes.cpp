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

std::size_t Notes::add(Note note) {
    m_notes.push_back(std::move(note));
    Q_EMIT changed();
    return m_notes.size() - 1;
}

void Notes::setText(std::size_t number, const std::string &text) {
    if (text.empty()) {
        remove(number);
        return;
    }
    if (number >= m_notes.size() || m_notes[number].text == text)
        return;
    m_notes[number].text = text;
    Q_EMIT changed();
}

void Notes::remove(std::size_t number) {
    if (number >= m_notes.size())
        return;
    m_notes.erase(m_notes.begin() + static_cast<std::ptrdiff_t>(number));
    Q_EMIT changed();
}

void Notes::swapSides() {
    if (m_notes.empty())
        return;
    for (Note &note : m_notes)
        note.side = note.side == 0 ? 1 : 0;
    Q_EMIT changed();
}

} // namespace syncopate::ui
