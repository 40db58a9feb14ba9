// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/finish_profile.h"

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace syncopate {

namespace {

std::string sizesThatDiffer(const ImportedProfile &profile) {
    const std::int64_t inVariables = profile.job.parameterCount();
    if (inVariables == 0 || !profile.synchronises)
        return {};
    std::int64_t collectives = 0, sizeless = 0, moved = 0;
    for (const GradientCollective &gradient : profile.gradients) {
        if (gradient.step != profile.jobStep)
            continue;
        ++collectives;
        sizeless += gradient.elements <= 0;
        moved = saturatingSum(moved, gradient.elements);
    }
    if (moved == inVariables || (collectives > 0 && sizeless == collectives))
        return {};
    return fmt::format(
        "The sizes do not add up: the {} gradient collectives of the step move {} elements{}, its variables have {} "
        "({} apart). A simulated strategy synchronises the variables: variables that the recorded run did not "
        "all-reduce (sharded, frozen), or reductions that are not of gradients, make the difference.",
        collectives, moved, sizeless > 0 ? fmt::format(" ({} of them have no recorded size)", sizeless) : "", inVariables,
        std::abs(moved - inVariables));
}

} // namespace

std::string missingSizes(const ImportedProfile &profile) {
    if (!profile.unsized.empty())
        return fmt::format(
            "The profile names {} variables without their sizes, such as {}: they are not synchronised in a simulation.",
            profile.unsized.size(), profile.unsized.front().name);
    if (profile.job.variables.empty())
        return "The profile does not state the sizes of the model's variables: nothing is synchronised in a simulation.";
    return {};
}

void makeNamesValid(ImportedProfile &profile) {
    const auto makeUtf8 = [](std::string &text) {
        if (!isValidUtf8(text))
            text = validUtf8(text);
    };
    const auto clean = [&](std::string &text) {
        makeUtf8(text);
        text = visibleText(text); // a line break in a name would forge lines of a table
    };
    const auto cleanAll = [&](std::vector<std::string> &texts) { std::for_each(texts.begin(), texts.end(), clean); };
    makeUtf8(profile.file);
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
    cleanAll(profile.rankStepNames);
    clean(profile.platform.device);
    clean(profile.platform.backend);
    for (UnsizedVariable &variable : profile.unsized)
        clean(variable.name);
    for (RankFigures &rank : profile.ranks)
        makeUtf8(rank.file);
    for (OverlapFigures &figures : profile.overlap)
        clean(figures.device);
    cleanAll(profile.read);
    cleanAll(profile.inferred);
    clean(profile.sizeDoubt);
    clean(profile.sizelessNote);
}

void checkSizes(ImportedProfile &profile) {
    for (auto *const notes : {&profile.inferred, &profile.job.notes}) {
        if (!profile.sizeDoubt.empty())
            std::erase(*notes, profile.sizeDoubt);
    }
    profile.sizeDoubt = sizesThatDiffer(profile);
    if (profile.sizeDoubt.empty())
        return;
    for (auto *const notes : {&profile.inferred, &profile.job.notes})
        notes->insert(notes->begin(), profile.sizeDoubt);
}

} // namespace syncopate
