// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/calibrate.h"

#include "engine/base/text.h"
#include "engine/base/units.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

namespace syncopate {

namespace {

constexpr double maxHostSeconds = 10;
constexpr double maxSlowdown = 100;
constexpr double beatenWire = 0.8; ///< share of the time on the wire: anything faster is not noise

std::string describe(const MessageRow &row) {
    return fmt::format("{}, {}, {}, {}, {:g} B{}",
                       row.kind == MessageKind::HalfAllReduce ? "fsdp2"
                       : row.isCollective()                   ? "bsar"
                                                              : "bsps",
                       counted(row.workers, "worker"), formatBandwidth(row.bandwidthBytesPerSecond),
                       row.oneAtATime ? "one at a time" : "back to back", row.bytes,
                       row.isCollective() || row.answered ? "" : " unanswered");
}

/// Sets figures from the rows of a table, and keeps the rows.
class MessageCalibration {
public:
    MessageCalibration(Calibration &calibration, std::string path, std::vector<MessageRow> rows)
        : m_calibration(calibration), m_cluster(calibration.cluster), m_path(std::move(path)), m_rows(std::move(rows)) {}

    Result<void> run() {
        TRY(link());
        m_costs = fitMessageCosts(m_rows, m_cluster.linkEfficiency, m_cluster.burstBytes);
        if (const double longest =
                std::max({m_costs.messageSeconds, m_costs.latencySeconds, m_costs.collectiveSeconds, m_costs.stepSeconds});
            longest > maxHostSeconds)
            return fail(fmt::format("a message or a collective would cost {}", formatSeconds(longest)),
                        "correct seconds_per_message, whose unit is seconds", m_path);
        for (const MessageRow &row : m_rows)
            m_calibration.rows.push_back({shownFileName(m_path), describe(row), row.seconds, predicted(row)});
        messages();
        collectives();
        return {};
    }

private:
    [[nodiscard]] double predicted(const MessageRow &row) const {
        return predictedSeconds(row, m_costs, m_cluster.linkEfficiency, m_cluster.burstBytes);
    }
    template <class Which> [[nodiscard]] FitError errorOf(const std::vector<MessageRow> &rows, Which which) const {
        std::vector<double> errors;
        for (const MessageRow &row : rows)
            if (which(row))
                errors.push_back(std::abs(predicted(row) / row.seconds - 1));
        return fitError(std::move(errors));
    }
    void set(const char *key, double &member, double value, const std::string &basis, const FitError &error) {
        setFigure(m_calibration, {.key = key, .source = shownFileName(m_path), .basis = basis, .error = error}, member, value);
    }

    Result<void> link() {
        const auto share = linkEfficiencyOf(m_rows);
        if (!share) {
            m_calibration.notes.push_back(
                fmt::format("{} has no pushes of 250 kB or more back to back: link_efficiency stays {:g}.", shownFileName(m_path),
                            m_cluster.linkEfficiency));
            return {};
        }
        if (!(*share >= minEfficiency && *share <= efficiencyNoise))
            return fail(fmt::format("its largest messages reach {:.3g} of the stated rate", *share),
                        "correct bandwidth_gbits, the maximum rate of a link, in Gbit/s", m_path);
        const auto bulk = bulkRows(m_rows);
        double &efficiency = m_cluster.linkEfficiency;
        const double before = efficiency;
        efficiency = std::min(1.0, *share); // the errors below are relative to it
        const FitError error = errorOf(bulk, [](const MessageRow &) { return true; });
        efficiency = before;
        set("link_efficiency", efficiency, std::min(1.0, *share),
            fmt::format("{} of {} back to back", counted(bulk.size(), "row"), formatBytes(bulk.front().bytes)), error);
        return {};
    }

    void messages() {
        const auto small = [](const MessageRow &row) { return !row.isCollective() && row.answered; };
        const auto count = static_cast<std::size_t>(std::count_if(m_rows.begin(), m_rows.end(), small));
        if (count == 0)
            return;
        const FitError error = errorOf(m_rows, [](const MessageRow &row) { return !row.isCollective(); });
        const std::string basis = "the smallest pushes that are answered whole; the error is over all pushes";
        set("host.send_seconds", m_cluster.host.sendSeconds, m_costs.messageSeconds, basis, error);
        set("host.receive_seconds", m_cluster.host.receiveSeconds, m_costs.messageSeconds, basis, error);
        if (m_cluster.messageSeconds > 0)
            set("message_seconds", m_cluster.messageSeconds, 0, "host's costs are in its place", error);
        hintAtBurst();
        if (std::any_of(m_rows.begin(), m_rows.end(), [&](const MessageRow &row) { return small(row) && row.oneAtATime; }))
            set("latency_seconds", m_cluster.latencySeconds, m_costs.latencySeconds, basis, error);
    }

    /// Messages sent one at a time beat the link's rate if a token bucket shapes it: notes that, for burst_bytes.
    void hintAtBurst() {
        const auto beatsLink = [&](const MessageRow &row) {
            const double wire =
                (row.answered ? 2 : 1) * row.workers * row.bytes / (m_cluster.linkEfficiency * row.bandwidthBytesPerSecond);
            return !row.isCollective() && row.oneAtATime && row.seconds < beatenWire * wire;
        };
        const auto fastest = std::find_if(m_rows.begin(), m_rows.end(), beatsLink);
        if (fastest != m_rows.end() && m_cluster.burstBytes == 0)
            m_calibration.notes.push_back(fmt::format("{} take {}, less than the link's rate allows: a token bucket seems to let "
                                                      "some bytes pass at once. State burst_bytes "
                                                      "in the cluster file.",
                                                      describe(*fastest), formatSeconds(fastest->seconds)));
    }

