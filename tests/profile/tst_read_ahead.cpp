// SPDX-License-Identifier: GPL-3.0-or-later
// Text decompressed on a separate thread equals the original text, in pieces of any size.
#include "engine/base/rng.h"
#include "engine/parse/json_stream.h"
#include "engine/parse/read_ahead.h"
#include "tests/checks.h"
#include "tests/profile/tiny_trace.h"

#include <QTest>
#include <utility>

using namespace syncopate;

namespace {

/// Text of `size` bytes that compresses about as well as a trace does.
std::string textOf(std::size_t size) {
    Rng rng(7);
    std::string text(size, ' ');
    for (char &c : text)
        c = static_cast<char>('a' + rng.next() % 12);
    return text;
}

struct Read {
    std::string text;
    std::optional<Error> error;
};

/// Gives blanks once, and then cannot be read on.
class BreaksOff : public ByteSource {
public:
    Result<std::size_t> read(char *into, std::size_t) override {
        if (std::exchange(m_isBroken, true))
            return fail("the gzip data is damaged");
        *into = ' ';
        return std::size_t{1};
    }
    [[nodiscard]] bool isCompressed() const override { return true; }

private:
    bool m_isBroken = false;
};

Read readAll(ByteSource &source, std::size_t atOnce) {
    Read all;
    std::string piece(atOnce, '\0');
    while (true) {
        const auto got = source.read(piece.data(), piece.size());
        if (!got)
            all.error = got.error();
        if (!got || *got == 0)
            return all;
        all.text.append(piece, 0, *got);
    }
}

} // namespace

class TestReadAhead : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameText_data() {
        QTest::addColumn<int>("size");
        for (const int size : {0, 1, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 5'000'001})
            QTest::addRow("%d bytes", size) << size;
    }
    void sameText() {
        QFETCH(int, size);
        const std::string text = textOf(static_cast<std::size_t>(size)), packed = tiny::gzip(text);
        for (const std::size_t atOnce : {4099U, 1U << 19U, 5'000'000U}) {
            const auto source = ByteSource::fromMemory(packed);
            const Read read = readAll(*source, atOnce);
            QVERIFY(!read.error);
            QVERIFY(read.text == text);
            char more;
            QCOMPARE(source->read(&more, 1).value_or(1), std::size_t{0}); // and stays at the end
        }
    }

    /// Damage far into the file is an error with its position, after only correct text; reading again gives the same error.
    void damaged() {
        const std::string text = textOf(9'000'001);
        std::string packed = tiny::gzip(text);
        packed.resize(packed.size() * 2 / 3);
        const auto source = ByteSource::fromMemory(packed);
        const Read read = readAll(*source, 1 << 16);
        QVERIFY(read.error);
        QCOMPARE(QString::fromStdString(read.error->what), QString("the gzip data is cut off"));
        COMPARE_ABOVE(read.text.size(), 4'000'000);
        COMPARE_BELOW(read.text.size(), 6'100'000);
        QVERIFY(text.starts_with(read.text));
        char more;
        QVERIFY(!source->read(&more, 1));
    }

    /// Text of which nothing but blanks could be read is not at its end.
    void damagedInBlanks() {
        BreaksOff source;
        JsonStream stream(source, {});
        const auto ended = stream.atEnd();
        QVERIFY(!ended);
        QVERIFY2(ended.error().what == "the gzip data is damaged", ended.error().what.c_str());
        const auto whole = ByteSource::fromMemory(" \n");
        JsonStream blanks(*whole, {});
        QVERIFY(blanks.atEnd().value_or(false));
    }

    /// Destroying the source ends its thread, whether that is waiting for room or working.
    void abandoned() {
        const std::string packed = tiny::gzip(textOf(20'000'000));
        for (const std::size_t taken : {std::size_t{0}, std::size_t{1} << 20, std::size_t{3} << 20}) {
            const auto source = ByteSource::fromMemory(packed);
            QCOMPARE(readHead(*source, taken + 10).value_or(std::string()).size(), taken + 10);
        }
    }
};

QTEST_APPLESS_MAIN(TestReadAhead)
#include "tst_read_ahead.moc"
