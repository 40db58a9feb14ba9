// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/arrays.h"

#include "engine/base/units.h"
#include "engine/export/table.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <pybind11/numpy.h>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace syncopate::python {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

template <class T> py::array_t<T> newColumn(std::size_t rows) { return py::array_t<T>(static_cast<py::ssize_t>(rows)); }

/// A column of Python objects. Adding the same object again shares it.
class ObjectColumn {
public:
    // The stride is stated because pybind11 before 2.12 reads a wrong one from the array types of NumPy 2.
    explicit ObjectColumn(std::size_t rows)
        : m_array(py::dtype("O"), std::vector<py::ssize_t>{static_cast<py::ssize_t>(rows)},
                  std::vector<py::ssize_t>{static_cast<py::ssize_t>(sizeof(PyObject *))}) {}
    void add(const py::handle &object) {
        auto **const cells = static_cast<PyObject **>(m_array.mutable_data());
        Py_XDECREF(cells[m_row]); // NumPy initialises cells with null or None
        cells[m_row++] = object.inc_ref().ptr();
    }
    [[nodiscard]] const py::array &array() const { return m_array; }

private:
    py::array m_array;
    std::size_t m_row = 0;
};

std::vector<py::str> pythonTexts(const std::vector<std::string> &texts) {
    std::vector<py::str> made;
    for (const std::string &text : texts)
        made.push_back(pythonText(text));
    return made;
}

/// A column of a table, numeric if the table says so.
py::object columnOf(const Table &table, std::size_t index) {
    if (!table.columns[index].isNumber) {
        ObjectColumn column(table.rows.size());
        for (const auto &row : table.rows)
            column.add(pythonText(row[index]));
        return column.array();
    }
    auto column = newColumn<double>(table.rows.size());
    auto *cell = column.mutable_data();
    for (const auto &row : table.rows)
        *cell++ = parseNumber(row[index]).value_or(missing);
    return column;
}

/// An array of `value(row)` over the rows.
template <class T, class Rows, class Value> py::array_t<T> column(const Rows &rows, Value value) {
    auto made = newColumn<T>(rows.size());
    std::transform(rows.begin(), rows.end(), made.mutable_data(), value);
    return made;
}

} // namespace

