// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace syncopate {

namespace {

/// A part of an error's text, which may come from a file and have any length; line breaks are folded.
std::string shown(std::string part, std::size_t maxBytes) {
    std::replace_if(
        part.begin(), part.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return cutInMiddle(terminalText(part), maxBytes);
}

} // namespace

std::string Error::toString() const {
    constexpr std::size_t maxWhatBytes = 600, maxRemedyBytes = 1500; // remedies may list all choices
    std::string text;
    if (!file.empty())
        text += shown(file, maxWhatBytes) + ':';
    if (!place.empty())
        text += shown(place, maxShownNameBytes) + ':';
    if (!text.empty())
        text += ' ';
    text += shown(what, maxWhatBytes);
    if (!remedy.empty())
        text += "; " + shown(remedy, maxRemedyBytes);
    return text;
}

Unexpected fail(std::string what, std::string remedy, std::string file, std::string place) {
    return Unexpected(Error{std::move(what), std::move(remedy), std::move(file), std::move(place), ErrorKind::Input});
}

Unexpected cancelled(std::string file) {
    return Unexpected(Error{"cancelled", "start it again", std::move(file), {}, ErrorKind::Cancelled});
}

Unexpected internalError(std::string what) {
    return Unexpected(Error{std::move(what), "please report this with the files that led to it", {}, {}, ErrorKind::Internal});
}

Error inFile(Error error, const std::string &file) {
    if (error.file.empty())
        error.file = file;
    return error;
}

} // namespace syncopate
