// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncopate {

/// An index with a type: identifies one object of a kind, counting from 0, and cannot be confused with an index of another kind.
/// `Kind` is a type declared for that alone: `using WorkerId = Id<struct WorkerKind>`. As small and as fast as the integer
/// itself.
template <class Kind> class Id {
public:
    constexpr Id() = default;
    constexpr explicit Id(std::int32_t number) : m_number(number) {}
    constexpr explicit Id(std::size_t index) : m_number(static_cast<std::int32_t>(index)) {}

    [[nodiscard]] constexpr std::int32_t number() const { return m_number; }
    /// The place in a vector of all objects of the kind.
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(m_number); }
    [[nodiscard]] constexpr bool exists() const { return m_number >= 0; }
    [[nodiscard]] constexpr Id next() const { return Id(m_number + 1); }
    bool operator==(const Id &) const = default;
    /// By number. There is no <=>, since its header is one that Qt 6.4's moc cannot read.
    constexpr bool operator<(const Id &other) const { return m_number < other.m_number; }

private:
    std::int32_t m_number = -1; ///< none
};

} // namespace syncopate
