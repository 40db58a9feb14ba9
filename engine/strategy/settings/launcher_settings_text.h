// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/strategy/settings/shell_words.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A setting as it is written, and where.
struct WrittenSetting {
    std::string value; ///< of a flag without a value "true"
    std::string place; ///< "12", a line; of JSON empty: the key says it
};

/// A launcher's settings, by name: HOROVOD_CYCLE_TIME (environment), --ddp-bucket-size (an argument, with dashes for
/// underscores), --xla_gpu_enable_x (a flag of XLA_FLAGS, as it is), zero_optimization.stage (DeepSpeed's JSON),
/// params.cycle_time_ms (horovodrun's YAML). If a name is written twice, the last one holds, as in the systems.
class WrittenSettings {
public:
    /// JSON, YAML, or the words of a shell: assignments and arguments, in any mixture, such as a batch script; arguments are also
    /// read where a variable is assigned them. Errors: more than 1 MiB, JSON or YAML that cannot be read, JSON that is not an
    /// object; nothing in it is a setting.
    [[nodiscard]] static Result<WrittenSettings> parse(std::string_view text, const std::string &file = {});

    [[nodiscard]] bool has(const std::string &name) const { return m_settings.contains(name); }
    /// Null where it is not written.
    [[nodiscard]] const WrittenSetting *find(const std::string &name) const;
    /// Its number; none where it is not written, or is not a finite number.
    [[nodiscard]] std::optional<double> number(const std::string &name) const;
    /// Whether it is 1, true, on or yes; of an argument (--name), whether it is none of 0, false, off and no. `unset` where it is
    /// not written.
    [[nodiscard]] bool flag(const std::string &name, bool unset = false) const;
    /// Whether any name begins with `prefix`.
    [[nodiscard]] bool hasAny(std::string_view prefix) const;
    /// Whether a command has this word, such as a program's name, without its folder.
    [[nodiscard]] bool mentions(std::string_view word) const { return m_words.contains(word); }
    [[nodiscard]] const std::map<std::string, WrittenSetting> &all() const { return m_settings; }

    static constexpr std::size_t maxBytes = 1 << 20;

private:
    /// `readsValues`: values of assignments have words of their own.
    void addWords(const std::vector<ShellWord> &words, bool readsValues);
    void addAssignment(const ShellAssignment &assignment, const ShellWord &word);

    std::map<std::string, WrittenSetting> m_settings;
    std::set<std::string, std::less<>> m_words; ///< that are not settings
};

} // namespace syncopate
