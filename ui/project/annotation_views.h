// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/annotations.h"

#include <QJsonArray>
#include <QJsonObject>
#include <vector>

namespace syncopate::ui {

// The user's notes and lanes as a project keeps them. Reading is lenient: entries that are not a note or a name are skipped, and
// so is everything beyond 10,000 of them.

[[nodiscard]] QJsonArray notesToJson(const std::vector<Note> &notes);
[[nodiscard]] std::vector<Note> notesFromJson(const QJsonArray &array);
[[nodiscard]] QJsonObject lanesToJson(const LaneArrangement &arrangement);
[[nodiscard]] LaneArrangement lanesFromJson(const QJsonObject &object);

} // namespace syncopate::ui
