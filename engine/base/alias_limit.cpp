// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/alias_limit.h"

#include "engine/base/yaml_text.h"

#include <algorithm>

namespace syncopate {

namespace {

constexpr std::size_t alwaysSpelledOut = 16U << 20;
constexpr std::size_t maxRepeated = 4; ///< times the text
constexpr int maxDepth = 1000;         ///< yaml-cpp nests half as deep; an alias may stand for what it is in

/// Walks through a document with its aliases spelled out, until there is too much of it.
class SpelledOut {
public:
    explicit SpelledOut(std::size_t limit) : m_left(limit) {}

    void visit(const YAML::Node &node, int depth) {
        const std::size_t size = 1 + (node.IsScalar() ? node.Scalar().size() : 0);
        if (size > m_left || depth > maxDepth)
            refuse(node.Mark(), "aliases repeat more text than is read", "write out what they stand for, or less of it");
        m_left -= size;
        if (node.IsMap())
            for (const auto &entry : node) {
                visit(entry.first, depth + 1);
                visit(entry.second, depth + 1);
            }
        else if (node.IsSequence())
            for (const auto &item : node)
                visit(item, depth + 1);
    }

private:
    std::size_t m_left;
};

} // namespace

void limitAliases(const YAML::Node &root, std::size_t textBytes) {
    SpelledOut(std::max(alwaysSpelledOut, maxRepeated * textBytes)).visit(root, 0);
}

} // namespace syncopate
