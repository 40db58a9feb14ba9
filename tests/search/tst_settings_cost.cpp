// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of settings to a job: each system's own sizes are varied, and simulated as its own policy.
#include "engine/job/catalogue.h"
#include "engine/search/tune/settings_cost.h"
#include "tests/checks.h"

#include <QtTest>
#include <string>

using namespace syncopate;
using namespace syncopate::testing;

class TestSettingsCost : public QObject {
    Q_OBJECT

private slots:
    void sizesOfTheSystemAreVaried_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("best");
        QTest::newRow("DeepSpeed") << R"({"zero_optimization": {"stage": 2}})"
                                   << "deepspeed(reduce_bucket=";
        QTest::newRow("Megatron-LM") << "--ddp-bucket-size 40000000"
                                     << "megatron(bucket_size=";
        QTest::newRow("XLA") << "XLA_FLAGS=--xla_gpu_enable_latency_hiding_scheduler=false"
                             << "xla(all_reduce_combine=";
    }
    void sizesOfTheSystemAreVaried() {
        QFETCH(QString, settings);
        QFETCH(QString, best);
        ScenarioRecipe recipe;
        recipe.job = std::make_shared<const Job>(must(catalogueJob("vgg16")));
        recipe.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        const auto written = must(WrittenSettings::parse(settings.toStdString()));
        const SettingsMeaning meaning = lintSettings(written, recipe.job.get(), recipe.cluster.get()).meanings.front();
        const auto judge = must(makeJudge("simulated()"));
        const SettingsCost cost = must(costOfSettings(meaning, recipe, *judge));
        QVERIFY2(cost.bestPolicy.starts_with(best.toStdString()), cost.bestPolicy.c_str());
        const CommPolicy chosen = must(parsePolicy(cost.bestPolicy));
        QCOMPARE(chosen.value(*chosen.keyOfKnob("overlap")), 1.0);
        COMPARE_CLOSE(cost.seconds, cost.defaultSeconds); // nothing overlaps, in any buckets
        COMPARE_BELOW(cost.bestSeconds, 0.95 * cost.seconds);
        recipe.policy = chosen;
        recipe.strategy = BuiltStrategy{"AllReduce(chunk_size=1)"};
        COMPARE_CLOSE(must(judge->judge(must(makeScenario(recipe)), {})).iterationSeconds, cost.bestSeconds);
    }

    /// The recommendation keeps a sharded optimiser, with every overlap that it allows: its time is the stated one, and none of
    /// three buckets is faster.
    void switchesAreKept_data() {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("all") << "--use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather";
        QTest::newRow("gradients overlap") << "--use-distributed-optimizer --overlap-grad-reduce";
        QTest::newRow("nothing overlaps") << "--use-distributed-optimizer";
    }
    void switchesAreKept() {
        QFETCH(QString, arguments);
        ScenarioRecipe recipe;
        recipe.job = std::make_shared<const Job>(must(catalogueJob("vgg16")));
        recipe.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
        const auto text = must(WrittenSettings::parse("pretrain_gpt.py " + arguments.toStdString()));
        const SettingsMeaning meaning = lintSettings(text, recipe.job.get(), recipe.cluster.get()).meanings.front();
        const auto judge = must(makeJudge("simulated()"));
        const SettingsCost cost = must(costOfSettings(meaning, recipe, *judge));
        const CommPolicy chosen = must(parsePolicy(cost.bestPolicy));
        QCOMPARE(chosen.value("distributed_optimizer"), 1.0);
        for (const SettingMark &mark : marksOfCost(cost))
            QVERIFY2(mark.remedy.find("leave the settings out") == std::string::npos, mark.remedy.c_str());
        recipe.strategy = BuiltStrategy{"AllReduce(chunk_size=1)"};
        recipe.policy = chosen;
        COMPARE_CLOSE(must(judge->judge(must(makeScenario(recipe)), {})).iterationSeconds, cost.bestSeconds);
        for (const int elements : {1 << 20, 1 << 22, 1 << 24}) {
            recipe.policy =
                must(parsePolicy("megatron(overlap_grad_reduce=on,distributed_optimizer=on,overlap_param_gather=on)"));
            recipe.policy.set("bucket_size", elements);
            const double seconds = must(judge->judge(must(makeScenario(recipe)), {})).iterationSeconds;
            COMPARE_AT_MOST(cost.bestSeconds, seconds * (1 + 1e-9), std::to_string(elements));
        }
    }
};

QTEST_APPLESS_MAIN(TestSettingsCost)
#include "tst_settings_cost.moc"
