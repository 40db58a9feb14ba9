// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/job_file.h"

#include "engine/base/input_file.h"
#include "engine/base/text.h"
#include "engine/job/batch.h"
#include "engine/parse/json_document.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <simdjson.h>
#include <unordered_map>

namespace syncopate {

namespace {

using simdjson::dom::element;

constexpr std::size_t deepest = 32; ///< a job file needs 7 levels

std::string_view typeName(element value) {
    switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
        return "a list";
    case simdjson::dom::element_type::OBJECT:
        return "an object";
    case simdjson::dom::element_type::STRING:
        return "a text";
    case simdjson::dom::element_type::BOOL:
        return "a truth value";
    case simdjson::dom::element_type::NULL_VALUE:
        return "null";
    default:
        return "a number";
    }
}

/// Fills a Job. Every step returns false after a refusal; error() then holds the reason.
class JobReader {
public:
    bool read(element root) {
        std::optional<element> order;
        std::optional<bool> stated;
        m_job.batchSize = 0; // not known unless the file states it
        const bool ok =
            readObject(root, "",
                       {{"name", true, name(m_job.name)},
                        {"batch_size", false, batch()},
                        {"batch_stated", false, [&](element v, const std::string &p) { return flag(stated.emplace())(v, p); }},
                        {"layers", true, [this](element v, const std::string &p) { return readLayers(v, p); }},
                        {"update_seconds", false, number(m_job.updateSeconds)},
                        {"update_host_seconds", false, number(m_job.updateHostSeconds)},
                        {"host_seconds_per_byte_before_send", false, number(m_job.hostSecondsPerByteBeforeSend)},
                        {"host_seconds_per_byte_after_receive", false, number(m_job.hostSecondsPerByteAfterReceive)},
                        {"encode_seconds_per_byte", false, number(m_job.encodeSecondsPerByte)},
                        {"decode_seconds_per_byte", false, number(m_job.decodeSecondsPerByte)},
                        {"compression_ratio", false, number(m_job.compressionRatio)},
                        {"notes", false, [this](element v, const std::string &p) { return readNotes(v, p); }},
                        // Read by engine/profile/step_samples.h, which knows about steps of profiles.
                        {"step_samples", false, [](element, const std::string &) { return true; }},
                        {"variable_order", false, [&order](element v, const std::string &) {
                             order = v; // variables are needed, and may come later
                             return true;
                         }}});
        if (!ok || (order && !reorder(*order)))
            return false;
        if (stated.value_or(false) && !statesBatch(m_job))
            return refuse("batch_stated", "there is no batch size that this could refer to", "give batch_size, too");
        m_job.batchStated = stated.value_or(hasNoteOfStatedBatch(m_job));
        if (m_ignoredKeys > 0)
            m_job.notes.push_back(m_ignoredKeys == 1
                                      ? fmt::format("The job file's key {} is not known and was ignored.", m_ignoredKey)
                                      : fmt::format("{} keys of the job file are not known and were ignored, the first is {}.",
                                                    m_ignoredKeys, m_ignoredKey));
        return true;
    }
    Job takeJob() { return std::move(m_job); }
    Error takeError() { return std::move(m_error); }

private:
    using Handler = std::function<bool(element, const std::string &)>;
    struct Field {
        std::string_view name;
        bool required;
        Handler handler;
    };

    bool refuse(std::string place, std::string what, std::string remedy) {
        m_error = Error{std::move(what), std::move(remedy), {}, std::move(place)};
        return false;
    }
    bool refuseType(const std::string &place, element value, std::string_view expected) {
        return refuse(place.empty() ? "byte 0" : place, fmt::format("expected {}, found {}", expected, typeName(value)),
                      "see docs/job-file.md");
    }

    bool readObject(element value, const std::string &place, const std::vector<Field> &fields) {
        simdjson::dom::object object;
        if (value.get(object))
            return refuseType(place, value, "an object");
        std::vector<bool> seen(fields.size(), false);
        for (const auto &[key, child] : object) {
            std::size_t f = 0;
            while (f < fields.size() && fields[f].name != key)
                ++f;
            const std::string childPlace = place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
            if (f == fields.size()) {
                if (m_ignoredKeys++ == 0)
                    m_ignoredKey =
                        cutInMiddle(visibleText(childPlace), maxShownNameBytes); // comes from the file and is shown in a note
                continue;
            }
            if (seen[f])
                return refuse(childPlace, "the key is given twice", "keep one of them");
            seen[f] = true;
            if (!fields[f].handler(child, childPlace))
                return false;
        }
        for (std::size_t f = 0; f < fields.size(); ++f)
            if (fields[f].required && !seen[f])
                return refuse(place.empty() ? std::string(fields[f].name) : fmt::format("{}.{}", place, fields[f].name),
                              fmt::format("the field '{}' is missing", fields[f].name), "add it (docs/job-file.md)");
        return true;
    }

