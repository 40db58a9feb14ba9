// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/plan_export.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncopate {

const std::vector<PlanFormat> &planFormats() {
    static const std::vector<PlanFormat> formats{
        {.name = "json", .title = "JSON, to be opened again", .suffix = ".plan.json"},
        {.name = "dag", .title = "Training DAG alone, as a job", .suffix = ".dag.json"},
        {.name = "nccl-tuner", .title = "CSV for NCCL's tuner plugin", .suffix = ".tuner.csv"},
        {.name = "nccl-env", .title = "NCCL_ALGO and NCCL_PROTO", .suffix = ".env.sh"},
        {.name = "mscclpp", .title = "MSCCL++ plan of one collective", .suffix = ".mscclpp.json", .isOfOneOp = true},
        {.name = "mscclpp-program",
         .title = "Program of MSCCL++'s Python DSL for that plan",
         .suffix = ".mscclpp.py",
         .isOfOneOp = true},
        {.name = "msccl-xml", .title = "MSCCL algorithm of one collective (legacy)", .suffix = ".msccl.xml", .isOfOneOp = true},
        {.name = "chakra", .title = "Chakra execution trace", .suffix = ".et", .isText = false},
        {.name = "chakra-ranks", .title = "Chakra execution traces of all processes", .suffix = ".et.tar", .isText = false},
        {.name = "inductor", .title = "Times for PyTorch Inductor", .suffix = ".inductor.json", .hasTimes = true},
        {.name = "xla", .title = "Costs for XLA", .suffix = ".pbtxt", .hasTimes = true}};
    return formats;
}

const PlanFormat *findPlanFormat(std::string_view name) {
    const auto format =
        std::find_if(planFormats().begin(), planFormats().end(), [&](const PlanFormat &each) { return each.name == name; });
    return format == planFormats().end() ? nullptr : &*format;
}

Result<ExportedPlan> exportPlan(std::string_view name, const PlanToExport &of) {
    const PlanFormat *const format = findPlanFormat(name);
    if (!format)
        return fail(fmt::format("plans are not written as \"{}\"", name), "choose a format that is offered");
    if (format->hasTimes && !of.run)
        return internalError("a plan that was not played has no times");
    if (name == "dag")
        return ExportedPlan{writeTrainingDag(of.dag)};
    if (name == "nccl-tuner")
        return writeNcclTuner(of.plan, of.dag, of.costs);
    if (name == "nccl-env")
        return writeNcclEnvironment(of.plan, of.dag);
    if (name == "mscclpp")
        return ExportedPlan{TRY(writeMscclpp(of.plan, of.dag, of.costs.processesPerNode, of.op))};
    if (name == "mscclpp-program")
        return ExportedPlan{TRY(writeMscclppProgram(of.plan, of.dag, of.costs.processesPerNode, of.op))};
    if (name == "msccl-xml")
        return ExportedPlan{TRY(writeMscclXml(of.plan, of.dag, of.op))};
    if (name == "chakra")
        return ExportedPlan{TRY(writeChakra(of.plan, of.dag, of.costs))};
    if (name == "chakra-ranks")
        return ExportedPlan{TRY(writeChakraArchive(of.plan, of.dag, of.costs, of.stop))};
    if (name == "inductor")
        return writeInductorEstimates(of.plan, of.dag, *of.run);
    if (name == "xla")
        return writeXlaCosts(of.plan, of.dag, *of.run);
    return ExportedPlan{writeExecutionPlan(of.plan, of.dag)};
}

std::string describeRefused(const std::vector<std::string> &refused) {
    constexpr std::size_t named = 5;
    if (refused.empty())
        return "there is none";
    const auto end = refused.begin() + static_cast<std::ptrdiff_t>(std::min(named, refused.size()));
    std::string text = fmt::format("{}", fmt::join(refused.begin(), end, "; "));
    if (refused.size() > named)
        text += fmt::format("; and {} more", refused.size() - named);
    return text;
}

} // namespace syncopate
