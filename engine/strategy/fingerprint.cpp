// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/fingerprint.h"

#include "engine/base/rng.h"

#include <string_view>

namespace syncopate {

namespace {

class Mixer {
public:
    void add(std::uint64_t word) {
        m_high = Rng(m_high ^ word).next();
        m_low = Rng(m_low + word).next() ^ m_high;
    }
    void add(std::string_view text) {
        add(text.size());
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            word = word << 8 | static_cast<unsigned char>(text[i]);
            if (i % 8 == 7 || i + 1 == text.size()) {
                add(word);
                word = 0;
            }
        }
    }
    [[nodiscard]] StrategyFingerprint result() const { return {m_high, m_low}; }

private:
    std::uint64_t m_high = 0x243f6a8885a308d3ULL, m_low = 0x13198a2e03707344ULL; // of pi; any two numbers that differ
};

} // namespace

StrategyFingerprint fingerprintOf(const Strategy &strategy) {
    Mixer mixer;
    const auto add = [&](const Synchronizer &s) {
        mixer.add(static_cast<std::uint64_t>(s.kind));
        if (s.kind == SynchronizerKind::AllReduce) {
            mixer.add(static_cast<std::uint64_t>(s.reduction) << 16 | static_cast<std::uint64_t>(s.spec) << 8 |
                      static_cast<std::uint64_t>(s.compressor));
            mixer.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(s.group)));
            return;
        }
        mixer.add(s.reductionDestination);
        mixer.add(s.transferDestination);
        mixer.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(s.staleness)) << 2 |
                  static_cast<std::uint64_t>(s.localReplication) << 1 | static_cast<std::uint64_t>(s.sync));
    };
    for (const NodeConfig &node : strategy.nodes) {
        mixer.add(node.variableName);
        mixer.add(node.parts.size());
        for (const std::int32_t parts : node.partitions)
            mixer.add(static_cast<std::uint64_t>(parts));
        forEachSynchronizer(node, add);
    }
    for (const std::string &replica : strategy.replicas)
        mixer.add(replica);
    return mixer.result();
}

} // namespace syncopate
