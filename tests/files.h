// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files and texts that tests write and read.

#include <QByteArray>
#include <QByteArrayView>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate::testing {

/// A file's bytes; empty if it cannot be read.
inline QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Writes a whole file, and creates its folder. Aborts the test program on failure.
inline void writeFile(const QString &path, QByteArrayView bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), bytes.size()) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// Whether one of `lines` (notes, assumptions, reasons) contains `text`.
inline bool mentions(const std::vector<std::string> &lines, std::string_view text) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string &line) { return line.find(text) != std::string::npos; });
}

/// A number as protobuf writes it.
inline std::string protobufVarint(std::uint64_t value) {
    std::string bytes;
    for (; value > 0x7f; value >>= 7)
        bytes += static_cast<char>((value & 0x7f) | 0x80);
    return bytes + static_cast<char>(value);
}

/// A length-delimited field of protobuf: a text, bytes or a message.
inline std::string protobufField(int number, const std::string &content) {
    return protobufVarint(static_cast<std::uint64_t>(number) << 3 | 2) + protobufVarint(content.size()) + content;
}

/// A field of protobuf that holds a number.
inline std::string protobufNumber(int number, std::uint64_t value) {
    return protobufVarint(static_cast<std::uint64_t>(number) << 3) + protobufVarint(value);
}

} // namespace syncopate::testing
