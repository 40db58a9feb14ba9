// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/numbers.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/variables/variable_list.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace syncopate {

namespace {

using Index = std::size_t;

/// If less than this share of a profile's layers or variables is found in a list, names or shapes matched by coincidence
/// ("conv2d_1", biases of 64): sizes of most of the job would be missing or those of another model. A list of the right model
/// matches all of them; half leaves room for variables that one side splits, renames or freezes.
constexpr double requiredShare = 0.5;

std::string percent(std::size_t part, std::size_t whole) {
    return fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1)));
}

/// Refuses a list that matches too little of the profile; `what` is "variables" or "layers".
Result<void> requireShare(std::size_t matched, std::size_t whole, const char *what) {
    if (static_cast<double>(matched) >= requiredShare * static_cast<double>(whole))
        return {};
    return fail(
        fmt::format("only {} of the profile's {} {} ({}) are in this list, which looks like another model's: at least {:.0f} % "
                    "are required",
                    matched, whole, what, percent(matched, whole), 100 * requiredShare),
        "give the list of the model that was profiled");
}

/// The module of a variable: "layer1.0.conv1" for "layer1.0.conv1.weight" and for "layer1/0/conv1/kernel:0".
std::string moduleOf(std::string_view name) {
    const std::size_t cut = name.find_last_of("./");
    std::string module(cut == std::string_view::npos ? name : name.substr(0, cut));
    std::replace(module.begin(), module.end(), '/', '.');
    return module;
}

struct Module {
    std::string name;
    std::vector<Index> variables;
};

/// Groups consecutive variables of the same module.
std::vector<Module> modulesOf(const std::vector<Variable> &variables) {
    std::vector<Module> modules;
    std::unordered_map<std::string, Index> known;
    for (Index i = 0; i < variables.size(); ++i) {
        const std::string name = moduleOf(variables[i].name);
        const auto [place, fresh] = known.try_emplace(name, modules.size());
        if (fresh)
            modules.push_back({name, {}});
        modules[place->second].variables.push_back(i);
    }
    return modules;
}

/// Whether a layer is named after an op with weights: "conv2d_3", "Linear_1", "addmm_2"; not "upsample_bilinear2d_1".
bool canOwn(std::string_view layer) {
    std::string lower(layer);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower.find("upsample") != std::string::npos)
        return false;
    for (const char *mark : {"conv", "linear", "addmm", "norm", "embedding", "lstm", "gru", "rnn", "dense", "matmul"}) {
        if (lower.find(mark) != std::string::npos)
            return true;
    }
    return false;
}

class Matcher {
public:
    Matcher(const ImportedProfile &profile, const VariableList &list)
        : m_list(list), m_profile(std::make_shared<ImportedProfile>(profile)) {}

    Result<std::shared_ptr<const ImportedProfile>> match() {
        Job &job = m_profile->job;
        if (m_list.variables.empty())
            return fail(fmt::format("none of its {} tensors is a variable that is trained", m_list.leftOut.size()),
                        "give a list of the model's weights", m_list.file);
        auto how = TRY(inFile(!m_profile->unsized.empty() ? byName()
                              : m_profile->isBucketed     ? byBuckets()
                              : job.variables.empty()     ? byModules()
                                                          : byShapes(),
                              m_list.file));
        m_profile->isBucketed = false;
        forgetMissingSizes();
        std::string note =
            fmt::format("Variables from {} ({}): {}", std::filesystem::path(m_list.file).filename().string(), m_list.format, how);
        if (!m_list.leftOut.empty())
            note += fmt::format(" {} tensors of the list are not trained (statistics, counters, optimizer slots, integers).",
                                m_list.leftOut.size());
        m_profile->inferred.push_back(note);
        job.notes.push_back(note);
        for (const std::string &more : m_list.notes)
            m_profile->inferred.push_back(more);
        checkSizes(*m_profile);
        makeNamesValid(*m_profile);
        TRY(validateJob(job, m_list.file));
        return std::shared_ptr<const ImportedProfile>(std::move(m_profile));
    }

private:
    void own(Index layer, Variable variable) {
        Job &job = m_profile->job;
        job.layers[layer].variables.push_back(static_cast<std::int32_t>(job.variables.size()));
        job.variables.push_back(std::move(variable));
    }

    void forget() {
        m_profile->job.variables.clear();
        for (Layer &layer : m_profile->job.layers)
            layer.variables.clear();
    }

    /// Removes the reader's sentence that nothing is synchronised, which no longer holds.
    void forgetMissingSizes() {
        if (m_profile->sizelessNote.empty())
            return;
        std::erase(m_profile->inferred, m_profile->sizelessNote);
        std::erase(m_profile->job.notes, m_profile->sizelessNote);
        m_profile->sizelessNote.clear();
    }