py::str pythonText(std::string_view text) {
    return py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

py::dict spanArrays(const Timeline &timeline, const Job &job) {
    const std::size_t rows = timeline.spanCount();
    ObjectColumn lanes(rows), categories(rows), labels(rows), variables(rows);
    auto worker = newColumn<std::int32_t>(rows);
    auto start = newColumn<Nanoseconds>(rows), end = newColumn<Nanoseconds>(rows);
    auto size = newColumn<double>(rows);
    const std::vector<py::str> labelTexts = pythonTexts(timeline.labels);
    std::vector<py::str> categoryTexts, variableTexts;
    for (std::size_t c = 0; c < categoryCount; ++c)
        categoryTexts.push_back(pythonText(nameOf(static_cast<Category>(c))));
    for (const Variable &variable : job.variables)
        variableTexts.push_back(pythonText(variable.name));
    const py::str none("");
    std::size_t row = 0;
    for (const Lane &lane : timeline.lanes) {
        const py::str name = pythonText(lane.name);
        std::fill_n(worker.mutable_data() + row, lane.size(), lane.worker);
        std::copy(lane.start.begin(), lane.start.end(), start.mutable_data() + row);
        std::copy(lane.end.begin(), lane.end.end(), end.mutable_data() + row);
        std::copy(lane.sizeBytes.begin(), lane.sizeBytes.end(), size.mutable_data() + row);
        for (std::size_t i = 0; i < lane.size(); ++i) {
            lanes.add(name);
            categories.add(categoryTexts[static_cast<std::size_t>(lane.category[i])]);
            labels.add(labelTexts[static_cast<std::size_t>(lane.label[i])]);
            variables.add(lane.variable[i] < 0 ? none : variableTexts[static_cast<std::size_t>(lane.variable[i])]);
        }
        row += lane.size();
    }
    py::dict spans;
    spans["lane"] = lanes.array();
    spans["worker"] = worker;
    spans["start_ns"] = start;
    spans["end_ns"] = end;
    spans["category"] = categories.array();
    spans["label"] = labels.array();
    spans["variable"] = variables.array();
    spans["size_bytes"] = size;
    return spans;
}

py::dict variableArrays(const Run &run) {
    const Table table = variableTable(run);
    py::dict columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        columns[pythonText(table.columns[c].name)] = columnOf(table, c);
    return columns;
}

py::dict motifArrays(const DagRun &run) {
    const std::vector<PlannedSpan> &spans = run.played.spans;
    const ExecutionPlan &plan = run.work.plan;
    ObjectColumn ops(spans.size()), kinds(spans.size()), motifs(spans.size()), channels(spans.size());
    const py::str none(""), compute("compute");
    for (const PlannedSpan &span : spans) {
        ops.add(pythonText(run.work.dag.ops[span.op.index()].name));
        const Motif *const motif = span.motif.exists() ? &plan.motifs[span.motif.index()].motif : nullptr;
        kinds.add(motif ? pythonText(nameOf(motif->kind)) : compute);
        motifs.add(motif ? pythonText(nameOf(*motif)) : none);
        channels.add(motif ? pythonText(plan.channels[span.channel.index()].name) : none);
    }
    py::dict columns;
    columns["op"] = ops.array();
    columns["kind"] = kinds.array();
    columns["motif"] = motifs.array();
    columns["channel"] = channels.array();
    columns["sent_bytes"] = column<double>(spans, [&](const PlannedSpan &span) {
        const DagOp &op = run.work.dag.ops[span.op.index()];
        return op.isCompute() ? 0.0 : sentBytes(plan.motifs[span.motif.index()].motif, op.sizeBytes, run.work.dag.groupSize(op));
    });
    columns["start_seconds"] = column<double>(spans, [](const PlannedSpan &span) { return span.startSeconds; });
    columns["end_seconds"] = column<double>(spans, [](const PlannedSpan &span) { return span.endSeconds; });
    return columns;
}

py::dict layerArrays(const Job &job) {
    ObjectColumn names(job.layers.size());
    for (const Layer &layer : job.layers)
        names.add(pythonText(layer.name));
    py::dict layers;
    layers["name"] = names.array();
    layers["forward_seconds"] = column<double>(job.layers, [](const Layer &layer) { return layer.forwardSeconds; });
    layers["backward_seconds"] = column<double>(job.layers, [](const Layer &layer) { return layer.backwardSeconds; });
    layers["size_bytes"] = column<double>(job.layers, [&job](const Layer &layer) {
        double bytes = 0;
        for (const std::int32_t variable : layer.variables)
            bytes += static_cast<double>(job.variables[static_cast<std::size_t>(variable)].sizeBytes());
        return bytes;
    });
    return layers;
}

py::dict trialArrays(const SearchHistory &history, SearchObjective objective) {
    const std::vector<SearchTrial> &trials = history.trials;
    auto bestSoFar = newColumn<double>(trials.size()), hitRate = newColumn<double>(trials.size());
    ObjectColumn errors(trials.size());
    SearchTally tally(objective, history.baselines);
    for (std::size_t t = 0; t < trials.size(); ++t) {
        tally.add(trials[t]);
        bestSoFar.mutable_at(t) = tally.bestIterationSeconds();
        hitRate.mutable_at(t) = tally.hitRate();
        errors.add(pythonText(trials[t].error));
    }
    const auto count = [&](std::int32_t CandidateMetrics::*member) {
        return column<std::int32_t>(trials, [member](const SearchTrial &trial) { return trial.metrics.*member; });
    };
    py::dict columns;
    columns["trial"] = column<std::int64_t>(trials, [](const SearchTrial &t) { return static_cast<std::int64_t>(t.trial); });
    columns["iteration_seconds"] = column<double>(trials, [](const SearchTrial &t) { return t.metrics.iterationSeconds; });
    columns["exposed_communication_seconds"] =
        column<double>(trials, [](const SearchTrial &t) { return t.metrics.exposedSeconds; });
    columns["best_so_far_seconds"] = bestSoFar;
    columns["hit_rate"] = hitRate;
    columns["ps_variables"] = count(&CandidateMetrics::psVariables);
    columns["shards"] = count(&CandidateMetrics::shards);
    columns["servers"] = count(&CandidateMetrics::servers);
    columns["groups"] = count(&CandidateMetrics::groups);
    columns["error"] = errors.array();
    return columns;
}

namespace {

py::object pythonValue(const QueryValue &value) {
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        return py::int_(*integer);
    if (const auto *real = std::get_if<double>(&value))
        return py::float_(*real);
    if (const auto *text = std::get_if<std::string>(&value))
        return pythonText(*text);
    return py::none();
}

double numberOf(const QueryValue &value) {
    if (const auto *integer = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*integer);
    const auto *real = std::get_if<double>(&value);
    return real ? *real : missing;
}

} // namespace

py::dict resultArrays(const QueryResult &result) {
    if (result.isCut) {
        const std::string text = fmt::format("only the first {} rows are returned: rows=N returns more", result.rows.size());
        if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0)
            throw py::error_already_set(); // the caller has warnings raised
    }
    py::dict columns;
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
        const auto all = [&result, c](const auto &is) {
            return std::all_of(result.rows.begin(), result.rows.end(), [&is, c](const auto &row) { return is(row[c]); });
        };
        py::object cells;
        if (all([](const QueryValue &value) { return std::holds_alternative<std::int64_t>(value); })) {
            cells = column<std::int64_t>(result.rows, [c](const auto &row) { return std::get<std::int64_t>(row[c]); });
        } else if (all([](const QueryValue &value) { return !std::holds_alternative<std::string>(value); })) {
            cells = column<double>(result.rows, [c](const auto &row) { return numberOf(row[c]); });
        } else {
            ObjectColumn texts(result.rows.size());
            for (const auto &row : result.rows)
                texts.add(pythonValue(row[c]));
            cells = texts.array();
        }
        columns[pythonText(result.columns[c])] = cells;
    }
    return columns;
}

} // namespace syncopate::python
