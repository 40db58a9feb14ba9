// SPDX-License-Identifier: GPL-3.0-or-later
// Names from files, printed to a terminal, a spreadsheet or another program: any bytes become harmless text.
#include "engine/base/csv.h"
#include "engine/base/json_writer.h"
#include "engine/base/result.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "tests/checks.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringDecoder>
#include <QtTest>
#include <random>

using namespace syncopate;

namespace {

bool isUtf8(const std::string &text) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(QByteArray::fromStdString(text));
    return !decoder.hasError() && decoded.toUtf8().toStdString() == text;
}

bool actsOnTerminal(const std::string &text) {
    const QString decoded = QString::fromStdString(text);
    return std::any_of(decoded.begin(), decoded.end(), [](QChar c) {
        return (c.unicode() < 0x20 && c != u'\n') || (c.unicode() >= 0x7f && c.unicode() < 0xa0) || c.unicode() == 0x202e;
    });
}

} // namespace

class TestText : public QObject {
    Q_OBJECT

private slots:
    void countsHaveTheirNumber() {
        QCOMPARE(counted(1, "worker"), std::string("1 worker"));
        QCOMPARE(counted(std::size_t{0}, "worker"), std::string("0 workers"));
        QCOMPARE(counted(2.5, "more job"), std::string("2.5 more jobs"));
    }