    [[nodiscard]] std::string total() const {
        return fmt::format("{} variables with {} elements", m_profile->job.variables.size(), m_profile->job.parameterCount());
    }

    /// Matches by name: the profile has names and layers, the list names and sizes.
    Result<std::string> byName() {
        std::unordered_map<std::string_view, Index> known;
        for (Index i = 0; i < m_list.variables.size(); ++i) {
            std::string_view name = m_list.variables[i].name;
            known.emplace(name.ends_with(":0") ? name.substr(0, name.size() - 2) : name, i);
        }
        std::vector<UnsizedVariable> left;
        forget();
        for (const UnsizedVariable &wanted : m_profile->unsized) {
            const auto found = known.find(wanted.name);
            if (found == known.end()) {
                left.push_back(wanted);
                continue;
            }
            Variable variable = m_list.variables[found->second];
            variable.name = wanted.name;
            own(static_cast<Index>(wanted.layer), std::move(variable));
        }
        const std::size_t matched = m_profile->unsized.size() - left.size();
        if (matched == 0)
            return fail(fmt::format("none of the {} variables of the profile ('{}', ...) is in this list ('{}', ...)",
                                    left.size(), left.front().name, m_list.variables.front().name),
                        "give the list of the model that was profiled");
        TRY(requireShare(matched, m_profile->unsized.size(), "variables"));
        const std::string share = percent(matched, m_profile->unsized.size());
        m_profile->unsized = left;
        return fmt::format("{} found by name ({} of the profile's), {} of the profile are not in the list{}, {} of the list are "
                           "not in the profile.",
                           total(), share, left.size(),
                           left.empty() ? "" : fmt::format(" ('{}'{})", left.front().name, left.size() > 1 ? ", ..." : ""),
                           m_list.variables.size() - matched);
    }

    /// Matches by shape: the profile has shapes, the list shapes and names.
    Result<std::string> byShapes() {
        std::map<std::vector<std::int64_t>, std::vector<Index>> shapes;
        for (Index i = m_list.variables.size(); i-- > 0;)
            shapes[m_list.variables[i].shape].push_back(i);
        Job &job = m_profile->job;
        std::size_t matched = 0;
        std::vector<bool> used(m_list.variables.size(), false);
        std::unordered_map<std::string, int> names;
        std::vector<std::string> renamed;
        for (const Variable &variable : job.variables)
            renamed.push_back(variable.name);
        for (Index i = 0; i < job.variables.size(); ++i) {
            const auto found = shapes.find(job.variables[i].shape);
            if (found == shapes.end() || found->second.empty())
                continue;
            renamed[i] = m_list.variables[found->second.back()].name;
            used[found->second.back()] = true;
            found->second.pop_back();
            ++matched;
        }
        if (matched == 0)
            return fail(fmt::format("no variable of the profile has a shape of this list ({} and {} variables)",
                                    job.variables.size(), m_list.variables.size()),
                        "give the list of the model that was profiled");
        TRY(requireShare(matched, job.variables.size(), "variables"));
        for (Index i = 0; i < job.variables.size(); ++i) {
            const int again = ++names[renamed[i]]; // a name made up here may be in the list, too
            job.variables[i].name = again == 1 ? renamed[i] : fmt::format("{}_{}", renamed[i], again);
        }
        return fmt::format(
            "{} of the profile's {} variables ({}) have a shape of the list and got its names, the k-th of a shape the k-th "
            "name{}; {} of the list have no partner.",
            matched, job.variables.size(), percent(matched, job.variables.size()),
            m_list.sorted ? " (the list is not in the model's order: names of equal shapes may be exchanged)" : "",
            std::count(used.begin(), used.end(), false));
    }

