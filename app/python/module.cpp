// SPDX-License-Identifier: GPL-3.0-or-later
// The Python module `syncopate` (docs/python.md): the engine for notebooks. Every name here has its type in syncopate.pyi.
#include "app/python/arrays.h"
#include "app/python/engine_error.h"
#include "app/python/parts.h"
#include "engine/analyze/comparable.h"
#include "engine/export/export.h"
#include "engine/export/write_file.h"
#include "engine/job/batch.h"
#include "engine/job/catalogue.h"
#include "engine/search/search_methods.h"
#include "engine/simulate/measured_run.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "engine/strategy/strategy_file.h"
#include "engine/trial/judge.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace py = pybind11;

namespace syncopate::python {

namespace {

py::list pythonTexts(const std::vector<std::string> &texts) {
    py::list list;
    for (const std::string &text : texts)
        list.append(pythonText(text));
    return list;
}

/// The figures common to a simulation and a plan, by their names in `simulate --json`.
py::dict commonFigures(const PyRecording &run) {
    py::dict figures;
    const Recording &recording = *run.recording;
    figures["iteration_seconds"] = recording.iterationSeconds;
    figures["confidence"] = std::isfinite(recording.confidence) ? std::optional(recording.confidence) : std::nullopt;
    figures["compute_seconds"] = run.area.computeSeconds;
    figures["communication_seconds"] = run.area.communicationSeconds;
    figures["exposed_communication_seconds"] = run.area.exposedSeconds;
    figures["host_wait_seconds"] = hostWaitSeconds(recording, run.area);
    figures["copy_seconds"] = run.area.copySeconds;
    figures["overlap_ratio"] = run.area.overlapRatio();
    figures["samples_per_second"] =
        recording.job->batchSize > 0 && recording.samplesPerSecond > 0 ? std::optional(recording.samplesPerSecond) : std::nullopt;
    figures["workers"] = recording.workers;
    figures["events"] = recording.events;
    figures["wall_seconds"] = run.wallSeconds;
    figures["peak_memory_bytes"] = run.peakBytes;
    return figures;
}

/// The figures of `simulate --json`, by the same names.
py::dict figuresOf(const PyRun &run) {
    py::dict figures = commonFigures(run);
    const double batch = run.run->scenario.job->batchSize;
    figures["steps_per_second"] = batch > 0 ? run.run->samplesPerSecond / batch : run.run->samplesPerSecond;
    figures["parameter_bytes"] = run.memory.parameterBytes;
    figures["optimizer_bytes"] = run.memory.optimizerBytes;
    figures["gradient_bytes"] = run.memory.bufferBytes;
    figures["server_memory_bytes"] = run.memory.serverBytes;
    return figures;
}

/// The figures of a training DAG's plan, by the same names.
py::dict planFiguresOf(const PyPlannedRun &run) {
    py::dict figures = commonFigures(run);
    figures["compute_idle_ratio"] = run.played->run->computeIdleRatio;
    figures["lower_bound_seconds"] = run.played->run->boundSeconds;
    return figures;
}

/// Binds each figure as a property. They and figures() share one list, so that neither can miss an entry.
template <class Class, class Figures> void addFigures(Class &python, Figures figures, std::initializer_list<const char *> names) {
    for (const char *name : names)
        python.def_property_readonly(name,
                                     [figures, name](const typename Class::type &of) { return py::object(figures(of)[name]); });
}

PyRun runOf(const std::variant<PyRun, PyScenario> &side) {
    return std::holds_alternative<PyRun>(side) ? std::get<PyRun>(side) : simulated(std::get<PyScenario>(side));
}

py::dict compared(const std::variant<PyRun, PyScenario> &first, const std::variant<PyRun, PyScenario> &second) {
    const PyRun a = runOf(first), b = runOf(second);
    py::dict both;
    both["a"] = figuresOf(a);
    both["b"] = figuresOf(b);
    both["delta_seconds"] = b.run->iterationSeconds - a.run->iterationSeconds;
    return both;
}

/// The members of `lint --json`, by the same names.
py::dict lintOf(const std::filesystem::path &settings, const std::optional<JobArgument> &job,
                const std::optional<ClusterArgument> &cluster, const py::kwargs &options) {
    const SettingsReport report = lintedSettings(settings, job, cluster, options);
    py::list systems, findings, predictions;
    for (const SettingsMeaning &meaning : report.found.meanings)
        systems.append(pythonText(meaning.system));
    for (const SettingMark &mark : report.found.marks) {
        py::dict finding;
        finding["fault"] = nameOf(mark.fault);
        finding["setting"] = pythonText(mark.setting);
        finding["place"] = pythonText(mark.place);
        finding["text"] = pythonText(mark.text);
        finding["remedy"] = pythonText(mark.remedy);
        findings.append(finding);
    }
    for (const SettingsCost &cost : report.costs) {
        py::dict prediction;
        prediction["system"] = pythonText(cost.meaning.system);
        prediction["policy"] = pythonText(cost.meaning.policy);
        prediction["iteration_seconds"] = cost.seconds;
        prediction["cost_seconds"] = cost.seconds - cost.bestSeconds;
        prediction["default_policy"] = pythonText(cost.meaning.defaultPolicy);
        prediction["default_iteration_seconds"] = cost.defaultSeconds;
        prediction["best_policy"] = pythonText(cost.bestPolicy);
        prediction["best_iteration_seconds"] = cost.bestSeconds;
        py::list leftOut;
        for (const LeftOut &left : cost.meaning.leftOut) {
            py::dict setting;
            setting["setting"] = pythonText(left.setting);
            setting["text"] = pythonText(left.text);
            leftOut.append(setting);
        }
        prediction["left_out"] = leftOut;
        predictions.append(prediction);
    }
    py::dict all;
    all["systems"] = systems;
    all["findings"] = findings;
    all["predictions"] = predictions;
    return all;
}

py::list catalogOf(const std::string &kind) {
    py::list entries;
    const auto add = [&entries](const std::string &name, const std::string &signature, const std::string &description) {
        py::dict entry;
        entry["name"] = name;
        entry["signature"] = signature;
        entry["description"] = description;
        entries.append(entry);
    };
    const auto addAll = [&add](const std::vector<ExpressionInfo> &expressions) {
        for (const ExpressionInfo &info : expressions)
            add(info.name, info.signature(), info.description);
    };
    if (kind == "jobs")
        for (const CatalogueJob &job : catalogueJobs())
            add(job.name, job.name, job.title + ": " + job.description);
    else if (kind == "clusters")
        for (const CatalogueCluster &cluster : catalogueClusters())
            add(cluster.name, cluster.name, cluster.description);
    else if (kind == "builders")
        for (const BuilderInfo &builder : strategyBuilders())
            add(builder.name, builder.signature, builder.description);
    else if (kind == "policies")
        for (const Policy *policy : policies())
            add(policy->name, policySignature(*policy), policy->about);
    else if (kind == "methods")
        addAll(searchMethods());
    else if (kind == "judges")
        addAll(judges());
    else
        throw EngineError(
            fail(fmt::format("there is no catalogue of '{}'", kind), "use jobs, clusters, builders, policies, methods or judges")
                .value());
    return entries;
}

void addParts(py::module_ &module) {
    py::class_<LoadedJob>(module, "Job", "A training job: layers and variables of one step.")
        .def_property_readonly("name", [](const LoadedJob &j) { return pythonText(j.job->name); })
        .def_property_readonly(
            "batch_size", [](const LoadedJob &j) { return statesBatch(*j.job) ? std::optional(j.job->batchSize) : std::nullopt; })
        .def_property_readonly("parameters", [](const LoadedJob &j) { return j.job->parameterCount(); })
        .def_property_readonly("notes", [](const LoadedJob &j) { return pythonTexts(j.job->notes); })
        .def(
            "layers", [](const LoadedJob &j) { return layerArrays(*j.job); }, "The layers in forward order, as arrays.")
        .def(
            "spans",
            [](const LoadedJob &j) {
                if (!j.profile)
                    throw EngineError(fail("this job was not read from a profile, so it has no measured spans",
                                           "load a profile, or ask a Run for its simulated spans")
                                          .value());
                return spanArrays(j.profile->timeline, j.profile->job);
            },
            "The measured timeline of the profile that the job was read from, as arrays.")
        .def(
            "query",
            [](const LoadedJob &j, const std::string &sql, std::size_t rows) {
                if (!j.profile)
                    throw EngineError(fail("this job was not read from a profile, so it has no measured spans",
                                           "load a profile, or ask a Run for its simulated spans")
                                          .value());
                return resultArrays(queried({{querySide("A", measuredRecording(j.profile, j.job), j.profile)}}, sql, rows));
            },
            py::arg("sql"), py::kw_only(), py::arg("rows") = QueryLimits{}.maxRows,
            "The answer to a SELECT over the measured timeline, as arrays.");
    py::class_<PyCluster>(module, "Cluster", "Machines and their network.")
        .def_property_readonly("name", [](const PyCluster &c) { return pythonText(c.cluster->name); })
        .def_property_readonly("nodes", [](const PyCluster &c) { return c.cluster->nodes.size(); })
        .def_property_readonly("workers", [](const PyCluster &c) { return c.cluster->replicaCount(); })
        .def_property_readonly("notes", [](const PyCluster &c) { return pythonTexts(c.cluster->allNotes()); });
    py::class_<PyStrategy>(module, "Strategy", "How each variable is synchronised.")
        .def(
            "to_json", [](const PyStrategy &s) { return pythonText(writeStrategyJson(*s.strategy)); },
            "The strategy as syncopate-cli's JSON.")
        .def(
            "save",
            [](const PyStrategy &s, const std::filesystem::path &path) {
                const bool isJson = path.extension() == ".json";
                valueOf(isJson ? checkWritable(*s.strategy) : checkForAutoDist(*s.strategy));
                valueOf(writeFile(path.string(), isJson ? writeStrategyJson(*s.strategy) : writeStrategyProto(*s.strategy)));
            },
            py::arg("path"), "Writes JSON where the path ends in .json, else AutoDist's format; replaces a file.");
}

void addRecording(py::module_ &module) {
    py::class_<PyRecording> recording(module, "Recording", "The common part of a simulation and a played plan.");
    addFigures(recording, &commonFigures,
               {"iteration_seconds", "confidence", "compute_seconds", "communication_seconds", "exposed_communication_seconds",
                "host_wait_seconds", "copy_seconds", "overlap_ratio", "samples_per_second", "workers", "events", "wall_seconds",
                "peak_memory_bytes"});
    recording.def_property_readonly("assumptions", [](const PyRecording &r) { return pythonTexts(r.recording->assumptions); })
        .def(
            "spans", [](const PyRecording &r) { return spanArrays(r.recording->timeline, *r.recording->job); },
            "All spans, as arrays.")
        .def(
            "save_trace",
            [](const PyRecording &r, const std::filesystem::path &path) {
                interruptible([&](const std::stop_token &) {
                    return writeFile(path.string(), [&r](const TextSink &sink) { return writeChromeTrace(*r.recording, sink); });
                });
            },
            py::arg("path"), "Writes the timeline as Chrome JSON, for Perfetto; replaces a file.");
}

void addPlannedRun(py::module_ &module) {
    py::class_<PyPlannedRun, PyRecording> run(module, "PlannedRun", "A plan of collectives, and the results of playing it.");
    addFigures(run, &planFiguresOf, {"compute_idle_ratio", "lower_bound_seconds"});
    run.def("figures", &planFiguresOf, "The figures of `syncopate-cli simulate --json` of a training DAG, by their names there.")
        .def_property_readonly("plan", [](const PyPlannedRun &r) { return pythonText(r.played->work.title); })
        .def(
            "table", [](const PyPlannedRun &r) { return motifArrays(*r.played); }, "Compute-ops and motifs, as arrays.")
        .def(
            "query",
            [](const PyPlannedRun &r, const std::string &sql, std::size_t rows) {
                return resultArrays(queried({{QuerySide{"A", r.played->run, r.played->run.get()}}}, sql, rows));
            },
            py::arg("sql"), py::kw_only(), py::arg("rows") = QueryLimits{}.maxRows,
            "The answer to a SELECT over the plan's spans, tasks and links, as arrays.")
        .def(
            "to_json",
            [](const PyPlannedRun &r) { return pythonText(writeExecutionPlan(r.played->work.plan, r.played->work.dag)); },
            "The plan as a plan file.")
        .def(
            "save",
            [](const PyPlannedRun &r, const std::filesystem::path &path, const std::string &format, const std::string &op) {
                return pythonTexts(savedPlan(r, path, format, op));
            },
            py::arg("path"), py::kw_only(), py::arg("format") = "json", py::arg("op") = "",
            "Writes the plan as `syncopate-cli plan --format` does, replacing a file; returns what the format cannot express.");
}

void addRuns(py::module_ &module) {
    py::class_<PyScenario>(module, "Scenario", "All that a simulation depends on; a value.")
        .def(py::init(&scenarioOf), py::arg("job"), py::arg("cluster"), py::arg("strategy"))
        .def_property_readonly("job",
                               [](const PyScenario &s) {
                                   return LoadedJob{s.scenario.job, s.profile};
                               })
        .def_property_readonly("cluster", [](const PyScenario &s) { return PyCluster{s.scenario.cluster}; })
        .def_property_readonly("strategy", [](const PyScenario &s) { return PyStrategy{s.scenario.strategy}; })
        .def_property_readonly("policy", [](const PyScenario &s) { return formatPolicy(s.scenario.policy); });
    addRecording(module);
    py::class_<PyRun, PyRecording> run(module, "Run", "The results of simulating a scenario.");
    addFigures(run, &figuresOf,
               {"steps_per_second", "parameter_bytes", "optimizer_bytes", "gradient_bytes", "server_memory_bytes"});
    run.def("figures", &figuresOf, "The figures of `syncopate-cli simulate --json`, by their names there.")
        .def_property_readonly("scenario",
                               [](const PyRun &r) {
                                   return PyScenario{r.run->scenario, r.profile};
                               })
        .def(
            "table", [](const PyRun &r) { return variableArrays(*r.run); }, "The table of variables, as arrays.")
        .def(
            "query",
            [](const PyRun &r, const std::string &sql, std::size_t rows) {
                return resultArrays(queried({{querySide("A", r.run)}}, sql, rows));
            },
            py::arg("sql"), py::kw_only(), py::arg("rows") = QueryLimits{}.maxRows,
            "The answer to a SELECT over the run's spans, tasks, variables and links, as arrays.");
    addPlannedRun(module);
    py::class_<PySearch>(module, "SearchResult", "The candidates of a search and their results.")
        .def_property_readonly("best_from", [](const PySearch &s) { return pythonText(s.best.from); })
        .def_property_readonly("best_strategy", [](const PySearch &s) { return PyStrategy{s.best.strategy}; })
        .def_property_readonly("best_iteration_seconds", [](const PySearch &s) { return s.best.metrics.iterationSeconds; })
        .def_property_readonly("baselines",
                               [](const PySearch &s) {
                                   py::dict baselines;
                                   for (const SearchBaseline &baseline : s.history.baselines)
                                       baselines[pythonText(baseline.builder)] = baseline.metrics.iterationSeconds;
                                   return baselines;
                               })
        .def(
            "trials", [](const PySearch &s) { return trialArrays(s.history, s.objective); }, "All trials, as arrays.");
}

void addFunctions(py::module_ &module) {
    module.def("load_job", &loadJobNamed, py::arg("name_or_path"), py::kw_only(), py::arg("variables") = "",
               py::arg("measured") = "", py::arg("batch_size") = 0.0, "A job of the catalogue, a job file, or a profile.");
    module.def("load_cluster", &loadClusterNamed, py::arg("name_or_path"), "A cluster of the catalogue, or of a file.");
    module.def("build_strategy", &buildStrategyNamed, py::arg("expression_or_file"), py::arg("job"), py::arg("cluster"),
               "The strategy of a builder expression or a file.");
    module.def("simulate", &simulated, py::arg("scenario"), "Simulates a scenario.");
    module.def("plan", &plannedBy, py::arg("job"), py::arg("cluster"), py::arg("method") = std::filesystem::path("syndicate"),
               py::kw_only(), py::arg("collectives") = "", py::arg("evaluations") = py::none(),
               "Plans the collectives of a training DAG, profile or job by a method or a plan file, and plays the plan.");
    module.def("compare", &compared, py::arg("a"), py::arg("b"), "The figures of two runs or scenarios, and their difference.");
    module.def("search", &searched, py::arg("scenario"), py::arg("method") = "random()", py::kw_only(),
               py::arg("judge") = "simulated()", py::arg("trials") = 200, py::arg("seed") = 1, py::arg("objective") = "iteration",
               py::arg("threads") = 0, "Tries strategies for the scenario's job and cluster against every builder's.");
    module.def("lint_settings", &lintOf, py::arg("settings"), py::arg("job") = py::none(), py::arg("cluster") = py::none(),
               "What `syncopate-cli lint` finds in a launcher's settings, by its names.");
    module.def("catalog", &catalogOf, py::arg("kind"),
               "Name, signature and description of all jobs, clusters, builders, policies, methods or judges.");
}

} // namespace

} // namespace syncopate::python

PYBIND11_MODULE(syncopate, module) {
    module.doc() = "Syncopate: how every way of synchronising a training job's variables would play out.";
    module.attr("__version__") = SYNCOPATE_VERSION;
    syncopate::python::addError(module);
    syncopate::python::addParts(module);
    syncopate::python::addRuns(module);
    syncopate::python::addFunctions(module);
}
