// SPDX-License-Identifier: GPL-3.0-or-later
// Every dimension of scenarioSpace(): set and read back, formatted and parsed back, refused if it does not apply.
#include "engine/base/units.h"
#include "engine/space/space.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

using namespace syncopate;

namespace {

/// A policy that has the dimension, and one that lacks it.
struct Policies {
    const char *with, *without;
};

Policies policiesFor(const std::string &id) {
    static const std::map<std::string, Policies> known{
        {"bucket_cap", {"ddp", "horovod"}},
        {"first_bucket", {"ddp", "fifo"}},
        {"concurrent", {"ddp", "fifo"}},
        {"fusion", {"horovod", "ddp"}},
        {"cycle", {"horovod", "ddp"}},
        {"partition", {"bytescheduler", "fifo"}},
        {"credit", {"byteps", "p3"}},
        {"window", {"http2", "fifo"}},
        {"threshold", {"dear", "ddp"}},
        {"reduce_bucket", {"deepspeed", "ddp"}},
        {"overlap", {"deepspeed", "ddp"}},
        {"bucket_size", {"megatron", "ddp"}},
        {"all_reduce_combine", {"xla", "ddp"}},
        {"module", {"fsdp2", "ddp"}},
        {"forward_prefetch", {"fsdp2", "ddp"}},
        {"backward_prefetch", {"fsdp2", "ddp"}},
        {"allgather_bucket", {"deepspeed", "ddp"}},
    };
    const auto found = known.find(id);
    return found == known.end() ? Policies{"fifo", nullptr} : found->second;
}

ScenarioRecipe recipeWith(const char *policy, Cluster cluster = uniformCluster(4, 10)) {
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(testing::chainJob({{0.002, 0.004, 500000}, {0.002, 0.004, 500000}}));
    recipe.cluster = std::make_shared<const Cluster>(std::move(cluster));
    recipe.strategy = BuiltStrategy{"PS"};
    recipe.policy = *parsePolicy(policy);
    return recipe;
}

QByteArray textOf(const Error &error) { return QByteArray::fromStdString(error.toString()); }

const Dimension &dimensionNamed(const char *id) { return scenarioSpace()[*scenarioSpace().indexOf(id)]; }

} // namespace

class TestSpace : public QObject {
    Q_OBJECT

private slots:
    void dimensions_data() {
        QTest::addColumn<int>("index");
        for (std::size_t d = 0; d < scenarioSpace().size(); ++d)
            QTest::newRow(scenarioSpace()[d].id.c_str()) << static_cast<int>(d);
    }
    void dimensions() {
        QFETCH(int, index);
        const Dimension &dimension = scenarioSpace()[static_cast<std::size_t>(index)];
        const ScenarioRecipe recipe = recipeWith(policiesFor(dimension.id).with);
        QVERIFY(dimension.appliesTo(recipe) && !dimension.isTurned(recipe));
        COMPARE_AT_MOST(dimension.lowest, dimension.min);
        COMPARE_BELOW(dimension.min, dimension.max);
        COMPARE_AT_MOST(dimension.max, dimension.highest);
        for (const double value :
             {dimension.min, dimension.max, dimension.integer ? std::min(3.0, dimension.max) : dimension.min * 2}) {
            const auto turned = dimension.with(recipe, value);
            QVERIFY2(turned, turned ? "" : textOf(turned.error()));
            QCOMPARE(dimension.get(*turned), value);
            VERIFY_VALUE(makeScenario(*turned));
            const auto read = dimension.parse(dimension.format(value));
            QVERIFY(read);
            COMPARE_WITHIN(*read, value, 0.005 * value,
                           QString("%1 is written %2").arg(value).arg(QString::fromStdString(dimension.format(value))));
            const ScenarioRecipe back = dimension.reset(*turned);
            QVERIFY(!dimension.isTurned(back));
            QCOMPARE(dimension.get(back), dimension.get(recipe));
        }
        QVERIFY(dimension.isTurned(*dimension.with(recipe, dimension.max)));
    }

    void whatNoScenarioAcceptsIsRefused_data() { dimensions_data(); }
    void whatNoScenarioAcceptsIsRefused() {
        QFETCH(int, index);
        const Dimension &dimension = scenarioSpace()[static_cast<std::size_t>(index)];
        const Policies policies = policiesFor(dimension.id);
        const ScenarioRecipe recipe = recipeWith(policies.with);
        for (const double value : {std::numeric_limits<double>::quiet_NaN(), dimension.lowest - 1, dimension.highest * 2})
            if (!std::isinf(value)) // windows may be infinite
                QVERIFY2(!dimension.with(recipe, value), qPrintable(QString::number(value)));
        if (dimension.integer)
            QVERIFY(!dimension.with(recipe, 2.5));
        for (const char *text : {"", "x", "nan", "inf", "-3 potatoes", "1 potato", "1 GB/s/s"})
            QVERIFY2(!dimension.parse(text), text);
        if (policies.without != nullptr) {
            const auto refused = dimension.with(recipeWith(policies.without), dimension.max);
            QVERIFY(!refused);
            QVERIFY2(refused.error().what.find(policies.without) != std::string::npos, textOf(refused.error()));
        } else {
            ScenarioRecipe none = recipe;
            none.cluster.reset();
            QVERIFY(!dimension.with(none, dimension.max));
        }
    }

