// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include <algorithm>
#include <utility>

namespace syncopate {

std::string Error::toString() const {
    std::string text;
    if (!file.empty()) {
        text += file;
        text += ':';
    }
    if (!place.empty()) {
        text += place;
        text += ':';
    }
    if (!text.empty())
        text += ' ';
    text += what;
    if (!remedy.empty()) {
        text += "; ";
        text += remedy;
    }
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
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
