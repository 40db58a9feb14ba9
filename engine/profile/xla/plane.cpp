// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/xla/plane.h"

#include "engine/base/stoppable_sort.h"
#include "engine/profile/recording/recording_builder.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace syncopate::xplane {

namespace {

constexpr std::int64_t picosecondsOfNanosecond = 1000;
constexpr std::string_view startMark = "-start", updateMark = "-update", doneMark = "-done";

using Time = std::pair<std::int64_t, std::int64_t>; ///< ns, and ps after that

struct Found {
    Time begin, end;
    Part part;
    const Line *line;
    Event *event;
};

/// "all-reduce.3" from "%all-reduce.3 = f32[5,1024]{1,0} all-reduce(...)"; other names stay whole.
std::string_view shortName(std::string_view name) {
    if (!name.starts_with('%'))
        return name;
    return name.substr(1, name.find(" = ") == std::string_view::npos ? std::string_view::npos : name.find(" = ") - 1);
}

/// "(f32[4]{0}, f32[8]{0})" from "%all-gather-start.3 = (f32[4]{0}, f32[8]{0}) all-gather-start(...)"; empty where there is only
/// a name. The opcode of that text is "all-gather-start".
std::string_view shapeOf(std::string_view text) {
    const std::size_t equals = text.find(" = ");
    if (equals == std::string_view::npos)
        return {};
    text.remove_prefix(equals + 3);
    if (!text.starts_with('('))
        return text.substr(0, text.find(' '));
    std::size_t end = 0; // tuples nest, and layouts have brackets, too
    for (int depth = 0; end < text.size(); ++end) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        if (depth == 0)
            return text.substr(0, end + 1);
    }
    return text;
}

