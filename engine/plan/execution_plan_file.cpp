// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/plan/execution_plan.h"
#include "engine/plan/plan_json.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

using planjson::element;
using planjson::Place;

constexpr double maxGbits = 8e6; ///< 1e15 bytes/s: validateChannels()

Result<Slice> readSlice(element motif, std::string_view key, const Place &place) {
    Slice slice;
    if (!planjson::has(motif, key))
        return slice;
    std::vector<std::int64_t> values;
    TRY(planjson::forEach(motif, key, place, [&](element item, const Place &at) -> Result<void> {
        std::int64_t value = 0;
        if (item.get(value) || value < 0 || value > 65536)
            return at.refuse("a whole number from 0 to 65,536 is expected");
        values.push_back(value);
        return {};
    }));
    if (values.size() != 2 || values[0] >= values[1])
        return (place / key).refuse("[i, n] with i < n is expected");
    return Slice{static_cast<std::int32_t>(values[0]), static_cast<std::int32_t>(values[1])};
}

Result<ProcessGroup> readGroup(element motif, const Place &place) {
    ProcessGroup group = TRY(planjson::group(motif, place));
    if (!planjson::has(motif, "group"))
        return group;
    const element object = TRY(planjson::member(motif, "group", place));
    TRY(planjson::onlyKeys(object, {"size", "stride", "every"}, place / "group"));
    group.every = TRY(planjson::integer(object, "every", 1, 65536, place / "group"));
    return group;
}

/// The earlier motifs of its op that motif `number` waits for.
Result<std::vector<std::int32_t>> readAfter(element motif, std::int32_t number, const Place &place) {
    std::vector<std::int32_t> after;
    if (!planjson::has(motif, "after"))
        return after;
    TRY(planjson::forEach(motif, "after", place, [&](element before, const Place &at) -> Result<void> {
        std::int64_t value = 0;
        if (before.get(value) || value < 0 || value >= number)
            return at.refuse("the number of a motif before this one is expected");
        after.push_back(static_cast<std::int32_t>(value));
        return {};
    }));
    return after;
}

class PlanReader {
public:
    PlanReader(element root, const TrainingDag &dag, const std::string &file) : m_root(root), m_dag(dag), m_top{file, {}} {}

    Result<ExecutionPlan> read() {
        TRY(planjson::onlyKeys(m_root, {"name", "dag", "enforced", "channels", "execution_plan", "order"}, m_top));
        m_plan.name = TRY(planjson::text(m_root, "name", m_top));
        m_plan.dag = TRY(planjson::text(m_root, "dag", m_top));
        if (m_plan.dag != m_dag.name)
            return (m_top / "dag").refuse(fmt::format("the plan is for the DAG \"{}\", not for \"{}\"", m_plan.dag, m_dag.name));
        if (planjson::has(m_root, "enforced"))
            m_plan.enforced = TRY(planjson::flag(m_root, "enforced", m_top));
        TRY(planjson::forEach(m_root, "channels", m_top,
                              [this](element item, const Place &place) { return readChannel(item, place); }));
        TRY(validateChannels(m_plan.channels, m_top.file)); // before each is looked up in the orders
        TRY(readMotifs());
        TRY(readOrders());
        TRY(validatePlan(m_plan, m_dag, m_top.file));
        return std::move(m_plan);
    }

private:
    Result<void> readChannel(element item, const Place &place) {
        TRY(planjson::onlyKeys(item, {"name", "interface", "links", "gbits", "latency_seconds", "incast"}, place));
        Channel channel;
        channel.name = TRY(planjson::text(item, "name", place));
        if (planjson::has(item, "links"))
            channel.links = TRY(planjson::texts(item, "links", place));
        else
            channel.links = {planjson::has(item, "interface") ? TRY(planjson::text(item, "interface", place)) : channel.name};
        channel.bandwidthBytesPerSecond = bytesPerSecondFromGbits(TRY(planjson::number(item, "gbits", 1e-6, maxGbits, place)));
        if (planjson::has(item, "latency_seconds"))
            channel.latencySeconds = TRY(planjson::number(item, "latency_seconds", 0, 60, place));
        if (planjson::has(item, "incast"))
            channel.incast = TRY(planjson::number(item, "incast", 0, maxIncast, place));
        m_channels.emplace(channel.name, ChannelId(m_plan.channels.size()));
        m_plan.channels.push_back(std::move(channel));
        return {};
    }

