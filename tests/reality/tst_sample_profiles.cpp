// SPDX-License-Identifier: GPL-3.0-or-later
// sample_data/async_grpc, compared with the inputs of its runs: the job files and recorded steps of tests/reality/jobs.
#include "engine/job/job_file.h"
#include "engine/parse/byte_source.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "tests/checks.h"

#include <QDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace syncopate;

namespace {

const std::string folder = SYNCOPATE_SOURCE "/sample_data/async_grpc/";
const std::string jobs = SYNCOPATE_SOURCE "/tests/reality/jobs/";

/// The lines of a CSV file as values by column.
std::vector<std::map<std::string, std::string>> readCsv(const std::string &path) {
    std::vector<std::map<std::string, std::string>> rows;
    auto source = ByteSource::openFile(path);
    if (!source)
        return rows;
    if (auto unpacked = ByteSource::unpack(std::move(*source)); unpacked)
        source = std::move(unpacked);
    else
        return rows;
    const auto text = readHead(**source, 16U << 20U);
    std::istringstream lines(text ? *text : std::string());
    const auto split = [](const std::string &line) {
        std::vector<std::string> fields;
        std::istringstream stream(line);
        for (std::string field; std::getline(stream, field, ',');)
            fields.push_back(field);
        return fields;
    };
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = split(line);
    while (std::getline(lines, line)) {
        const std::vector<std::string> fields = split(line);
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i)
            (i == 0 ? rows.emplace_back() : rows.back())[names[i]] = fields[i];
    }
    return rows;
}

double number(const std::map<std::string, std::string> &row, const std::string &column) {
    const auto found = row.find(column);
    return found == row.end() ? std::nan("") : std::strtod(found->second.c_str(), nullptr);
}

std::int64_t elementsOf(const Job &job) {
    std::int64_t elements = 0;
    for (const Variable &variable : job.variables)
        elements += variable.elementCount();
    return elements;
}

} // namespace

class TestSampleProfiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void profiles_data() {
        QTest::addColumn<QString>("profile");
        for (const QString &name : QDir(QString::fromStdString(folder + "profiles")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << name;
    }

    /// A profile, read as TensorFlow timelines, yields the job that was run, and only steps that were recorded.
    void profiles() {
        QFETCH(QString, profile);
        const std::string name = profile.section('_', 0, 1).toStdString();
        const auto truth = readJobFile(jobs + name + ".job.json");
        VERIFY_VALUE(truth);
        const auto imported = importTensorFlow({folder + "profiles/" + profile.toStdString()});
        VERIFY_VALUE(imported);
        const ImportedProfile &read = **imported;
        QVERIFY(read.unsized.empty());
        QCOMPARE(read.job.layers.size(), truth->layers.size());
        QCOMPARE(read.job.variables.size(), truth->variables.size());
        std::map<std::string, std::int64_t> sizes;
        for (const Variable &variable : read.job.variables)
            sizes[variable.name] = variable.elementCount();
        for (const Variable &variable : truth->variables)
            QCOMPARE(sizes[variable.name], variable.elementCount());
        COMPARE_AT_LEAST(read.samples.size(), 10);
        QCOMPARE(read.samples.size(), read.steps.size());

        const auto recorded = readCsv(jobs + name + ".steps.csv");
        QVERIFY(!recorded.empty());
        for (const StepSample &sample : read.samples) {
            double nearest = 1;
            for (const auto &step : recorded) {
                double worst = 0;
                for (std::size_t i = 0; i < truth->layers.size(); ++i) {
                    const std::string &layer = truth->layers[i].name;
                    worst = std::max({worst, std::abs(number(step, layer + ":forward") - sample.forwardSeconds[i]),
                                      std::abs(number(step, layer + ":backward") - sample.backwardSeconds[i])});
                }
                nearest = std::min(nearest, worst);
            }
            // Microseconds, and times between two layers in which the host had not yet noticed a tensor.
            COMPARE_BELOW(nearest, 2e-3, QString("a layer is %1 s off every recorded step").arg(nearest));
        }
    }

    void arrivals_data() { profiles_data(); }

    /// No transfer ended before its bytes had arrived, and every variable's bytes arrived once.
    void arrivals() {
        QFETCH(QString, profile);
        const auto truth = readJobFile(jobs + profile.section('_', 0, 1).toStdString() + ".job.json");
        QVERIFY(truth);
        std::map<std::string, std::int64_t> bytes;
        for (const Variable &variable : truth->variables)
            bytes[variable.name] = 4 * variable.elementCount();
        const std::string path = folder + "profiles/" + profile.toStdString() + "/";
        const auto lines = readCsv(path + "arrivals.csv.gz");
        QCOMPARE(lines.size(), 5 * 2 * truth->variables.size());
        const double bytesPerMicrosecond = profile.section('_', 2, 2).remove("gbits").toDouble() * 1000 / 8;
        for (const auto &line : lines) {
            QCOMPARE(static_cast<std::int64_t>(number(line, "bytes")), bytes[line.at("variable")]);
            COMPARE_AT_MOST(number(line, "arrived_us"), number(line, "end_us"));
            // The token buckets pass 128 KiB at once.
            QVERIFY(number(line, "arrived_us") - number(line, "start_us") >=
                    (number(line, "bytes") - 2 * 131072) / bytesPerMicrosecond);
        }
        std::map<std::pair<std::string, std::string>, std::int64_t> arrived;
        const auto turns = readCsv(path + "turns.csv.gz");
        for (const auto &turn : turns)
            arrived[{turn.at("step"), turn.at("variable")}] += static_cast<std::int64_t>(number(turn, "bytes"));
        QCOMPARE(arrived.size(), 5 * truth->variables.size());
        constexpr std::int64_t framing = 5 + 40; // gRPC's prefix, the message's header
        for (const auto &[key, total] : arrived) // a turn that ended within the framing was not counted
            QVERIFY(total <= bytes[key.second] + framing && total >= bytes[key.second]);
        // Without flow control no tensor pauses midway.
        if (profile.contains("flow_control_off"))
            QCOMPARE(turns.size(), 5 * truth->variables.size());
        else
            COMPARE_ABOVE(turns.size(), 5 * truth->variables.size());
    }

    /// Rows that contradict themselves or the links would be useless as a reference.
    void runs() {
        const auto rows = readCsv(folder + "runs.csv");
        QVERIFY(!rows.empty());
        std::map<std::string, Job> known;
        std::map<std::string, std::map<int, std::vector<double>>> curves; // by number of workers, for each start
        for (const auto &row : rows) {
            const std::string &name = row.at("job");
            if (!known.contains(name)) {
                const auto job = readJobFile(jobs + name + ".job.json");
                VERIFY_VALUE(job);
                known.emplace(name, *job);
            }
            const Job &job = known.at(name);
            const double rate = number(row, "steps_per_second"), workers = number(row, "workers");
            const std::string about = name + " " + row.at("bandwidth_gbits") + " " + row.at("flow_control") + " " +
                                      row.at("workers") + " " + row.at("start");
            // Each step moves every variable over the server's link, down and up.
            const double gbits = rate * static_cast<double>(4 * elementsOf(job)) * 8e-9;
            QVERIFY2(gbits < number(row, "bandwidth_gbits"), about.c_str());
            // No worker is faster than its accelerator.
            QVERIFY2(rate < workers / number(row, "compute_seconds_mean"), about.c_str());
            COMPARE_CLOSE(rate * number(row, "step_seconds_median") / workers, 1, 0.2, about);
            COMPARE_CLOSE(number(row, "examples_per_second") / rate, static_cast<double>(job.batchSize), 1e-4, about);
            COMPARE_AT_MOST(number(row, "server_cores") + number(row, "workers_cores"), 1.4, about);
            COMPARE_AT_MOST(number(row, "late_seconds_p99"), 0.003, about);
            curves[name + row.at("bandwidth_gbits") + row.at("flow_control")][static_cast<int>(workers)].push_back(rate);
        }
        QCOMPARE(curves.size(), std::size_t{8});
        for (const auto &[key, curve] : curves) {
            QCOMPARE(curve.size(), std::size_t{6}); // none is missing
            for (const auto &[workers, starts] : curve)
                QCOMPARE(starts.size(), std::size_t{3});
            const auto slowest = [&](int workers) {
                return *std::min_element(curve.at(workers).begin(), curve.at(workers).end());
            };
            COMPARE_ABOVE(slowest(2), 1.3 * slowest(1), key);
        }
    }
};

QTEST_APPLESS_MAIN(TestSampleProfiles)
#include "tst_sample_profiles.moc"
