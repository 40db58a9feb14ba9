// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/export.h"

#include "engine/base/json_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

std::string writeChromeTrace(const Run &run) {
    JsonWriter json;
    json.beginObject().member("displayTimeUnit", "ms").key("traceEvents").beginArray().newLine();
    const auto metadata = [&](const char *what, std::int64_t pid, std::int64_t tid, std::string_view name) {
        json.beginObject().member("ph", "M").member("name", what).member("pid", pid).member("tid", tid);
        json.key("args").beginObject().member("name", name).endObject().endObject().newLine();
    };
    for (std::size_t w = 0; w < run.graph.workerNames.size(); ++w)
        metadata("process_name", static_cast<std::int64_t>(w), 0, run.graph.workerNames[w]);
    for (std::size_t l = 0; l < run.timeline.lanes.size(); ++l) {
        const Lane &lane = run.timeline.lanes[l];
        const std::int64_t pid = lane.worker;
        const auto tid = static_cast<std::int64_t>(l) + 1;
        metadata("thread_name", pid, tid, lane.name);
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const auto task = static_cast<std::size_t>(lane.task[i]);
            json.beginObject().member("ph", "X").member("name", run.timeline.labels[static_cast<std::size_t>(lane.label[i])]);
            json.member("cat", nameOf(lane.category[i])).member("pid", pid).member("tid", tid);
            // Times in ns become microseconds with three decimals, exactly.
            json.member("ts", static_cast<double>(lane.start[i]) / 1e3);
            json.member("dur", static_cast<double>(lane.end[i] - lane.start[i]) / 1e3);
            json.key("args").beginObject().member("iteration", run.graph.iteration[task]);
            if (lane.sizeBytes[i] > 0)
                json.member("size_bytes", lane.sizeBytes[i]);
            json.endObject().endObject().newLine();
        }
    }
    json.endArray().key("otherData").beginObject();
    json.member("job", run.scenario.job->name).member("cluster", run.scenario.cluster->name);
    json.member("policy", formatPolicy(run.scenario.policy)).member("iteration_seconds", run.iterationSeconds);
    json.key("assumptions").beginArray();
    for (const std::string &assumption : run.assumptions)
        json.value(assumption);
    json.endArray().endObject().endObject().newLine();
    return json.take();
}

std::vector<VariableRow> variableRows(const Run &run) {
    const Job &job = *run.scenario.job;
    std::vector<VariableRow> rows(job.variables.size());
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        for (const std::int32_t v : job.layers[l].variables)
            rows[static_cast<std::size_t>(v)].layer = static_cast<std::int32_t>(l);
    for (std::size_t v = 0; v < rows.size(); ++v) {
        rows[v].variable = static_cast<std::int32_t>(v);
        rows[v].parts = 0;
    }
    for (const SyncUnit &unit : run.graph.units) {
        for (const std::int32_t v : unit.variables) {
            VariableRow &row = rows[static_cast<std::size_t>(v)];
            ++row.parts;
            row.synchroniser = unit.kind == SynchronizerKind::AllReduce ? "AllReduce" : "PS";
            row.group = unit.group;
            if (!unit.destination.empty() && row.destination.find(unit.destination) == std::string::npos)
                row.destination += (row.destination.empty() ? "" : " ") + unit.destination;
        }
    }
    // Traffic of the last full iteration. It may end in the next one: that is what per-layer overlap means.
    const std::int32_t iteration = run.graph.iterations - 2;
    std::vector<std::vector<std::pair<double, double>>> spans(rows.size());
    for (std::size_t t = 0; t < run.graph.size(); ++t) {
        if (run.graph.iteration[t] != iteration || run.graph.unit[t] < 0 || run.graph.path[t] < 0 || run.graph.worker[t] > 0 ||
            !(run.endSeconds[t] > run.startSeconds[t]))
            continue;
        for (const std::int32_t v : run.graph.units[static_cast<std::size_t>(run.graph.unit[t])].variables)
            spans[static_cast<std::size_t>(v)].emplace_back(run.startSeconds[t], run.endSeconds[t]);
    }
    for (std::size_t v = 0; v < rows.size(); ++v) {
        auto &own = spans[v];
        if (own.empty())
            continue;
        std::sort(own.begin(), own.end());
        rows[v].firstStartSeconds = own.front().first - run.windowStartSeconds;
        double end = own.front().first;
        for (const auto &[from, to] : own) {
            rows[v].communicationSeconds += std::max(0.0, to - std::max(from, end));
            end = std::max(end, to);
        }
        rows[v].lastEndSeconds = end - run.windowStartSeconds;
    }
    return rows;
}

std::string writeTableCsv(const Run &run) {
    const Job &job = *run.scenario.job;
    std::string csv = "variable,layer,shape,dtype,size_bytes,synchroniser,destination,parts,group,first_start_seconds,"
                      "last_end_seconds,communication_seconds\n";
    for (const VariableRow &row : variableRows(run)) {
        const Variable &variable = job.variables[static_cast<std::size_t>(row.variable)];
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{:.9f},{:.9f},{:.9f}\n", csvField(variable.name),
                           csvField(job.layers[static_cast<std::size_t>(row.layer)].name),
                           csvField(fmt::format("{}", fmt::join(variable.shape, "x"))), nameOf(variable.dtype),
                           variable.sizeBytes(), row.synchroniser, csvField(row.destination), row.parts, row.group,
                           row.firstStartSeconds, row.lastEndSeconds, row.communicationSeconds);
    }
    return csv;
}

std::string writeAutoDistStub(std::string_view strategyFileName) {
    return fmt::format(
        "# Runs the strategy in {0} with AutoDist: AutoDist(spec, FromFile()).\n"
        "import os\n"
        "from autodist.strategy.base import Strategy, StrategyBuilder\n\n\n"
        "class FromFile(StrategyBuilder):\n"
        "    def build(self, graph_item, resource_spec):\n"
        "        return Strategy.deserialize(path=os.path.join(os.path.dirname(os.path.abspath(__file__)), '{0}'))\n",
        strategyFileName);
}

Result<void> writeFile(const std::string &path, std::string_view bytes) {
    const std::string temporary = path + ".part";
    const auto failed = [&] {
        return fail(fmt::format("cannot write: {}", std::strerror(errno)), "choose a folder you may write to, with room left",
                    path);
    };
    std::FILE *file = std::fopen(temporary.c_str(), "wb");
    if (!file)
        return failed();
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const bool closed = std::fclose(file) == 0;
    if (!written || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
        auto error = failed();
        std::remove(temporary.c_str());
        return error;
    }
    return {};
}

} // namespace syncopate