    void unitsAreRead() {
        QCOMPARE(*dimensionNamed("bandwidth").parse("25"), 25.0);
        QCOMPARE(*dimensionNamed("bandwidth").parse("25 Gbit/s"), 25.0);
        for (const char *half : {"500 Mbit/s", "500 Mb/s", "0.5 Gb/s", "0.5Gbps"})
            QCOMPARE(*dimensionNamed("bandwidth").parse(half), 0.5);
        QVERIFY(!dimensionNamed("bandwidth").parse("25 GB/s")); // bytes
        QCOMPARE(*dimensionNamed("latency").parse("50\u00b5s"), *dimensionNamed("latency").parse("50us"));
        QCOMPARE(*dimensionNamed("latency").parse("1e-3"), 1e-3);
        QCOMPARE(*dimensionNamed("partition").parse("64 KiB"), 65536.0);
        QVERIFY(std::isinf(*dimensionNamed("window").parse("off")));
        QVERIFY(!dimensionNamed("partition").parse("off"));
        for (const char *unlimited : {"model", "off"}) // the policy's own word for it is written
            QVERIFY(std::isinf(*dimensionNamed("module").parse(unlimited)));
        QCOMPARE(dimensionNamed("module").format(*dimensionNamed("module").parse("model")), std::string("model"));
        QCOMPARE(dimensionNamed("window").format(*dimensionNamed("window").parse("off")), std::string("off"));
        QCOMPARE(*dimensionNamed("workers").parse("16"), 16.0);
        QVERIFY(!dimensionNamed("workers").parse("1.5"));
    }

    /// One unit of bandwidth in all texts, as in columns and options.
    void bandwidthsAreWrittenInOneUnit() {
        const Dimension &bandwidth = dimensionNamed("bandwidth");
        const std::string unit = std::string(" ") + nameOf(bandwidth.unit);
        for (const double gbits : {0.0035, 0.5, 25.0, 400.0})
            QVERIFY2(bandwidth.format(gbits).ends_with(unit), bandwidth.format(gbits).c_str());
        QCOMPARE(formatBandwidth(bytesPerSecondFromGbits(25)), "25" + unit);
        const auto refused = bandwidth.parse("25 GB/s");
        QVERIFY(!refused);
        QVERIFY2(refused.error().remedy.find("Gb/s") == std::string::npos, textOf(refused.error()));
    }

    /// Reducing and then increasing the workers restores the machines of the cluster, rather than copies of the last one left.
    void workersComeBack() {
        Cluster cluster = uniformCluster(4, 10);
        cluster.nodes[3].computeScale = 0.5;
        const Dimension &workers = dimensionNamed("workers");
        const ScenarioRecipe recipe = recipeWith("fifo", cluster);
        const auto again = workers.with(*workers.with(recipe, 2), 4);
        const auto scenario = makeScenario(*again);
        QCOMPARE(scenario->cluster->replicaCount(), 4);
        QCOMPARE(scenario->cluster->nodes.at(3).computeScale, 0.5);
    }

    /// A builder places variables for the cluster with its knobs applied; a fixed strategy stays.
    void buildersBuildForTheKnobs() {
        ScenarioRecipe recipe = recipeWith("fifo");
        recipe.strategy = BuiltStrategy{"PSLoadBalancing"};
        const auto served = dimensionNamed("servers").with(recipe, 2);
        const auto scenario = makeScenario(*served);
        const auto built = buildStrategy("PSLoadBalancing", *recipe.job, *scenario->cluster);
        QVERIFY(scenario->strategy->nodes == built->nodes);
        QVERIFY(scenario->strategy->nodes != makeScenario(recipe)->strategy->nodes);
        const auto strategy = std::make_shared<const Strategy>(testing::allReduceEach(*recipe.job));
        recipe.strategy = FixedStrategy{strategy, false};
        QVERIFY(makeScenario(*dimensionNamed("servers").with(recipe, 2))->strategy == strategy);
        recipe.strategy = FixedStrategy{strategy, true};
        const auto everywhere = makeScenario(*dimensionNamed("workers").with(recipe, 2));
        QCOMPARE(everywhere->strategy->replicas, everywhere->cluster->replicaDevices());
    }

    void bytesAreWhole() {
        const auto turned = dimensionNamed("partition").with(recipeWith("bytescheduler"), 1000.4);
        QCOMPARE(turned->policy.value("partition"), 1000.0);
        const auto slice = dimensionNamed("partition").with(recipeWith("p3"), 1000);
        QVERIFY(slice->policy == *parsePolicy("p3(slice=1000)"));
    }

    /// Policies whose knobs have the same id share one dimension, so the second's unit would never be read.
    void knobsOfOneIdHaveOneUnit() {
        std::map<std::string, std::pair<ParameterUnit, std::string>> first;
        for (const Policy *policy : policies())
            for (const PolicyParameter &parameter : policy->parameters) {
                if (!parameter.knob)
                    continue;
                const ParameterUnit unit = parameter.unit == ParameterUnit::BytesOrCount ? ParameterUnit::Bytes : parameter.unit;
                const auto known = first.try_emplace(parameter.knob->id, unit, policy->name).first->second;
                QVERIFY2(known.first == unit,
                         qPrintable(QStringLiteral("%1 has another unit in %2 than in %3; its knob needs an id of its own")
                                        .arg(QString::fromStdString(parameter.knob->id), QString::fromStdString(policy->name),
                                             QString::fromStdString(known.second))));
            }
    }

    void unknownIdsListTheKnown() {
        const auto unknown = scenarioSpace().indexOf("bandwith");
        QVERIFY(!unknown);
        for (const Dimension &dimension : scenarioSpace())
            QVERIFY2(unknown.error().remedy.find(dimension.id) != std::string::npos, textOf(unknown.error()));
    }
};

QTEST_GUILESS_MAIN(TestSpace)
#include "tst_space.moc"
