// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/finish_profile.h"

#include "engine/parse/utf8.h"

#include <algorithm>
#include <string>
#include <vector>

namespace syncopate {

void makeNamesValid(ImportedProfile &profile) {
    const auto clean = [](std::string &text) {
        if (!isValidUtf8(text))
            text = validUtf8(text);
    };
    const auto cleanAll = [&](std::vector<std::string> &texts) { std::for_each(texts.begin(), texts.end(), clean); };
    clean(profile.file);
    clean(profile.job.name);
    cleanAll(profile.job.notes);
    for (Layer &layer : profile.job.layers)
        clean(layer.name);
    for (Variable &variable : profile.job.variables)
        clean(variable.name);
    for (Lane &lane : profile.timeline.lanes)
        clean(lane.name);
    cleanAll(profile.timeline.labels);
    for (ProfileStep &step : profile.steps)
        clean(step.name);
    for (UnsizedVariable &variable : profile.unsized)
        clean(variable.name);
    for (RankFigures &rank : profile.ranks)
        clean(rank.file);
    for (OverlapFigures &figures : profile.overlap)
        clean(figures.device);
    cleanAll(profile.read);
    cleanAll(profile.inferred);
}

} // namespace syncopate
