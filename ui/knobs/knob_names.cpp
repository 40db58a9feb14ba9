// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/knob_names.h"

#include "engine/space/dimension.h"

#include <QCoreApplication>
#include <QStringList>

namespace syncopate::ui {

namespace {

/// The engine's names and definitions of dimensions, for lupdate, which does not read the engine.
[[maybe_unused]] constexpr const char *textsOfDimensions[] = {
    QT_TRANSLATE_NOOP("Knobs", "Bandwidth"),
    QT_TRANSLATE_NOOP("Knobs", "Bandwidth of every node's network card, each direction, Gbit/s (10⁹ bit/s)."),
    QT_TRANSLATE_NOOP("Knobs", "Latency"),
    QT_TRANSLATE_NOOP("Knobs", "Per message between nodes, one way."),
    QT_TRANSLATE_NOOP("Knobs", "Workers"),
    QT_TRANSLATE_NOOP("Knobs", "Model replicas in all (GPUs)."),
    QT_TRANSLATE_NOOP("Knobs", "Servers"),
    QT_TRANSLATE_NOOP("Knobs", "Dedicated parameter servers: nodes that only serve. 0: the workers' nodes serve."),
    QT_TRANSLATE_NOOP("Knobs", "Partition"),
    QT_TRANSLATE_NOOP("Knobs", "tensors are cut into pieces of this many bytes"),
    QT_TRANSLATE_NOOP("Knobs", "Credit"),
    QT_TRANSLATE_NOOP("Knobs", "bytes that may be under way at the same time; for byteps, in the sums over a machine's devices"),
    QT_TRANSLATE_NOOP("Knobs", "Bucket cap"),
    QT_TRANSLATE_NOOP("Knobs", "gradients are collected into one all-reduce until it has at least this many bytes"),
    QT_TRANSLATE_NOOP("Knobs", "First bucket"),
    QT_TRANSLATE_NOOP("Knobs", "the same for the first bucket, so that communication starts early"),
    QT_TRANSLATE_NOOP("Knobs", "Concurrent"),
    QT_TRANSLATE_NOOP("Knobs", "all-reduces that may be under way at the same time"),
    QT_TRANSLATE_NOOP("Knobs", "Group threshold"),
    QT_TRANSLATE_NOOP("Knobs", "layers are fused into groups below this many bytes"),
    QT_TRANSLATE_NOOP("Knobs", "Module size"),
    QT_TRANSLATE_NOOP("Knobs", "consecutive layers of at least this many bytes are gathered and scattered together"),
    QT_TRANSLATE_NOOP("Knobs", "Forward prefetch"),
    QT_TRANSLATE_NOOP("Knobs", "modules whose all-gathers are issued ahead in the forward pass; 0: as the streams allow"),
    QT_TRANSLATE_NOOP("Knobs", "Backward prefetch"),
    QT_TRANSLATE_NOOP("Knobs", "modules whose all-gathers are issued ahead in the backward pass"),
    QT_TRANSLATE_NOOP("Knobs", "Fusion buffer"),
    QT_TRANSLATE_NOOP("Knobs", "gradients that became ready within a cycle are fused into all-reduces of up to this many bytes"),
    QT_TRANSLATE_NOOP("Knobs", "Cycle"),
    QT_TRANSLATE_NOOP("Knobs", "the time between two checks for gradients that became ready"),
    QT_TRANSLATE_NOOP("Knobs", "Window"),
    QT_TRANSLATE_NOOP("Knobs", "bytes that a stream sends before it waits for its next turn"),
    QT_TRANSLATE_NOOP("Knobs", "Reduce bucket"),
    QT_TRANSLATE_NOOP("Knobs", "a bucket is all-reduced before it has more than this many elements"),
    QT_TRANSLATE_NOOP("Knobs", "All-gather bucket"),
    QT_TRANSLATE_NOOP("Knobs", "after the update, parameters are gathered in pieces of at least this many elements"),
    QT_TRANSLATE_NOOP("Knobs", "Bucket size"),
    QT_TRANSLATE_NOOP("Knobs",
                      "gradients are reduced in buckets of about this many elements while the backward pass goes on; 0: 40 "
                      "million, or one million per replica if that is more"),
    QT_TRANSLATE_NOOP("Knobs", "Combine threshold"),
    QT_TRANSLATE_NOOP("Knobs", "all-reduces are combined into one of up to this many bytes"),
    QT_TRANSLATE_NOOP("Knobs", "Overlap"),
    QT_TRANSLATE_NOOP("Knobs", "1: gradients are reduced during the backward pass; 0: after it"),
    // In sentences of remedies that change them: "Halve the partition: 2 MiB".
    QT_TRANSLATE_NOOP("Knobs", "partition"),
    QT_TRANSLATE_NOOP("Knobs", "bucket cap"),
    QT_TRANSLATE_NOOP("Knobs", "group threshold"),
    QT_TRANSLATE_NOOP("Knobs", "reduce bucket"),
    QT_TRANSLATE_NOOP("Knobs", "module size"),
    QT_TRANSLATE_NOOP("Knobs", "fusion buffer"),
    QT_TRANSLATE_NOOP("Knobs", "bucket size"),
    QT_TRANSLATE_NOOP("Knobs", "combine threshold"),
};

struct KnobNamesText {
    Q_DECLARE_TR_FUNCTIONS(KnobNames)
};

QString translated(const std::string &text) { return QCoreApplication::translate("Knobs", text.c_str()); }

/// As the engine words it for the policies that share the dimension; null for one of the cluster.
const PolicyKnob *policyKnobOf(const Dimension &dimension) {
    if (!dimension.policies.empty())
        for (const PolicyParameter &parameter : dimension.policies.back()->parameters)
            if (parameter.knob && parameter.knob->id == dimension.id)
                return &*parameter.knob;
    return nullptr;
}

} // namespace

QString knobName(const Dimension &dimension) { return translated(dimension.name); }

QString knobDescription(const Dimension &dimension) {
    const PolicyKnob *knob = policyKnobOf(dimension);
    if (knob == nullptr)
        return translated(dimension.description);
    QStringList names;
    for (const Policy *policy : dimension.policies)
        names += QString::fromStdString(policy->name);
    if (names.size() == 1)
        return KnobNamesText::tr("Policy %1: %2.").arg(names.first(), translated(knob->about));
    const QString last = names.takeLast();
    return KnobNamesText::tr("Policies %1 and %2: %3.").arg(names.join(QStringLiteral(", ")), last, translated(knob->about));
}

} // namespace syncopate::ui
