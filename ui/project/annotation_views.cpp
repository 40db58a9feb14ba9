// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/annotation_views.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr qsizetype maxEntries = 10000;
constexpr double longest = 1e15; ///< nanoseconds: no step lasts eleven days

QJsonArray namesToJson(const std::vector<std::string> &names) {
    QJsonArray array;
    for (const std::string &name : names)
        array.append(QString::fromStdString(name));
    return array;
}

std::vector<std::string> namesFromJson(const QJsonValue &value) {
    std::vector<std::string> names;
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < std::min(array.size(), maxEntries); ++i)
        if (array.at(i).isString())
            names.push_back(array.at(i).toString().toStdString());
    return names;
}

} // namespace

QJsonArray notesToJson(const std::vector<Note> &notes) {
    QJsonArray array;
    for (const Note &note : notes)
        array.append(QJsonObject{{QStringLiteral("side"), note.side},
                                 {QStringLiteral("from"), note.fromNanoseconds},
                                 {QStringLiteral("to"), note.toNanoseconds},
                                 {QStringLiteral("lane"), QString::fromStdString(note.lane)},
                                 {QStringLiteral("text"), QString::fromStdString(note.text)}});
    return array;
}

std::vector<Note> notesFromJson(const QJsonArray &array) {
    std::vector<Note> notes;
    for (qsizetype i = 0; i < std::min(array.size(), maxEntries); ++i) {
        const QJsonObject object = array.at(i).toObject();
        const int side = object.value(QStringLiteral("side")).toInt(-1);
        const double from = object.value(QStringLiteral("from")).toDouble(longest * 2);
        const double to = object.value(QStringLiteral("to")).toDouble(from);
        const QString text = object.value(QStringLiteral("text")).toString();
        if ((side != 0 && side != 1) || !(std::abs(from) <= longest) || !(std::abs(to) <= longest) || text.isEmpty())
            continue;
        notes.push_back({static_cast<std::uint8_t>(side), from, std::max(from, to),
                         object.value(QStringLiteral("lane")).toString().toStdString(), text.toStdString()});
    }
    return notes;
}

QJsonObject lanesToJson(const LaneArrangement &arrangement) {
    return {{QStringLiteral("pinned"), namesToJson(arrangement.pinned)},
            {QStringLiteral("order"), namesToJson(arrangement.order)},
            {QStringLiteral("collapsed"), namesToJson(arrangement.collapsed)},
            {QStringLiteral("expanded"), namesToJson(arrangement.expanded)}};
}

LaneArrangement lanesFromJson(const QJsonObject &object) {
    return {namesFromJson(object.value(QStringLiteral("pinned"))), namesFromJson(object.value(QStringLiteral("order"))),
            namesFromJson(object.value(QStringLiteral("collapsed"))), namesFromJson(object.value(QStringLiteral("expanded")))};
}

} // namespace syncopate::ui
