// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace syncopate {

/// The engine's only source of randomness: SplitMix64 (Steele, Lea and Flood 2014), seeded and passed in, the same numbers
/// on every platform.
class Rng {
public:
    explicit Rng(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// Uniform in [from, to).
    double uniform(double from, double to) { return from + (to - from) * static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::uint64_t m_state;
};

} // namespace syncopate