    Result<void> readMotifs() {
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o)
            m_ops.emplace(m_dag.ops[o].name, DagOpId(o));
        const Place place = m_top / "execution_plan";
        simdjson::dom::object plans;
        if (TRY(planjson::member(m_root, "execution_plan", m_top)).get(plans))
            return place.refuse("this is not an object");
        std::map<DagOpId, element> byOp;
        for (const auto &[name, motifs] : plans) {
            const auto op = m_ops.find(std::string(name));
            if (op == m_ops.end())
                return place.refuse(fmt::format("there is no op \"{}\"", name));
            if (!byOp.emplace(op->second, motifs).second)
                return (place / name).refuse("the op is given twice");
        }
        for (const auto &[op, motifs] : byOp) {
            std::int32_t number = 0;
            TRY(planjson::forEach(motifs, place / m_dag.ops[op.index()].name,
                                  [&, o = op](element item, const Place &at) { return readMotif(item, o, number++, at); }));
        }
        return {};
    }

    Result<void> readMotif(element item, DagOpId op, std::int32_t number, const Place &at) {
        TRY(planjson::onlyKeys(item, {"motif", "kind", "segment", "spline", "group", "after", "channel"}, at));
        if (TRY(planjson::integer(item, "motif", 0, 1'000'000, at)) != number)
            return (at / "motif").refuse(fmt::format("motif {} is expected here", number));
        PlannedMotif planned{.op = op};
        const std::string kind = TRY(planjson::text(item, "kind", at));
        const auto known = collectiveFromName(kind);
        if (!known)
            return (at / "kind").refuse(fmt::format("the kind \"{}\" is not known", kind));
        planned.motif.kind = *known;
        planned.motif.segment = TRY(readSlice(item, "segment", at));
        planned.motif.spline = TRY(readSlice(item, "spline", at));
        planned.motif.group = TRY(readGroup(item, at));
        planned.motif.after = TRY(readAfter(item, number, at));
        planned.channel = TRY(channelNamed(TRY(planjson::text(item, "channel", at)), at / "channel"));
        m_motifs.emplace(std::pair(op, number), MotifId(m_plan.motifs.size()));
        m_plan.motifs.push_back(std::move(planned));
        return {};
    }

    Result<ChannelId> channelNamed(const std::string &name, const Place &place) const {
        const auto channel = m_channels.find(name);
        if (channel == m_channels.end())
            return place.refuse(fmt::format("there is no channel \"{}\"", name));
        return channel->second;
    }

    Result<void> readOrders() {
        m_plan.orders.resize(m_plan.channels.size());
        const Place place = m_top / "order";
        simdjson::dom::object orders;
        if (TRY(planjson::member(m_root, "order", m_top)).get(orders))
            return place.refuse("this is not an object");
        std::set<std::string_view> seen; // a channel that no motif runs on may be left out
        for (const auto &[name, entries] : orders) {
            const ChannelId channel = TRY(channelNamed(std::string(name), place));
            if (!seen.insert(name).second)
                return (place / name).refuse("the channel is given twice");
            TRY(planjson::forEach(entries, place / name,
                                  [&](element item, const Place &at) { return readEntry(item, channel, at); }));
        }
        return {};
    }

    Result<void> readEntry(element item, ChannelId channel, const Place &at) {
        TRY(planjson::onlyKeys(item, {"op", "motif", "iteration_offset"}, at));
        const std::string name = TRY(planjson::text(item, "op", at));
        const std::int32_t number = TRY(planjson::integer(item, "motif", 0, 1'000'000, at));
        const auto op = m_ops.find(name);
        const auto motif = op == m_ops.end() ? m_motifs.end() : m_motifs.find({op->second, number});
        if (motif == m_motifs.end())
            return at.refuse(fmt::format("\"{}\" has no motif {}", name, number));
        const std::int32_t offset = TRY(planjson::integer(item, "iteration_offset", -16, 16, at));
        m_plan.orders[channel.index()].push_back({motif->second, offset});
        return {};
    }

    element m_root;
    const TrainingDag &m_dag;
    Place m_top;
    ExecutionPlan m_plan;
    std::map<std::string, ChannelId> m_channels;                  ///< by name
    std::map<std::string, DagOpId> m_ops;                         ///< by name
    std::map<std::pair<DagOpId, std::int32_t>, MotifId> m_motifs; ///< by op and number
};