    /// Matches by bucket sizes: DistributedDataParallel fills buckets from the last variable to the first.
    Result<std::string> byBuckets() {
        Job &job = m_profile->job;
        std::vector<Index> layerOf(job.variables.size(), 0);
        for (Index l = 0; l < job.layers.size(); ++l) {
            for (const std::int32_t v : job.layers[l].variables)
                layerOf[static_cast<Index>(v)] = l;
        }
        const std::vector<Variable> buckets = job.variables;
        std::int64_t inBuckets = 0, inList = 0;
        for (const Variable &bucket : buckets)
            inBuckets += bucket.elementCount();
        for (const Variable &variable : m_list.variables)
            inList += std::min<std::int64_t>(variable.elementCount(), std::int64_t{1} << 40);
        std::vector<std::pair<Index, Index>> parts; // ranges of the list
        Index at = 0;
        for (const Variable &bucket : buckets) {
            const Index from = at;
            std::int64_t sum = 0;
            while (at < m_list.variables.size() && sum < bucket.elementCount())
                sum = saturatingSum(sum, m_list.variables[at++].elementCount());
            if (sum != bucket.elementCount())
                return fail(
                    fmt::format("the list's variables in order do not fill the profile's {} gradient buckets ({} elements in "
                                "the list, {} in the buckets)",
                                buckets.size(), inList, inBuckets),
                    m_list.sorted ? "give a list in the model's own order: an ONNX model or a list of tensors"
                                  : "give the list of the model that was profiled, in its order");
            parts.emplace_back(from, at);
        }
        if (at != m_list.variables.size())
            return fail(fmt::format("the list has {} elements, the profile's gradient buckets {}", inList, inBuckets),
                        "give the list of the model that was profiled");
        forget();
        for (Index b = 0; b < buckets.size(); ++b) {
            const Index first = b == 0 ? 0 : layerOf[b];
            const Index last = b + 1 < buckets.size() ? std::max(layerOf[b + 1], first + 1) : job.layers.size();
            const std::vector<Variable> part(m_list.variables.begin() + static_cast<std::ptrdiff_t>(parts[b].first),
                                             m_list.variables.begin() + static_cast<std::ptrdiff_t>(parts[b].second));
            const std::vector<Module> modules = modulesOf(part);
            for (Index m = 0; m < modules.size(); ++m) {
                for (const Index v : modules[m].variables)
                    own(first + m * (last - first) / modules.size(), part[v]);
            }
        }
        return fmt::format(
            "{}, in order, meet the bounds of all {} gradient buckets; within a bucket the modules are spread evenly over "
            "its layers.",
            total(), buckets.size());
    }

    /// Matches modules to layers, for profiles without any variables.
    Result<std::string> byModules() {
        Job &job = m_profile->job;
        const std::vector<Module> modules = modulesOf(m_list.variables);
        std::unordered_map<std::string, Index> layers;
        for (Index l = 0; l < job.layers.size(); ++l) {
            std::string name = job.layers[l].name;
            std::replace(name.begin(), name.end(), '/', '.');
            layers.emplace(name, l);
        }
        std::vector<bool> owns(job.layers.size(), false); // as far as layers' names tell
        for (Index l = 0; l < job.layers.size(); ++l)
            owns[l] = canOwn(job.layers[l].name);
        std::size_t named = 0;
        for (const Module &module : modules) {
            if (const auto layer = layers.find(module.name); layer != layers.end()) {
                ++named;
                owns[layer->second] = true;
                for (const Index v : module.variables)
                    own(layer->second, m_list.variables[v]);
            }
        }
        const auto owning = static_cast<std::size_t>(std::count(owns.begin(), owns.end(), true));
        if (named > 0) {
            TRY(requireShare(named, owning, "layers that can own variables"));
            return fmt::format(
                "{}: {} of the list's {} modules have the name of a layer, which are {} of the {} layers that can own "
                "variables.",
                total(), named, modules.size(), percent(named, owning), owning);
        }
        std::vector<Index> owners;
        for (Index l = 0; l < job.layers.size(); ++l) {
            if (owns[l])
                owners.push_back(l);
        }
        if (owners.size() != modules.size() && job.layers.size() == modules.size()) {
            owners.resize(job.layers.size());
            std::iota(owners.begin(), owners.end(), Index{0});
        }
        if (owners.size() != modules.size() || m_list.sorted)
            return fail(
                owners.size() == modules.size()
                    ? std::string("this format sorts its variables by name, so their order says nothing about the layers, and "
                                  "no name is a layer's")
                    : fmt::format("no module of this list has the name of a layer, and its {} modules are not as many as the "
                                  "profile's {} layers, of which {} look as if they owned variables",
                                  modules.size(), job.layers.size(), owners.size()),
                "give the list of the model that was profiled, in its order (a job file, an ONNX model), or record the profile "
                "with record_shapes=True");
        for (Index m = 0; m < modules.size(); ++m) {
            for (const Index v : modules[m].variables)
                own(owners[m], m_list.variables[v]);
        }
        return fmt::format(
            "{}: no name is a layer's, but there are as many modules as layers that can own variables ({}), which are "
            "paired in order.",
            total(), modules.size());
    }

    const VariableList &m_list;
    std::shared_ptr<ImportedProfile> m_profile;
};

} // namespace

Result<std::shared_ptr<const ImportedProfile>> withVariables(const ImportedProfile &profile, const VariableList &list) {
    return Matcher(profile, list).match();
}

} // namespace syncopate
