// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/trial/judge.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace syncopate {

/// Looks up recorded times. A CSV file has the columns `strategy` and `seconds`, in any order and among others: a strategy file,
/// by its path from the CSV file's folder, or a builder expression, quoted where it contains a comma, and the seconds of an
/// iteration; several lines of one strategy are repetitions of it. The comparison ignores replicas and takes those of the
/// scenario.
class ImportedJudge final : public Judge {
public:
    [[nodiscard]] static const ExpressionInfo &info();
    /// Errors: the file cannot be read, or lacks the columns; the place is a line.
    [[nodiscard]] static Result<std::unique_ptr<Judge>> make(const Expression &expression);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::vector<std::string> files() const override;
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] bool followsCluster() const override { return false; }
    /// Errors: no recorded time of this strategy; a strategy file of the CSV file cannot be read.
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

private:
    struct Row {
        std::string strategy; ///< as in the file
        std::string file;     ///< the strategy file that it names; empty for a builder expression
        double seconds;
    };
    using Times = std::unordered_map<std::uint64_t, std::vector<double>>;
    ImportedJudge(std::string path, std::vector<Row> rows) : m_path(std::move(path)), m_rows(std::move(rows)) {}
    [[nodiscard]] Result<void> load(const Scenario &scenario);

    std::string m_path;
    std::vector<Row> m_rows;
    std::mutex m_mutex;                       ///< of the members below
    std::shared_ptr<const Job> m_job;         ///< that m_times are of
    std::shared_ptr<const Cluster> m_cluster; ///< the same
    Times m_times;                            ///< by fingerprint
};

} // namespace syncopate