    bool readList(element value, const std::string &place, const Handler &readItem) {
        simdjson::dom::array array;
        if (value.get(array))
            return refuseType(place, value, "a list");
        std::size_t i = 0;
        for (const element item : array)
            if (!readItem(item, fmt::format("{}[{}]", place, i++)))
                return false;
        return true;
    }

    /// Reads a name. Control characters such as line breaks become visible: they could forge lines wherever the name is shown.
    Handler name(std::string &target) {
        return [read = text(target), &target](element value, const std::string &place) {
            const bool ok = read(value, place);
            target = visibleText(target);
            return ok;
        };
    }
    Handler text(std::string &target) {
        return [this, &target](element value, const std::string &place) {
            std::string_view read;
            if (value.get(read))
                return refuseType(place, value, "a text");
            target = read;
            return true;
        };
    }
    Handler flag(bool &target) {
        return [this, &target](element value, const std::string &place) {
            return !value.get(target) || refuseType(place, value, "true or false");
        };
    }
    /// Reads a finite number of 0 or more; validateJob() checks the upper limits.
    Handler number(double &target) {
        return [this, &target](element value, const std::string &place) {
            if (value.get(target))
                return refuseType(place, value, "a number");
            if (!std::isfinite(target) || target < 0)
                return refuse(place, fmt::format("{} is negative or not finite", target), "give a number that is 0 or more");
            return true;
        };
    }

    Handler batch() {
        return [this, read = number(m_job.batchSize)](element value, const std::string &place) {
            return read(value, place) && (m_job.batchSize > 0 || refuse(place, "the batch size is 0",
                                                                        "give the samples per worker and iteration, or leave "
                                                                        "the key out where they are not known"));
        };
    }

    bool readNotes(element value, const std::string &place) {
        return readList(value, place, [this](element item, const std::string &itemPlace) {
            return text(m_job.notes.emplace_back())(item, itemPlace);
        });
    }

    bool readLayers(element value, const std::string &place) {
        return readList(value, place, [this](element item, const std::string &itemPlace) { return readLayer(item, itemPlace); });
    }

    bool readLayer(element value, const std::string &place) {
        const auto index = static_cast<std::int32_t>(m_job.layers.size());
        Layer layer;
        if (index > 0)
            layer.parents = {index - 1};
        const bool ok = readObject(
            value, place,
            {{"name", true, name(layer.name)},
             {"forward_seconds", true, number(layer.forwardSeconds)},
             {"backward_seconds", true, number(layer.backwardSeconds)},
             {"forward_host_seconds", false, number(layer.forwardHostSeconds)},
             {"backward_host_seconds", false, number(layer.backwardHostSeconds)},
             {"parents", false, [this, &layer](element v, const std::string &p) { return readParents(v, p, layer); }},
             {"collectives", false,
              [this, &layer](element v, const std::string &p) {
                  return readList(v, p, [&](element item, const std::string &q) { return readCollective(item, q, layer); });
              }},
             {"variables", false, [this, &layer](element v, const std::string &p) {
                  return readList(v, p, [&](element item, const std::string &q) { return readVariable(item, q, layer); });
              }}});
        if (!ok)
            return false;
        const auto [known, fresh] = m_layerOfName.try_emplace(layer.name, index);
        if (!fresh)
            known->second = ambiguous;
        m_job.layers.push_back(std::move(layer));
        return true;
    }

    bool readCollective(element value, const std::string &place, Layer &layer) {
        CommOp op;
        std::string kind, pass = "forward";
        if (!readObject(value, place,
                        {{"kind", true, text(kind)}, {"size_bytes", true, number(op.sizeBytes)}, {"pass", false, text(pass)}}))
            return false;
        std::string names;
        bool known = false;
        for (const CollectiveKind each : {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter, CollectiveKind::AllGather,
                                          CollectiveKind::Reduce, CollectiveKind::Broadcast, CollectiveKind::AllToAll}) {
            names += (names.empty() ? "" : ", ") + std::string(nameOf(each));
            if (kind == nameOf(each)) {
                op.kind = each;
                known = true;
            }
        }
        if (!known)
            return refuse(place + ".kind", fmt::format("there is no collective '{}'", kind), fmt::format("use one of {}", names));
        if (pass != "forward" && pass != "backward")
            return refuse(place + ".pass", fmt::format("there is no pass '{}'", pass), "use forward or backward");
        op.backward = pass == "backward";
        layer.collectives.push_back(op);
        return true;
    }

    bool readParents(element value, const std::string &place, Layer &layer) {
        layer.parents.clear();
        const auto count = static_cast<std::int64_t>(m_job.layers.size());
        return readList(value, place, [&](element item, const std::string &itemPlace) {
            std::string_view name;
            std::int64_t index = 0;
            if (!item.get(name)) {
                const auto known = m_layerOfName.find(visibleText(name));
                if (known == m_layerOfName.end())
                    return refuse(itemPlace, fmt::format("no earlier layer is named '{}'", name),
                                  "name a layer that comes before this one");
                if (known->second == ambiguous)
                    return refuse(itemPlace, fmt::format("several layers are named '{}'", name),
                                  "give them different names, or the parent's index");
                index = known->second;
            } else if (item.get(index))
                return refuseType(itemPlace, item, "a layer's name or index");
            if (index < 0 || index >= count)
                return refuse(itemPlace, fmt::format("layer {} does not come before this one", index),
                              "list layers in forward order");
            layer.parents.push_back(static_cast<std::int32_t>(index));
            return true;
        });
    }

