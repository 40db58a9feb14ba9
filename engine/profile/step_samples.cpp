// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/step_samples.h"

#include "engine/base/input_file.h"
#include "engine/base/json_writer.h"
#include "engine/job/job_file.h"
#include "engine/parse/byte_order_mark.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <simdjson.h>

namespace syncopate {

namespace {

constexpr std::size_t maxSamples = 10'000;
constexpr double mostSeconds = 1e6;

Result<double> secondsIn(simdjson::dom::element value, const std::string &place, const std::string &file) {
    double seconds = -1;
    if (value.get(seconds) || !(seconds >= 0 && seconds <= mostSeconds))
        return fail("this is not a time from 0 to 1e6 s", "write seconds", file, place);
    return seconds;
}

/// Reads one time per layer.
Result<void> readTimes(simdjson::dom::element sample, const char *key, std::size_t layers, const std::string &place,
                       const std::string &file, std::vector<double> &out) {
    simdjson::dom::array times;
    if (sample[key].get(times) || times.size() != layers)
        return fail(fmt::format("{} is not an array of {} times", key, layers), "write one time for each layer", file, place);
    for (const auto value : times) {
        const auto seconds = TRY(secondsIn(value, fmt::format("{}.{}[{}]", place, key, out.size()), file));
        out.push_back(seconds);
    }
    return {};
}

/// The part of a sampled time spent waiting for the host, if the job waits for `host` of `seconds`.
double shareOf(double sampled, double seconds, double host) {
    return seconds > 0 ? std::min(sampled, host / seconds * sampled) : 0;
}

/// Reads the host waits of a sample: for the layers of both passes, or none at all.
Result<void> readHostTimes(simdjson::dom::element value, std::size_t layers, const std::string &place, const std::string &file,
                           StepSample &sample) {
    simdjson::dom::element there;
    if (value["forward_host_seconds"].get(there) && value["backward_host_seconds"].get(there) &&
        value["update_host_seconds"].get(there))
        return {};
    const auto check = [&](double host, double seconds, const std::string &key) -> Result<void> {
        if (host > seconds)
            return fail(fmt::format("{} s of {} s are waits for the host", host, seconds), "write a part of the time", file,
                        place + "." + key);
        return {};
    };
    TRY(readTimes(value, "forward_host_seconds", layers, place, file, sample.forwardHostSeconds));
    TRY(readTimes(value, "backward_host_seconds", layers, place, file, sample.backwardHostSeconds));
    for (std::size_t l = 0; l < layers; ++l) {
        TRY(check(sample.forwardHostSeconds[l], sample.forwardSeconds[l], fmt::format("forward_host_seconds[{}]", l)));
        TRY(check(sample.backwardHostSeconds[l], sample.backwardSeconds[l], fmt::format("backward_host_seconds[{}]", l)));
    }
    if (!value["update_host_seconds"].get(there)) {
        sample.updateHostSeconds = TRY(secondsIn(there, place + ".update_host_seconds", file));
        TRY(check(sample.updateHostSeconds, sample.updateSeconds, "update_host_seconds"));
    }
    return {};
}

} // namespace

StepSample sampleOf(const Job &job) {
    StepSample sample;
    for (const Layer &layer : job.layers) {
        sample.forwardSeconds.push_back(layer.forwardSeconds);
        sample.backwardSeconds.push_back(layer.backwardSeconds);
        sample.forwardHostSeconds.push_back(layer.forwardHostSeconds);
        sample.backwardHostSeconds.push_back(layer.backwardHostSeconds);
    }
    sample.updateSeconds = job.updateSeconds;
    sample.updateHostSeconds = job.updateHostSeconds;
    return sample;
}

StepSample withHostSeconds(StepSample sample, const Job &job) {
    if (!sample.forwardHostSeconds.empty())
        return sample;
    for (std::size_t l = 0; l < job.layers.size(); ++l) {
        const Layer &layer = job.layers[l];
        sample.forwardHostSeconds.push_back(shareOf(sample.forwardSeconds[l], layer.forwardSeconds, layer.forwardHostSeconds));
        sample.backwardHostSeconds.push_back(
            shareOf(sample.backwardSeconds[l], layer.backwardSeconds, layer.backwardHostSeconds));
    }
    sample.updateHostSeconds = shareOf(sample.updateSeconds, job.updateSeconds, job.updateHostSeconds);
    return sample;
}

std::string writeJobText(const Job &job, const std::vector<StepSample> &samples) {
    std::string text = writeJobText(job);
    if (samples.empty())
        return text;
    // If neither the job nor the step waits for the host, zeros need not be written: reading fills them in.
    const auto waits = [&](const StepSample &sample) {
        const auto any = [](const std::vector<double> &times) {
            return std::any_of(times.begin(), times.end(), [](double seconds) { return seconds > 0; });
        };
        return !sample.forwardHostSeconds.empty() && (job.hostSeconds() > 0 || any(sample.forwardHostSeconds) ||
                                                      any(sample.backwardHostSeconds) || sample.updateHostSeconds > 0);
    };
    JsonWriter json;
    json.beginArray();
    for (const StepSample &sample : samples) {
        json.newLine().beginObject().member("step", sample.step);
        const auto list = [&](const char *key, const std::vector<double> &times) {
            json.key(key).beginArray();
            for (const double seconds : times)
                json.value(seconds);
            json.endArray();
        };
        list("forward_seconds", sample.forwardSeconds);
        list("backward_seconds", sample.backwardSeconds);
        json.member("update_seconds", sample.updateSeconds);
        if (waits(sample)) {
            list("forward_host_seconds", sample.forwardHostSeconds);
            list("backward_host_seconds", sample.backwardHostSeconds);
            json.member("update_host_seconds", sample.updateHostSeconds);
        }
        json.endObject();
    }
    json.endArray();
    text.erase(text.rfind('}')); // the job's closing brace
    return text + ",\n\"step_samples\": " + json.take() + "}\n";
}

Result<std::vector<StepSample>> readStepSamplesText(std::string_view json, const Job &job, const std::string &file) {
    simdjson::dom::parser parser;
    simdjson::dom::element root, list;
    const simdjson::padded_string padded(withoutByteOrderMark(json));
    if (const auto status = parser.parse(padded).get(root))
        return fail(simdjson::error_message(status), "write a job file", file);
    std::vector<StepSample> samples;
    if (root["step_samples"].get(list))
        return samples;
    simdjson::dom::array array;
    if (list.get(array))
        return fail("step_samples is not an array", "write one object for each step", file, "step_samples");
    for (const auto value : array) {
        const std::string place = fmt::format("step_samples[{}]", samples.size());
        if (samples.size() == maxSamples)
            return fail(fmt::format("more than {} steps", maxSamples), "leave some out", file, place);
        StepSample sample;
        auto step = static_cast<std::int64_t>(samples.size());
        if (simdjson::dom::element number;
            !value["step"].get(number) && (number.get(step) || step < 0 || step > std::numeric_limits<std::int32_t>::max()))
            return fail("step is not the number of a step", "count from 0", file, place);
        sample.step = static_cast<std::int32_t>(step);
        for (const auto &[key, times] :
             {std::pair("forward_seconds", &sample.forwardSeconds), std::pair("backward_seconds", &sample.backwardSeconds)})
            TRY(readTimes(value, key, job.layers.size(), place, file, *times));
        if (simdjson::dom::element update; !value["update_seconds"].get(update)) {
            const auto seconds = TRY(secondsIn(update, place + ".update_seconds", file));
            sample.updateSeconds = seconds;
        }
        TRY(readHostTimes(value, job.layers.size(), place, file, sample));
        samples.push_back(std::move(sample));
    }
    return samples;
}

Result<std::vector<StepSample>> readStepSamples(const std::string &path, const Job &job) {
    const auto text = TRY(readInputFile(path));
    return readStepSamplesText(text, job, path);
}

} // namespace syncopate