void writeMotif(JsonWriter &json, const PlannedMotif &planned, std::int32_t number, const ExecutionPlan &plan) {
    const auto slice = [&json](std::string_view key, const Slice &part) {
        json.key(key).beginArray().value(part.index).value(part.of).endArray();
    };
    json.beginObject().member("motif", number).member("kind", nameOf(planned.motif.kind));
    slice("segment", planned.motif.segment);
    slice("spline", planned.motif.spline);
    if (const ProcessGroup &group = planned.motif.group; group != ProcessGroup{}) {
        json.key("group").beginObject().member("size", group.size).member("stride", group.stride);
        json.member("every", group.every).endObject();
    }
    if (!planned.motif.after.empty()) {
        json.key("after").beginArray();
        for (const std::int32_t before : planned.motif.after)
            json.value(before);
        json.endArray();
    }
    json.member("channel", plan.channels[planned.channel.index()].name).endObject();
}

} // namespace

Result<ExecutionPlan> readExecutionPlanText(std::string_view json, const TrainingDag &dag, const std::string &file) {
    simdjson::dom::parser parser;
    return PlanReader(TRY(planjson::parse(parser, json, file)), dag, file).read();
}

Result<ExecutionPlan> readExecutionPlanFile(const std::string &path, const TrainingDag &dag) {
    return readExecutionPlanText(TRY(readInputFile(path)), dag, path);
}

std::string writeExecutionPlan(const ExecutionPlan &plan, const TrainingDag &dag) {
    JsonWriter json;
    json.beginObject().member("name", plan.name).member("dag", plan.dag);
    if (!plan.enforced)
        json.member("enforced", false);
    json.newLine().key("channels").beginArray();
    for (const Channel &channel : plan.channels) {
        json.newLine().beginObject().member("name", channel.name).key("links").beginArray();
        for (const std::string &link : channel.links)
            json.value(link);
        json.endArray().member("gbits", gbitsFromBytesPerSecond(channel.bandwidthBytesPerSecond));
        json.member("latency_seconds", channel.latencySeconds);
        if (channel.incast > 0)
            json.member("incast", channel.incast);
        json.endObject();
    }
    json.endArray().newLine().key("execution_plan").beginObject();
    const auto ranges = plan.rangesByOp(dag.ops.size());
    for (std::size_t o = 0; o < ranges.size(); ++o) {
        if (ranges[o].count == 0)
            continue;
        json.newLine().key(dag.ops[o].name).beginArray();
        for (std::int32_t m = 0; m < ranges[o].count; ++m)
            writeMotif(json, plan.motifs[ranges[o].at(m).index()], m, plan);
        json.endArray();
    }
    json.endObject().newLine().key("order");
    writeOrders(json, plan, dag);
    return json.endObject().newLine().take();
}

void writeOrders(JsonWriter &json, const ExecutionPlan &plan, const TrainingDag &dag) {
    const auto ranges = plan.rangesByOp(dag.ops.size());
    json.beginObject();
    for (std::size_t c = 0; c < plan.orders.size(); ++c) {
        json.newLine().key(plan.channels[c].name).beginArray();
        for (const OrderEntry &entry : plan.orders[c]) {
            const DagOpId op = plan.motifs[entry.motif.index()].op;
            json.beginObject().member("op", dag.ops[op.index()].name);
            json.member("motif", ranges[op.index()].numberOf(entry.motif));
            json.member("iteration_offset", entry.iterationOffset).endObject();
        }
        json.endArray();
    }
    json.endObject();
}

} // namespace syncopate
