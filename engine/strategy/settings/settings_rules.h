// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the rules of all systems.
#pragma once

#include "engine/strategy/settings/lint_settings.h"

namespace syncopate {

inline constexpr double minBucketElements = 1e5; ///< smaller buckets are meant as megabytes
inline constexpr double maxElements = 1e15;      ///< more than any model has

/// The type in which gradients are reduced, and the setting that says so; empty: none does.
struct GradientType {
    std::string setting;
    double bytes = 4; ///< a parameter
};

/// The settings at hand, and the findings so far.
struct SettingsRules {
    const WrittenSettings &settings;
    const Job *job;         ///< or null
    const Cluster *cluster; ///< or null
    SettingsFindings findings;

    void add(SettingFault fault, const std::string &setting, std::string text, std::string remedy);
    /// Ignored, where it is written and the need is not met.
    void needs(const std::string &setting, bool met, const std::string &need);
    /// Whether it is written and a number of at least 0. Marks texts, negative numbers, and numbers from above 0 to below `min`,
    /// which must be meant in another unit.
    bool inUnit(const std::string &setting, double min, const std::string &unit, const std::string &example);
    /// The same for a setting that the system reads as a whole number, digits alone: atoi() and its like make 1 of "1e9". Marks
    /// everything else; the remedy is the number in digits where it is in [min, max], and else `example`.
    bool countInUnit(const std::string &setting, double min, double max, const std::string &unit, const std::string &example);
    /// The number that a prediction takes for it: `usual` where it is not written, and also where it is not a number, which the
    /// meaning then says.
    [[nodiscard]] double priced(const std::string &setting, double usual, SettingsMeaning &meaning) const;
    [[nodiscard]] double elementBytes() const; ///< of a parameter in most of the job's bytes; 4 without a job
    [[nodiscard]] double perNode() const;      ///< the largest number of replicas on a node; 1 without a cluster
    /// Tells that the meaning leaves the type out, where a setting says it and the job's gradients have another size.
    void leaveOutType(const GradientType &type, SettingsMeaning &meaning) const;
};

void lintDeepSpeed(SettingsRules &rules);
void lintArguments(SettingsRules &rules);
void lintXla(SettingsRules &rules);
void lintHorovod(SettingsRules &rules);
void lintBytePs(SettingsRules &rules);
void lintByteScheduler(SettingsRules &rules);
/// Marks counts of ps-lite's workers and servers that are not the cluster's.
void lintServers(SettingsRules &rules);
/// Marks unknown names that are close to those of settings; called after all other rules.
void lintNames(SettingsRules &rules);

/// Whether there is an argument that is Megatron-LM's alone.
[[nodiscard]] bool hasMegatron(const WrittenSettings &settings);
/// Whether there is a variable, argument or key of Horovod's, or its launcher.
[[nodiscard]] bool hasHorovod(const WrittenSettings &settings);

} // namespace syncopate
