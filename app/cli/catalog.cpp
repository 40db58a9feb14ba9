// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "engine/base/json_writer.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/search/plan_methods.h"
#include "engine/search/search_methods.h"
#include "engine/search/tune/tuners.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "engine/trial/judge.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate::cli {

namespace {

/// A list of the catalogue, written as JSON and as text at the same time.
struct Listing {
    JsonWriter json;
    std::string text;

    /// Begins an entry's object.
    void begin(std::string_view name, std::string_view description) { begin(name, description, name); }
    /// The same, where the text has the name as `heading`.
    void begin(std::string_view name, std::string_view description, std::string_view heading) {
        json.beginObject().member("name", name).member("description", description);
        text += fmt::format("{:24} {}\n", heading, description);
    }
};

Outcome listJobs(Listing &list) {
    for (const CatalogueJob &job : catalogueJobs()) {
        list.begin(job.name, job.title + ": " + job.description);
        const auto built = catalogueJob(job.name);
        if (!built)
            return failedRunning(built.error());
        list.json.member("variables", static_cast<std::uint64_t>(built->variables.size()));
        list.json.member("parameters", built->parameterCount()).member("batch_size", built->batchSize).endObject();
    }
    return {};
}

/// Writes the sources of an entry, and ends its object.
void endWithSources(Listing &list, const std::vector<std::string> &published, const std::vector<std::string> &assumed) {
    for (const auto &[kind, sentences] : {std::pair{"published", &published}, std::pair{"assumed", &assumed}}) {
        list.json.key(kind).beginArray();
        for (const std::string &sentence : *sentences) {
            list.json.value(sentence);
            list.text += fmt::format("{:26}{}: {}\n", "", kind, sentence);
        }
        list.json.endArray();
    }
    list.json.endObject();
}

Outcome listClusters(Listing &list) {
    for (const CatalogueCluster &cluster : catalogueClusters()) {
        list.begin(cluster.name, cluster.description);
        const auto built = catalogueCluster(cluster.name);
        if (!built)
            return failedRunning(built.error());
        list.json.member("nodes", static_cast<std::uint64_t>(built->nodes.size())).member("workers", built->replicaCount());
        endWithSources(list, cluster.published, cluster.assumed);
    }
    return {};
}

Outcome listDags(Listing &list) {
    for (const CatalogueDag &dag : catalogueDags()) {
        list.begin(dag.name, dag.description);
        endWithSources(list, dag.published, dag.assumed);
    }
    return {};
}

Outcome listBuilders(Listing &list) {
    for (const BuilderInfo &builder : strategyBuilders()) {
        list.begin(builder.name, builder.description, builder.signature);
        list.json.member("signature", builder.signature).endObject();
    }
    return {};
}

Outcome listPolicies(Listing &list) {
    for (const Policy *policy : policies()) {
        const std::string signature = policySignature(*policy);
        list.begin(policy->name, policy->about, signature);
        list.json.member("signature", signature).member("barrier", policy->barrier).endObject();
    }
    return {};
}

void writeArgument(JsonWriter &json, const ArgumentInfo &argument) {
    json.beginObject().member("name", argument.name).member("default", argument.usual).member("help", argument.help);
    if (!argument.unit.empty())
        json.member("unit", argument.unit).member("min", argument.min).member("max", argument.max);
    if (!argument.choices.empty()) {
        json.key("choices").beginArray();
        for (const std::string &choice : argument.choices)
            json.value(choice);
        json.endArray();
    }
    json.endObject();
}

Outcome listExpressions(Listing &list, const std::vector<ExpressionInfo> &expressions) {
    for (const ExpressionInfo &info : expressions) {
        list.begin(info.name, info.description);
        if (!info.subject.empty()) // a required argument
            list.text += fmt::format("{:26}{}\n", "", info.signature());
        list.json.member("signature", info.signature()).key("arguments").beginArray();
        for (const ArgumentInfo &argument : info.arguments) {
            writeArgument(list.json, argument);
            list.text += fmt::format("{:26}{}={}: {}\n", "", argument.name, argument.usual, argument.help);
        }
        list.json.endArray().endObject();
    }
    return {};
}

struct Catalogue {
    std::string_view name, title; ///< "methods", "search methods"
    Outcome (*list)(Listing &list);
    std::string_view of = {}; ///< "(of search)": of which command, if `name` does not tell
};

constexpr std::array catalogues{
    Catalogue{"jobs", "jobs", listJobs},
    Catalogue{"clusters", "clusters", listClusters},
    Catalogue{"dags", "training DAGs", listDags},
    Catalogue{"builders", "strategy builders", listBuilders},
    Catalogue{"policies", "communication policies", listPolicies},
    Catalogue{"methods", "search methods", [](Listing &list) { return listExpressions(list, searchMethods()); }, "(of search)"},
    Catalogue{"tuners", "tuners", [](Listing &list) { return listExpressions(list, tuners()); }, "(of tune)"},
    Catalogue{"planners", "planners", [](Listing &list) { return listExpressions(list, planMethods()); }, "(of plan)"},
    Catalogue{"judges", "judges", [](Listing &list) { return listExpressions(list, judges()); }}};

/// "jobs, clusters or judges": all catalogues, each as `textOf` calls it.
template <class TextOf> std::string oneOfCatalogues(TextOf textOf) {
    std::string text;
    for (std::size_t c = 0; c < catalogues.size(); ++c) {
        text += c == 0 ? "" : c + 1 < catalogues.size() ? ", " : " or ";
        text += textOf(catalogues[c]);
    }
    return text;
}

std::string_view catalogHelp() {
    static const std::string help =
        "List the built-in " + oneOfCatalogues([](const Catalogue &one) { return std::string(one.title); });
    return help;
}

Outcome catalog(const Common &common, const std::string &what) {
    const auto chosen =
        std::find_if(catalogues.begin(), catalogues.end(), [&what](const Catalogue &one) { return one.name == what; });
    Listing list;
    list.json.beginObject().key(what).beginArray();
    TRY(chosen->list(list)); // the option's validator admits no other name
    list.json.endArray().endObject().newLine();
    printEither(common, list.json, list.text);
    return {};
}

Action declareCatalog(CLI::App &command, Common &common) {
    auto what = std::make_shared<std::string>();
    std::vector<std::string> names;
    for (const Catalogue &one : catalogues)
        names.emplace_back(one.name);
    const auto nameOf = [](const Catalogue &one) { return fmt::format("{}{}{}", one.name, one.of.empty() ? "" : " ", one.of); };
    command.add_option("what", *what, oneOfCatalogues(nameOf))->required()->check(CLI::IsMember(names));
    return [&common, what] { return catalog(common, *what); };
}

} // namespace

const CommandEntry catalogEntry{"catalog", catalogHelp(), declareCatalog};

} // namespace syncopate::cli
