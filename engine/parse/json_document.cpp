// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/json_document.h"

#include "engine/parse/byte_order_mark.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

class SyntaxErrorFinder {
public:
    /// `before`: bytes of the file before the text.
    SyntaxErrorFinder(std::size_t deepest, std::size_t before) : m_deepest(deepest), m_before(before) {}

    std::string find(const simdjson::padded_string &json) {
        simdjson::ondemand::parser parser;
        simdjson::ondemand::document document;
        if (const auto status = parser.iterate(json).get(document))
            return placeOf(structureError(status, json));
        simdjson::ondemand::value root;
        const bool whole = !document.get_value().get(root) && walk(root, 0);
        const char *location = nullptr;
        if (document.current_location().get(location))
            return whole ? std::string{} : placeOf(json.size());
        return placeOf(static_cast<std::size_t>(location - json.data()));
    }

private:
    [[nodiscard]] std::string placeOf(std::size_t byte) const { return fmt::format("byte {}", m_before + byte); }

    /// Where simdjson's first pass failed, which knows characters and strings but no values.
    static std::size_t structureError(simdjson::error_code status, const simdjson::padded_string &json) {
        const char *const text = json.data();
        const std::size_t size = json.size();
        if (status == simdjson::UTF8_ERROR)
            for (std::size_t i = 0, length = 0; i < size; i += length) {
                const auto lead = static_cast<unsigned char>(text[i]);
                length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
                if (length > size - i || !simdjson::validate_utf8(text + i, length))
                    return i;
            }
        if (status == simdjson::UNESCAPED_CHARS)
            for (std::size_t i = 0; i < size; ++i) {
                if (text[i] != '"')
                    continue;
                for (++i; i < size && text[i] != '"'; ++i) {
                    if (static_cast<unsigned char>(text[i]) < 0x20)
                        return i;
                    i += text[i] == '\\' ? 1 : 0;
                }
            }
        return size;
    }

    bool walk(simdjson::ondemand::value value, std::size_t depth) {
        simdjson::ondemand::json_type type{};
        if (depth > m_deepest || value.type().get(type))
            return false;
        switch (type) {
        case simdjson::ondemand::json_type::array: {
            simdjson::ondemand::array array;
            if (value.get_array().get(array))
                return false;
            for (auto item : array) {
                simdjson::ondemand::value child;
                if (item.get(child) || !walk(child, depth + 1))
                    return false;
            }
            return true;
        }
        case simdjson::ondemand::json_type::object: {
            simdjson::ondemand::object object;
            if (value.get_object().get(object))
                return false;
            for (auto field : object) {
                simdjson::ondemand::value child;
                if (field.error() || field.value().get(child) || !walk(child, depth + 1))
                    return false;
            }
            return true;
        }
        case simdjson::ondemand::json_type::number: {
            double number = 0;
            return !value.get_double().get(number);
        }
        case simdjson::ondemand::json_type::string: {
            std::string_view text;
            return !value.get_string().get(text);
        }
        case simdjson::ondemand::json_type::boolean: {
            bool flag = false;
            return !value.get_bool().get(flag);
        }
        default:
            return !value.is_null().error();
        }
    }

    std::size_t m_deepest, m_before;
};

} // namespace

tl::expected<simdjson::dom::element, JsonRefusal> parseJson(simdjson::dom::parser &parser, std::string_view json,
                                                            std::size_t deepest) {
    const std::size_t mark = json.size() - withoutByteOrderMark(json).size(); // simdjson takes it for a value
    const simdjson::padded_string padded(json.substr(mark));
    simdjson::dom::element root;
    simdjson::error_code status = parser.allocate(std::max<std::size_t>(json.size(), 64), deepest);
    if (!status)
        status = parser.parse(padded).get(root);
    if (status)
        return tl::unexpected(JsonRefusal{status, SyntaxErrorFinder(deepest, mark).find(padded)});
    return root;
}

} // namespace syncopate