    bool readVariable(element value, const std::string &place, Layer &layer) {
        Variable variable;
        const auto readType = [this, &variable](element v, const std::string &p) {
            std::string_view name;
            if (v.get(name))
                return refuseType(p, v, "the name of a data type");
            const Result<DataType> type = dataTypeFromName(name);
            if (!type)
                return refuse(p, type.error().what, type.error().remedy);
            variable.dtype = *type;
            return true;
        };
        const auto readDimension = [this, &variable](element v, const std::string &p) {
            std::int64_t dimension = 0;
            if (v.get(dimension))
                return refuseType(p, v, "a whole number");
            if (dimension < 1)
                return refuse(p, fmt::format("a dimension of {}", dimension), "dimensions are 1 or more");
            variable.shape.push_back(dimension);
            return variable.shape.size() <= 64 || refuse(p, "more than 64 dimensions", "check the shape");
        };
        const bool ok =
            readObject(value, place,
                       {{"name", true, name(variable.name)},
                        {"shape", true, [&](element v, const std::string &p) { return readList(v, p, readDimension); }},
                        {"dtype", false, readType},
                        {"sparse", false, flag(variable.sparse)},
                        {"rows_touched", false, number(variable.rowsTouched)},
                        {"control_flow", false, flag(variable.controlFlow)}});
        if (!ok)
            return false;
        const auto index = static_cast<std::int32_t>(m_job.variables.size());
        if (variable.name.empty())
            return refuse(place + ".name", "a variable has no name", "name it");
        if (!m_variableOfName.try_emplace(variable.name, index).second)
            return refuse(place + ".name", fmt::format("two variables are named '{}'", variable.name),
                          "give every variable its own name");
        layer.variables.push_back(index);
        m_job.variables.push_back(std::move(variable));
        return true;
    }

    /// Variables were read in layer order; `order` names them in registration order.
    bool reorder(element order) {
        std::vector<std::int32_t> newIndex(m_job.variables.size(), -1);
        std::vector<Variable> sorted;
        const bool ok = readList(order, "variable_order", [&](element item, const std::string &place) {
            std::string_view name;
            if (item.get(name))
                return refuseType(place, item, "the name of a variable");
            const auto known = m_variableOfName.find(visibleText(name));
            if (known == m_variableOfName.end())
                return refuse(place, fmt::format("no layer has a variable '{}'", name), "name variables of the layers above");
            std::int32_t &target = newIndex[static_cast<std::size_t>(known->second)];
            if (target >= 0)
                return refuse(place, fmt::format("'{}' is listed twice", name), "list every variable once");
            target = static_cast<std::int32_t>(sorted.size());
            sorted.push_back(m_job.variables[static_cast<std::size_t>(known->second)]);
            return true;
        });
        if (!ok)
            return false;
        if (sorted.size() != m_job.variables.size())
            return refuse("variable_order", fmt::format("{} of {} variables are listed", sorted.size(), m_job.variables.size()),
                          "list every variable once, or leave the key out");
        m_job.variables = std::move(sorted);
        for (Layer &layer : m_job.layers)
            for (std::int32_t &variable : layer.variables)
                variable = newIndex[static_cast<std::size_t>(variable)];
        return true;
    }

    static constexpr std::int32_t ambiguous = -2;
    Job m_job;
    Error m_error;
    std::unordered_map<std::string, std::int32_t> m_layerOfName;
    std::unordered_map<std::string, std::int32_t> m_variableOfName;
    std::size_t m_ignoredKeys = 0;
    std::string m_ignoredKey;
};

} // namespace

Result<Job> readJobText(std::string_view json, const std::string &file) {
    simdjson::dom::parser parser;
    const auto root = parseJson(parser, json, deepest);
    if (!root) {
        const auto &[status, place] = root.error();
        if (status == simdjson::EMPTY)
            return fail("the file is empty", "write a job file (docs/job-file.md)", file, "byte 0");
        if (status == simdjson::DEPTH_ERROR)
            return fail(fmt::format("lists and objects are nested more than {} deep", deepest), "see docs/job-file.md", file,
                        place);
        return fail(fmt::format("this is not JSON: {}", simdjson::error_message(status)), "correct the text there", file, place);
    }
    JobReader reader;
    if (!reader.read(*root))
        return Unexpected(inFile(reader.takeError(), file));
    Job job = reader.takeJob();
    TRY(validateJob(job, file));
    return job;
}

Result<Job> readJobFile(const std::string &path) {
    const auto text = TRY(readInputFile(path));
    return readJobText(text, path);
}

} // namespace syncopate
