// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the variables of a step's layers and its batch size: from the gradients completed if their shapes were recorded, else
// from the buckets reduced.
#include "engine/profile/torch/kineto_analysis.h"
#include "engine/profile/torch/kineto_collectives.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace syncopate::kineto {

namespace {

class VariableFinder {
public:
    VariableFinder(const TraceEvents &trace, const Analysis &analysis, std::int32_t step, const std::vector<std::int64_t> &starts,
                   Job &job, std::vector<std::string> &inferred)
        : m_trace(trace), m_analysis(analysis), m_step(step), m_starts(starts), m_job(job), m_inferred(inferred) {}

    AddedVariables addVariables() {
        std::vector<std::vector<const EventDetail *>> shapes(m_job.layers.size());
        std::int32_t unknown = 0, gradients = 0;
        for (const GradientReady &gradient : ofStep(m_analysis.gradients, m_step)) {
            ++gradients;
            if (isUndefined(gradient.detail)) {
                ++m_undefined;
                continue;
            }
            const EventDetail *const detail =
                gradient.detail < 0 ? nullptr : &m_trace.details[static_cast<std::size_t>(gradient.detail)];
            const bool usable = detail && detail->hasDims &&
                                std::all_of(detail->dims.begin(), detail->dims.end(), [](std::int64_t d) { return d > 0; });
            if (usable)
                shapes[layerOf(m_starts, gradient.key)].push_back(detail);
            else
                ++unknown;
        }
        const bool hasShapes = gradients > m_undefined && unknown == 0;
        if (hasShapes)
            addShapedVariables(shapes);
        else
            addBuckets();
        return {!hasShapes && !m_job.variables.empty(), std::move(m_sizelessNote)};
    }

    /// Takes the first input dimension of the first convolution or linear layer.
    void findBatch() {
        const TraceEvent *first = nullptr;
        for (const Node &node : ofStep(m_analysis.forward, m_step)) {
            const TraceEvent &e = m_trace.events[node.event];
            if (e.detail >= 0 && !m_trace.details[static_cast<std::size_t>(e.detail)].dims.empty() &&
                (!first || e.start < first->start))
                first = &e;
        }
        if (!first) {
            m_inferred.emplace_back("The batch size was not recorded.");
            return;
        }
        m_job.batchSize =
            static_cast<double>(std::max<std::int64_t>(1, m_trace.details[static_cast<std::size_t>(first->detail)].dims.front()));
        m_inferred.push_back(
            fmt::format("Batch size {}: the first dimension of the first {}'s input.", m_job.batchSize, m_trace.nameOf(*first)));
    }

private:
    /// Whether AccumulateGrad was called without a gradient: such an input has neither shape nor type.
    [[nodiscard]] bool isUndefined(std::int32_t index) const {
        if (index < 0)
            return false;
        const EventDetail &detail = m_trace.details[static_cast<std::size_t>(index)];
        return detail.hasDims && detail.dims.empty() && detail.type.empty();
    }

    void addVariable(std::size_t layer, Variable variable) {
        m_job.layers[layer].variables.push_back(static_cast<std::int32_t>(m_job.variables.size()));
        m_job.variables.push_back(std::move(variable));
    }