    void collectives() {
        const auto isCollective = [](const MessageRow &row) { return row.isCollective(); };
        const FitError error = errorOf(m_rows, isCollective);
        if (error.count == 0)
            return;
        const std::string basis = "collectives";
        HostCosts &host = m_cluster.host;
        set("host.collective_seconds", host.collectiveSeconds, m_costs.collectiveSeconds, basis, error);
        const double message = m_cluster.messageSeconds + m_cluster.latencySeconds + host.sendSeconds + host.receiveSeconds;
        if (m_costs.stepSeconds < message)
            m_calibration.notes.push_back(fmt::format("A step of a collective takes {} and a message alone {}: steps of "
                                                      "collectives come out too long by the difference.",
                                                      formatSeconds(m_costs.stepSeconds), formatSeconds(message)));
        set("host.collective_message_seconds", host.collectiveMessageSeconds, std::max(0.0, m_costs.stepSeconds - message),
            fmt::format("{}; a step takes {} in all", basis, formatSeconds(m_costs.stepSeconds)), error);
        // A connection uses one NIC of a node, and pays the cost per byte.
        double slowest = std::numeric_limits<double>::infinity();
        for (const std::int32_t node : m_cluster.trainingNodes()) // those that only serve take part in no collective
            slowest = std::min(slowest, m_cluster.nodes[static_cast<std::size_t>(node)].nicBytesPerSecond());
        set("collective_efficiency", m_cluster.collectiveEfficiency,
            std::max(minEfficiency, m_costs.collectiveEfficiency(m_cluster.linkEfficiency * slowest)),
            fmt::format("{}; {:.3g} ns per byte on the wire, at {}", basis, 1e9 * m_costs.collectiveSecondsPerByte,
                        formatBandwidth(slowest)),
            error);
    }

    Calibration &m_calibration;
    Cluster &m_cluster;
    std::string m_path;
    std::vector<MessageRow> m_rows;
    MessageCosts m_costs;
};

} // namespace

std::string shownFileName(const std::string &path) {
    return cutInMiddle(visibleText(std::filesystem::path(path).filename().string()), maxShownNameBytes);
}

void setFigure(Calibration &calibration, CalibratedFigure figure, double &member, double value) {
    const bool gbits = figure.key == "intra_node_bandwidth";
    figure.before = gbits ? gbitsFromBytesPerSecond(member) : member;
    figure.after = gbits ? gbitsFromBytesPerSecond(value) : value;
    member = value;
    std::vector<FigureNote> &notes = calibration.cluster.figureNotes;
    std::erase_if(notes, [&](const FigureNote &note) { return note.figure == figure.key; });
    notes.push_back({figure.key, fmt::format("Calibrated: {} {:.4g} from {} ({}); error: median {:.1f} %, worst {:.1f} % of {}.",
                                             figure.key, figure.after, figure.source, figure.basis, 100 * figure.error.median,
                                             100 * figure.error.worst, figure.error.count)});
    std::erase_if(calibration.figures, [&](const CalibratedFigure &other) { return other.key == figure.key; });
    calibration.figures.push_back(std::move(figure));
}

Result<void> calibrateMessages(Calibration &calibration, std::vector<MessageRow> rows, const std::string &file) {
    if (rows.empty())
        return fail("there is no row in it", "add one line per measurement", file);
    return MessageCalibration(calibration, file, std::move(rows)).run();
}

Result<void> calibrateSlowdown(Calibration &calibration, const ImportedProfile &alone, const ImportedProfile &beside) {
    const Slowdown slowdown = TRY(measureSlowdown(alone, beside));
    if (slowdown.factor > maxSlowdown)
        return fail(fmt::format("ops under communication take {:.3g} times what they take alone", slowdown.factor),
                    "give two profiles with one batch size on one kind of device", beside.file);
    Cluster &cluster = calibration.cluster;
    const std::string &device = beside.platform.device;
    const auto isOfDevice = [&](const Node &node) { return !device.empty() && node.device == device; };
    std::vector<Node *> training; // nodes that only serve compute nothing under communication
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
        if (std::ranges::find(cluster.serverOnly, static_cast<std::int32_t>(n)) == cluster.serverOnly.end())
            training.push_back(&cluster.nodes[n]);
    const bool some = std::ranges::any_of(training, [&](const Node *node) { return isOfDevice(*node); });
    double before = 1;
    for (Node *const node : training) {
        if (some && !isOfDevice(*node))
            continue;
        before = node->communicationSlowdown;
        node->communicationSlowdown = std::max(1.0, slowdown.factor);
    }
    if (slowdown.factor < 1)
        calibration.notes.push_back(fmt::format(
            "Ops under communication take {:.3f} times what they take alone: communication_slowdown is 1.", slowdown.factor));
    setFigure(calibration,
              {.key = "communication_slowdown",
               .source = shownFileName(beside.file),
               .basis = fmt::format("{} ops against {}{}; quartiles {:.3f} to {:.3f}, clear of communication {:.3f}",
                                    slowdown.ops, shownFileName(alone.file), some ? ", nodes of that device" : "", slowdown.lower,
                                    slowdown.upper, slowdown.clearFactor),
               .error = slowdown.error},
              before, std::max(1.0, slowdown.factor));
    calibration.slowdowns.push_back(slowdown);
    return {};
}

} // namespace syncopate