    void whatIsNotUtf8IsReplaced_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("wanted");
        const QByteArray unknown("\xef\xbf\xbd");
        QTest::newRow("ascii") << QByteArray("conv1.weight") << QByteArray("conv1.weight");
        QTest::newRow("two to four bytes") << QByteArray("\xc2\xb5s \xe2\x80\xa6 \xf0\x9f\x98\x80")
                                           << QByteArray("\xc2\xb5s \xe2\x80\xa6 \xf0\x9f\x98\x80");
        QTest::newRow("a stray byte") << QByteArray("a\xff"
                                                    "b")
                                      << "a" + unknown + "b";
        QTest::newRow("cut short") << QByteArray("\xe2\x80") << unknown + unknown;
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << unknown + unknown;
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << unknown + unknown + unknown;
        QTest::newRow("past the last") << QByteArray("\xf4\x90\x80\x80") << unknown + unknown + unknown + unknown;
    }
    void whatIsNotUtf8IsReplaced() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, wanted);
        QCOMPARE(QByteArray::fromStdString(validUtf8(bytes.toStdString(), unknownCharacter)), wanted);
    }

    void controlsAreShownAsText() {
        QCOMPARE(visibleText("\x1b]0;title\x07"), std::string("\\x1b]0;title\\x07"));
        QCOMPARE(visibleText("a\tb\r\n"), std::string("a\\tb\\r\\n"));
        QCOMPARE(visibleText("\xc2\x9b"
                             "31m\x7f"),
                 std::string("\\u009b31m\\x7f"));
        QCOMPARE(visibleText("\xe2\x80\xae"
                             "gnp"),
                 std::string("\\u202egnp"));
        QCOMPARE(visibleText("\xd8\x9c"
                             "gnp"),
                 std::string("\\u061cgnp"));
        QCOMPARE(visibleText("\xff"), std::string("\\xff"));
        QCOMPARE(visibleText("5 \xc2\xb5s"), std::string("5 \xc2\xb5s"));
    }

    void longNamesKeepBothEnds() {
        QCOMPARE(cutInMiddle("short", 200), std::string("short"));
        QCOMPARE(cutInMiddle("abcdefghij", 7), std::string("ab\u2026ij"));
        const std::string accents = std::string(100, 'a') + "\u00e9\u00e9\u00e9\u00e9" + std::string(100, 'b');
        for (std::size_t bytes = 4; bytes < 210; ++bytes) {
            const std::string cut = cutInMiddle(accents, bytes);
            COMPARE_AT_MOST(cut.size(), bytes);
            QVERIFY(isUtf8(cut));
        }
        const std::string table = terminalText("name  " + std::string(100'000, 'x') + "  5\nnext  1\n");
        COMPARE_BELOW(table.size(), 250);
        QVERIFY(table.ends_with("  5\nnext  1\n"));
    }

    void anErrorIsOneShortHarmlessLine() {
        const std::string hostile = "\x1b[2J\n" + std::string(100'000, 'n') + "\xff";
        const std::string text = Error{"layer '" + hostile + "' has no time", "add one", "/tmp/" + hostile, hostile}.toString();
        COMPARE_BELOW(text.size(), 1500);
        QVERIFY(isUtf8(text) && !actsOnTerminal(text) && text.find('\n') == std::string::npos);
        QVERIFY(text.find("\\x1b[2J") != std::string::npos && text.ends_with("' has no time; add one"));
        std::string words;
        for (int i = 0; i < 20'000; ++i)
            words += "name ";
        COMPARE_BELOW(Error({words, words, words, words}).toString().size(), 4000);
    }

    void anyBytesAreHarmless() {
        std::mt19937 random(7);
        for (int i = 0; i < 3000; ++i) {
            std::string bytes(random() % 40, ' ');
            for (char &c : bytes)
                c = static_cast<char>(random());
            QVERIFY(isUtf8(validUtf8(bytes, unknownCharacter)));
            const std::string shown = terminalText(bytes);
            QVERIFY(isUtf8(shown) && !actsOnTerminal(shown));
            JsonWriter json;
            const std::string text = json.beginObject().member("name", bytes).endObject().take();
            QVERIFY(isUtf8(text) && !actsOnTerminal(text));
            const auto read = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
            QCOMPARE(read["name"].toString(), QString::fromStdString(validUtf8(bytes, unknownCharacter)));
            QVERIFY(isUtf8(csvField(bytes)));
        }
    }

    void spreadsheetsRunNoCell_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("formula") << "=HYPERLINK(\"x\")"
                                 << "\"'=HYPERLINK(\"\"x\"\")\"";
        QTest::newRow("plus") << "+1+1"
                              << "\"'+1+1\"";
        QTest::newRow("minus") << "-cmd"
                               << "\"'-cmd\"";
        QTest::newRow("at") << "@SUM(A1)"
                            << "\"'@SUM(A1)\"";
        QTest::newRow("tab") << "\t=1"
                             << "\"'\t=1\"";
        QTest::newRow("negative number") << "-2.5e-3"
                                         << "-2.5e-3";
        QTest::newRow("no group") << "-1"
                                  << "-1";
        QTest::newRow("none") << "-"
                              << "-";
        QTest::newRow("inside") << "a=b"
                                << "a=b";
        QTest::newRow("comma") << "a,b"
                               << "\"a,b\"";
        QTest::newRow("carriage return") << "a\rb"
                                         << "\"a\rb\"";
    }
    void spreadsheetsRunNoCell() {
        QFETCH(QString, cell);
        QFETCH(QString, wanted);
        QCOMPARE(QString::fromStdString(csvField(cell.toStdString())), wanted);
    }
    void quotedFieldsOfALine() {
        const auto fields = [](std::string_view line) {
            QStringList texts;
            for (const std::string &field : splitQuotedCsvLine(line))
                texts << QString::fromStdString(field);
            return texts;
        };
        QCOMPARE(fields("a,b\r"), QStringList({"a", "b"}));
        QCOMPARE(fields(""), QStringList({""}));
        QCOMPARE(fields("\"PS(proxy=True,sync=False)\",1.5"), QStringList({"PS(proxy=True,sync=False)", "1.5"}));
        QCOMPARE(fields("\"say \"\"so\"\"\",,\"\""), QStringList({"say \"so\"", "", ""}));
        QCOMPARE(fields("5\" disk,b"), QStringList({"5\" disk", "b"})); // a quote inside an unquoted field is a character
    }

    void hugeFiguresAreShort() {
        QCOMPARE(formatSeconds(1e300), std::string("1.00e+300 s"));
        QCOMPARE(formatSeconds(-1e300), std::string("\u22121.00e+300 s"));
        QCOMPARE(formatSeconds(123456), std::string("123456 s"));
        constexpr double infinite = std::numeric_limits<double>::infinity(), unknown = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(formatIteration(1.4, 0.0028), std::string("1.4 s ±0.28 %"));
        QCOMPARE(formatIteration(1.4, 0.997), std::string("1.4 s ±100 %"));
        QCOMPARE(formatIteration(1.4, infinite), std::string("1.4 s (not steady)"));
        for (const double sure : {0.0, unknown})
            QCOMPARE(formatIteration(1.4, sure), std::string("1.4 s"));
        QVERIFY(!parseBytes("1e308 GiB").has_value());
    }

    void slowLinksHaveABandwidth() {
        for (const auto &[gbits, text] : {std::pair(0.004, "0.004 Gbit/s"),
                                          {0.0012345, "0.00123 Gbit/s"},
                                          {0.0094, "0.0094 Gbit/s"},
                                          {0.0149, "0.0149 Gbit/s"},
                                          {0.25, "0.25 Gbit/s"},
                                          {25.0, "25 Gbit/s"},
                                          {0.0, "0 Gbit/s"}})
            QCOMPARE(formatBandwidth(gbits * 1e9 / 8), std::string(text));
    }

    /// No figure widens a table, huge or not a number: 20 bytes, in any unit; 28 where every digit counts.
    void noFigureIsLong_data() {
        using limits = std::numeric_limits<double>;
        QTest::addColumn<double>("figure");
        for (const double figure :
             {1e300, limits::max(), limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), 999999.5})
            for (const double sign : {1.0, -1.0})
                QTest::addRow("%g", sign * figure) << sign * figure;
    }
    void noFigureIsLong() {
        QFETCH(double, figure);
        for (const std::string &text :
             {formatSeconds(figure), formatBytes(figure), formatBandwidth(figure), formatIteration(figure, 0)})
            COMPARE_AT_MOST(text.size(), 20, text);
        COMPARE_AT_MOST(formatExactBytes(figure).size(), 28, formatExactBytes(figure));
        for (const double sure : {figure, 0.003, std::numeric_limits<double>::infinity()})
            COMPARE_AT_MOST(formatIteration(figure, sure).size(), 40, formatIteration(figure, sure));
    }
};

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
