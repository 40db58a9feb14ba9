// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster file's figures are assumptions until measured. These functions derive them from measurements: tables of message
// costs, logs of collectives, and two profiles of one model. Every figure keeps its old value, its source, and the error of the
// model with it on the measurements, so a bad fit shows.
#pragma once

#include "engine/analyze/fit_error.h"
#include "engine/analyze/message_costs.h"
#include "engine/analyze/slowdown.h"
#include "engine/cluster/cluster.h"
#include "engine/collective/curve_fit.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Bounds of a fitted share of a link's rate: below the first, something else was slow; between 1 and the second, the excess over
/// 1 is noise.
inline constexpr double minEfficiency = 0.001, efficiencyNoise = 1.05;

/// A key of the cluster file that was set.
struct CalibratedFigure {
    std::string key{};            ///< "host.send_seconds"
    double before = 0, after = 0; ///< in the cluster file's unit
    std::string source{};         ///< file name
    std::string basis{};          ///< the measurements behind it, "4 rows of 3.81 MiB back to back"
    FitError error{};
};

/// A measured row beside the prediction of the calibrated costs.
struct CalibrationRow {
    std::string source; ///< file name
    std::string what;   ///< "bsps, 2 workers, 2 Gbit/s, back to back, 1000 B unanswered"
    double measuredSeconds = 0, predictedSeconds = 0;
    [[nodiscard]] double error() const { return predictedSeconds / measuredSeconds - 1; }
};

/// A log of a collective beside the prediction of the calibrated cluster.
struct CalibratedLog {
    CurveFit fit;
    FitError error;     ///< of the calibrated cluster; count 0: the log was not used
    std::string remark; ///< why it was not used, or on which of the cluster's machines it is assumed to be measured
};

/// A calibrated cluster, with the figures that were set and how well they fit.
struct Calibration {
    Cluster cluster; ///< calibrated; its notes name each figure, with its source and error
    std::vector<CalibratedFigure> figures;
    std::vector<CalibrationRow> rows;
    std::vector<CalibratedLog> logs;
    std::vector<Slowdown> slowdowns;
    std::vector<std::string> notes; ///< figures left unchanged or bounded, one sentence each
};

/// Sets link_efficiency, latency_seconds, the message and collective keys of host and collective_efficiency from a table of
/// message costs (message_costs.h), each where the table has rows for it. The time of an all-reduce's step beyond latency,
/// sending and receiving becomes collective_message_seconds; message_seconds becomes 0, as the costs of host replace it. An
/// all-reduce's cost per byte becomes collective_efficiency at the slowest NIC's rate of the nodes that train. Errors name the
/// file.
[[nodiscard]] Result<void> calibrateMessages(Calibration &calibration, std::vector<MessageRow> rows, const std::string &file);

/// Sets figures from logs of collectives, by the one alpha and beta of curve_fit.h and the steps of a ring among the cluster's
/// first `ranks` replicas (all of them where a log does not say) or, where a log states its nodes, among as many nodes with about
/// equally many ranks each. Of logs between nodes: collective_efficiency from beta,
/// latency_seconds from alpha; of logs inside one node: intra_node_bandwidth from beta, host.collective_seconds from alpha.
/// Several logs: the median; where those between nodes have several numbers of ranks and none is inside one,
/// host.collective_seconds is the common part of their alphas. Logs of one size or rank, of broadcast or reduce set nothing and
/// are kept with a remark; `--curves` takes any. Errors: figures that no machine has, or more than the cluster states; no log can
/// be used, unless `mayBeNone`. `connections`: how many the logs' collectives had between two nodes, dealt to their NICs
/// (CommPolicy::connections).
[[nodiscard]] Result<void> calibrateCollectives(Calibration &calibration, std::vector<CollectiveLog> logs,
                                                std::int32_t connections = 1, bool mayBeNone = false);

/// Puts the measured points of logs into the cluster (Cluster::collectives), replacing points of the same collective and number
/// of ranks: the median of each size over all its logs. A log that does not state its ranks counts as all of the cluster's. Where
/// such logs state different numbers of nodes, only those count that state as many nodes as these ranks occupy in the cluster.
/// Notes list the points kept and the logs left out, and count what a cluster file cannot hold. Errors: no log that counts has
/// two sizes among at least two ranks; too many collectives.
[[nodiscard]] Result<void> keepPoints(Calibration &calibration, const std::vector<CollectiveLog> &logs);

/// Sets communication_slowdown of the nodes with the profiles' device, or of all training nodes where none states that device.
/// Errors: measureSlowdown(); a slowdown beyond what a cluster file may state.
[[nodiscard]] Result<void> calibrateSlowdown(Calibration &calibration, const ImportedProfile &alone,
                                             const ImportedProfile &beside);

/// The file's name as a note shows it.
[[nodiscard]] std::string shownFileName(const std::string &path);
/// Sets a key, and replaces its note. For the functions above.
void setFigure(Calibration &calibration, CalibratedFigure figure, double &member, double value);

} // namespace syncopate