std::string_view opcodeOf(std::string_view text) {
    const std::string_view shape = shapeOf(text);
    if (shape.empty())
        return {};
    text.remove_prefix(static_cast<std::size_t>(shape.data() - text.data()) + shape.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text.substr(0, text.find('('));
}

/// Bytes of an array of that type and those dimensions ("f32", "5,1024"); nothing if they are not known.
std::optional<double> bytesOfArray(std::string_view type, std::string_view dims) {
    static const std::unordered_map<std::string_view, double> sizes{
        {"pred", 1}, {"s8", 1},  {"u8", 1},  {"s16", 2}, {"u16", 2}, {"f16", 2}, {"bf16", 2}, {"s32", 4},
        {"u32", 4},  {"f32", 4}, {"s64", 8}, {"u64", 8}, {"f64", 8}, {"c64", 8}, {"c128", 16}};
    const auto known = sizes.find(type);
    if (known == sizes.end())
        return std::nullopt;
    double bytes = known->second;
    while (!dims.empty()) {
        double size = 0;
        const auto [end, status] = std::from_chars(dims.data(), dims.data() + dims.size(), size);
        if (status != std::errc() || !(size >= 0))
            return std::nullopt;
        bytes *= size;
        dims.remove_prefix(static_cast<std::size_t>(end - dims.data()));
        if (dims.starts_with(','))
            dims.remove_prefix(1);
        else if (!dims.empty())
            return std::nullopt;
    }
    return bytes;
}

/// Bytes of the shape in an XLA op's text ("%x = f32[5,1024]{1,0} all-reduce(...)"), of a tuple those of all its arrays: XLA
/// combines collectives. Of a start op, whose tuple begins with its operands, those of the first array alone; the tuple of
/// all-reduce-start is its result. 0 if they are not known.
double bytesOfShape(std::string_view text) {
    const std::string_view shape = shapeOf(text), opcode = opcodeOf(text);
    const bool isFirstAlone = opcode.ends_with("-start") && opcode != "all-reduce-start";
    double bytes = 0;
    for (std::size_t open = shape.find('['); open != std::string_view::npos; open = shape.find('[', open + 1)) {
        const std::size_t before = shape.substr(0, open).find_last_not_of("abcdefghijklmnopqrstuvwxyz0123456789");
        const std::size_t from = before == std::string_view::npos ? 0 : before + 1, close = shape.find(']', open);
        const auto array = close == std::string_view::npos
                               ? std::nullopt
                               : bytesOfArray(shape.substr(from, open - from), shape.substr(open + 1, close - open - 1));
        if (!array)
            return 0;
        bytes += *array;
        if (isFirstAlone)
            break;
    }
    return bytes < 1e18 ? bytes : 0;
}

/// Whether a mark is in the name, as in "all-reduce-start" and "all-reduce-start.3".
bool isMarked(std::string_view name, std::string_view mark) {
    const std::size_t at = name.find(mark), after = at + mark.size();
    return at != std::string_view::npos && (after == name.size() || name[after] == '.');
}

/// The name of the start op (or of the update after it) whose transfer an update or a done op is of: its operand, which may have
/// another number, or without a text the op of the same number.
std::string startOf(std::string_view text, std::string_view mark) {
    const std::string_view name = shortName(text);
    const std::size_t call = text.find(std::string(mark) + '(', name.size());
    const std::size_t operand = call == std::string_view::npos ? call : text.find('%', call);
    if (operand != std::string_view::npos)
        return std::string(text.substr(operand + 1, text.find_first_of("), ", operand) - operand - 1));
    return std::string(name).replace(name.find(mark), mark.size(), startMark);
}

/// The number of each collective that has parts, by the names of its start and update ops. O(ops): no op is passed twice.
std::unordered_map<std::string_view, std::size_t> numbersOf(const Plane &plane) {
    std::unordered_map<std::string_view, std::string_view> before; // each update: the op that it follows
    for (const auto &[metadata, op] : plane.ops)
        if (op.part == Part::Update)
            before.emplace(op.name, op.startName);
    std::unordered_map<std::string_view, std::size_t> numbers;
    std::size_t count = 0;
    for (const auto &[metadata, op] : plane.ops) {
        if (op.part == Part::Whole)
            continue;
        std::vector<std::string_view> passed;
        std::string_view name = op.startName;
        while (numbers.try_emplace(name, count).second) { // ends in a circle of a damaged file's, too
            passed.push_back(name);
            const auto earlier = before.find(name);
            if (earlier == before.end())
                break;
            name = earlier->second;
        }
        const std::size_t number = numbers.at(name);
        for (const std::string_view each : passed)
            numbers[each] = number;
        count += number == count ? 1 : 0;
    }
    return numbers;
}

Time timeOf(const Line &line, std::int64_t offset) {
    return {line.timestamp + offset / picosecondsOfNanosecond, offset % picosecondsOfNanosecond};
}

/// Whether both ends of an event can be told in nanoseconds.
bool hasTime(const Line &line, const Event &event) {
    constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    return !event.isLeftOut && event.offset >= 0 && event.duration >= 0 && event.duration <= latest - event.offset &&
           line.timestamp >= -RecordingBuilder::maxTime && line.timestamp <= RecordingBuilder::maxTime;
}

/// Joins the parts of one collective, which is on its way once at a time; they are in the order of time.
void join(const std::vector<Found> &parts, Plane &plane) {
    const Found *open = nullptr; // a transfer that a done op may end
    const auto include = [&](const Found &part) {
        part.event->isLeftOut = true;
        if (part.part == Part::Done)
            plane.doneOf[open->event->metadata] = part.event->metadata;
    };
    for (const Found &part : parts) {
        const bool inWhole = open && open->part == Part::Whole && part.begin <= open->end;
        if (part.part == Part::Whole) {
            const Found *const before = std::exchange(open, &part);
            if (before && before->part == Part::Start && part.begin <= before->end)
                include(*before);
        } else if (inWhole || (part.part == Part::Update && open && open->line == part.line)) {
            include(part);
        } else if (part.part == Part::Start) {
            open = &part;
        } else if (open && open->part == Part::Start && open->line == part.line) {
            open->event->duration =
                std::max(open->event->duration, part.event->offset + part.event->duration - open->event->offset);
            include(part);
            open = nullptr;
        }
    }
}

} // namespace

