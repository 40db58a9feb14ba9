// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/spec_notes.h"

#include "engine/base/yaml_text.h"
#include "engine/cluster/spec_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

bool isKnown(const Cluster &cluster, const std::string &figure) {
    return std::any_of(cluster.figureNotes.begin(), cluster.figureNotes.end(),
                       [&](const FigureNote &note) { return note.figure == figure; });
}

/// The figure that a note of an older file is about: "Calibrated: latency_seconds 6e-05 from log.txt (..". Empty = none.
std::string figureOf(std::string_view note) {
    constexpr std::string_view begin = "Calibrated: ";
    if (!note.starts_with(begin))
        return {};
    note.remove_prefix(begin.size());
    const std::string_view key = note.substr(0, note.find(' '));
    return key.find('_') == std::string_view::npos || note.find(" from ") == std::string_view::npos ? std::string()
                                                                                                    : std::string(key);
}

/// Gives the note of an older file to the figure or the collective that it is about. False = it is about neither.
bool assign(Cluster &cluster, const std::string &note) {
    if (std::string figure = figureOf(note); !figure.empty() && !isKnown(cluster, figure)) {
        cluster.figureNotes.push_back({std::move(figure), note});
        return true;
    }
    for (MeasuredCollective &measured : cluster.collectives)
        if (measured.note.empty() &&
            note.starts_with(fmt::format("Measured: {} among {} ranks, ", nameOf(measured.kind), measured.ranks))) {
            measured.note = note;
            return true;
        }
    return false;
}

} // namespace

void readNotes(const YAML::Node &root, Cluster &cluster) {
    const YAML::Node notes = root["notes"], figures = root["figure_notes"];
    if (isGiven(notes)) {
        if (!notes.IsSequence())
            refuse(notes.Mark(), "notes is not a list", "write a list of texts");
        for (const auto &note : notes) {
            std::string text = readText(note, "notes");
            if (isGiven(figures) || !assign(cluster, text))
                cluster.notes.push_back(std::move(text));
        }
    }
    if (!isGiven(figures))
        return;
    if (!figures.IsMap())
        refuse(figures.Mark(), "figure_notes is not a map", "write figure_notes: {latency_seconds: a text}");
    for (const auto &entry : figures) {
        std::string figure = readText(entry.first, "figure_notes");
        if (isKnown(cluster, figure))
            refuse(entry.first.Mark(), fmt::format("figure_notes has {} twice", shown(entry.first)), "keep one of them");
        cluster.figureNotes.push_back({std::move(figure), readText(entry.second, "figure_notes")});
    }
}

} // namespace syncopate