    void addShapedVariables(const std::vector<std::vector<const EventDetail *>> &shapes) {
        std::set<std::string> types;
        for (std::size_t layer = 0; layer < shapes.size(); ++layer) {
            std::set<std::string> names;
            int number = 2; // of the next name without a meaning: all below it are taken
            const bool matrix =
                std::any_of(shapes[layer].begin(), shapes[layer].end(), [](const EventDetail *d) { return d->dims.size() > 1; });
            for (const EventDetail *detail : shapes[layer]) {
                Variable variable;
                variable.shape = detail->dims;
                variable.dtype = dataTypeOf(detail->type);
                types.insert(detail->type.empty() ? "not recorded, taken as float32" : detail->type);
                std::string name = detail->dims.size() > 1 || !(matrix || names.contains("weight")) ? "weight" : "bias";
                while (!names.insert(name).second)
                    name = fmt::format("variable{}", number++);
                variable.name = m_job.layers[layer].name + "/" + name;
                addVariable(layer, std::move(variable));
            }
        }
        std::string list;
        for (const std::string &type : types)
            list += (list.empty() ? "" : ", ") + type;
        if (m_undefined > 0)
            m_inferred.push_back(
                fmt::format("{} AccumulateGrad calls had no gradient to add: no variable stands for them.", m_undefined));
        m_inferred.push_back(
            fmt::format("{} variables with {} elements, one for each AccumulateGrad, with the shapes recorded there (types: {}); "
                        "their names are made from the layers', since a profile does not record the variables' names.",
                        m_job.variables.size(), m_job.parameterCount(), list));
    }

    /// Gradient buckets, which stand for the variables if shapes are missing.
    struct Buckets {
        std::vector<std::pair<std::size_t, Variable>> list; ///< index of the layer whose backward completed the bucket
        std::int64_t sizeless = 0;

        void add(std::size_t layer, std::int64_t elements, DataType dtype) {
            if (elements <= 0) {
                ++sizeless;
                return;
            }
            Variable variable;
            variable.name = fmt::format("bucket{}", list.size());
            variable.shape = {elements};
            variable.dtype = dtype;
            list.emplace_back(layer, std::move(variable));
        }
    };

    void addBuckets() {
        Buckets buckets;
        for (const std::uint32_t index : m_analysis.stepCollectives[static_cast<std::size_t>(m_step)]) {
            const Collective &collective = m_analysis.collectives[index];
            if (collective.gradient)
                buckets.add(layerOf(m_starts, collective.key), collective.elements, collective.dtype);
        }
        std::int64_t called = 0;
        for (const CollectiveRequest &request : m_analysis.requests) {
            if (request.step != m_step || !request.isGradient())
                continue;
            buckets.add(layerOf(m_starts, request.key), request.elements, request.dtype);
            ++called;
        }
        const std::size_t count = buckets.list.size();
        // Buckets are in reverse order of registration, which is forward order.
        std::stable_sort(buckets.list.begin(), buckets.list.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        for (auto &[layer, variable] : buckets.list)
            addVariable(layer, std::move(variable));
        if (count > 0)
            m_inferred.push_back(fmt::format(
                "The variables' shapes were not recorded (record_shapes=True records them): the {} gradient buckets with {} "
                "elements stand for them, each at the layer whose backward completed it{}.",
                count, m_job.parameterCount(),
                called > 0 ? fmt::format("; {} of them were called, but no transfer of theirs was recorded", called) : ""));
        else
            m_inferred.push_back(m_sizelessNote =
                                     "No variable has a known size: neither shapes (record_shapes=True) nor gradient collectives "
                                     "with sizes were recorded. Nothing will be synchronised in a simulation of this job.");
        if (buckets.sizeless > 0)
            m_inferred.push_back(fmt::format("{} gradient collectives have no recorded size and are left out of the variables.",
                                             buckets.sizeless));
    }

    const TraceEvents &m_trace;
    const Analysis &m_analysis;
    const std::int32_t m_step;
    const std::vector<std::int64_t> &m_starts;
    Job &m_job;
    std::vector<std::string> &m_inferred;
    std::string m_sizelessNote;
    std::int32_t m_undefined = 0; ///< AccumulateGrad calls without a gradient
};

} // namespace

AddedVariables addVariables(const TraceEvents &trace, const Analysis &analysis, std::int32_t step,
                            const std::vector<std::int64_t> &starts, Job &job, std::vector<std::string> &inferred) {
    VariableFinder finder(trace, analysis, step, starts, job, inferred);
    AddedVariables added = finder.addVariables();
    finder.findBatch();
    return added;
}

} // namespace syncopate::kineto