Use useOf(const Plane &plane, const Line &line) {
    if (plane.name.starts_with("/device:") && plane.name.find("CUSTOM") == std::string::npos) {
        if (line.name.starts_with("Stream #") || line.name == "XLA Ops")
            return Use::Compute;
        if (line.name == "Steps")
            return Use::Steps;
        if (line.name == "Async XLA Ops")
            return Use::Asynchronous;
        return line.name == "XLA Modules" ? Use::Lane : Use::No;
    }
    return plane.name.starts_with("/host:CPU") ? Use::Lane : Use::No;
}

Op opOf(std::string_view text) {
    const std::string_view name = shortName(text), opcode = opcodeOf(text);
    const Category named = categoryOfKernel(text);
    Op op{.name = std::string(name.substr(0, Op::maxNameBytes)),
          .category = named == Category::OtherCompute ? categoryOfKernel(opcode) : named,
          .isControlFlow = opcode == "while" || opcode == "conditional" || opcode == "call"};
    if (!isCommunication(op.category))
        return op;
    op.resultBytes = bytesOfShape(text);
    if (isMarked(name, startMark)) {
        op.part = Part::Start;
        op.startName = op.name;
    }
    for (const auto &[mark, part] : {std::pair(updateMark, Part::Update), std::pair(doneMark, Part::Done)})
        if (isMarked(name, mark)) {
            op.part = part;
            op.startName = startOf(text, mark).substr(0, Op::maxNameBytes);
        }
    return op;
}

std::vector<bool> controlFlowIn(const Plane &plane, const Line &line, const std::stop_token &stop) {
    std::vector<bool> encloses(line.events.size(), false), mayEnclose(line.events.size(), false);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < line.events.size() && !stop.stop_requested(); ++i) {
        const Op *const op = plane.find(line.events[i].metadata);
        mayEnclose[i] = op && op->isControlFlow;
        if (hasTime(line, line.events[i]))
            order.push_back(i);
    }
    if (std::ranges::find(mayEnclose, true) == mayEnclose.end())
        return encloses;
    const auto key = [&](std::size_t i) { // an op before those inside it
        const Event &event = line.events[i];
        return std::tuple(event.offset, -event.duration, !mayEnclose[i], i);
    };
    sortUnlessStopped(
        order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); }, stop);
    std::vector<std::size_t> open; // ops that have not ended, each inside the one before it
    for (const std::size_t i : order) {
        if (stop.stop_requested())
            break;
        const auto isOver = [&](const Event &event) { return event.offset + event.duration <= line.events[i].offset; };
        while (!open.empty() && isOver(line.events[open.back()]))
            open.pop_back();
        if (!open.empty())
            encloses[open.back()] = mayEnclose[open.back()];
        open.push_back(i);
    }
    return encloses;
}

void joinAsyncCollectives(Plane &plane, const std::stop_token &stop) {
    const std::unordered_map<std::string_view, std::size_t> numbers = numbersOf(plane);
    std::unordered_map<std::int64_t, std::pair<std::size_t, Part>> partsNamed; // by metadata
    for (const auto &[metadata, op] : plane.ops)
        if (op.part != Part::Whole)
            partsNamed.emplace(metadata, std::pair(numbers.at(op.startName), op.part));
    if (partsNamed.empty())
        return;
    std::vector<std::vector<Found>> collectives(numbers.size()); // at most as many
    for (Line &line : plane.lines) {
        const Use use = useOf(plane, line);
        if (use != Use::Compute && use != Use::Asynchronous)
            continue;
        for (Event &event : line.events) {
            const auto known = partsNamed.find(event.metadata);
            if (known == partsNamed.end() || !hasTime(line, event))
                continue;
            const auto &[number, part] = known->second;
            if (use == Use::Asynchronous && part != Part::Start)
                continue; // has spans of start ops only
            collectives[number].push_back({timeOf(line, event.offset), timeOf(line, event.offset + event.duration),
                                           use == Use::Asynchronous ? Part::Whole : part, &line, &event});
        }
    }
    const auto earlier = [](const Found &a, const Found &b) { return std::pair(a.begin, a.part) < std::pair(b.begin, b.part); };
    for (std::vector<Found> &parts : collectives) {
        sortUnlessStopped(parts, earlier, stop);
        if (stop.stop_requested())
            return;
        join(parts, plane);
    }
}

} // namespace syncopate::xplane
