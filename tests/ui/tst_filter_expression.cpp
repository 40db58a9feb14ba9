// SPDX-License-Identifier: GPL-3.0-or-later
// Filter expressions of tables: their meaning, and the errors of invalid ones.
#include "tests/checks.h"
#include "ui/tables/filter_expression.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/theme.h"

#include <QTest>
#include <QtGlobal>
#include <array>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

const std::array<FilterField, 5> fields{{{QStringLiteral("name"), FilterField::Kind::Text},
                                         {QStringLiteral("where"), FilterField::Kind::Text},
                                         {QStringLiteral("iteration"), FilterField::Kind::Seconds},
                                         {QStringLiteral("bytes"), FilterField::Kind::Bytes},
                                         {QStringLiteral("servers"), FilterField::Kind::Number}}};

struct Row {
    QString name, where;
    double iteration, bytes, servers;
    [[nodiscard]] FilterValue value(std::size_t field) const {
        switch (field) {
        case 0:
            return name;
        case 1:
            return where.isEmpty() ? FilterValue() : FilterValue(where);
        case 2:
            return iteration;
        case 3:
            return bytes;
        default:
            return servers;
        }
    }
};

const std::vector<Row> rows{{QStringLiteral("bert/Embedding"), QStringLiteral("n0:CPU:0"), 0.0015, 4096, 1},
                            {QStringLiteral("bert/kernel or not"), {}, 0.040, 5e6, 3},
                            {QStringLiteral("head"), QStringLiteral("group 4"), NAN, 4.0 * 1024 * 1024, 8}};

} // namespace

class TestFilterExpression : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matches_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown"); // indices of rows, worked out by hand
        const auto row = [](const char *text, const char *shown) { QTest::newRow(text) << QString::fromUtf8(text) << shown; };
        row("", "012");
        row("   ", "012");
        row("iteration<2ms", "0");
        row("iteration < 2 ms", "0");
        row("iteration<=40ms", "01");
        row("iteration<40ms", "0");
        row("iteration>=0.04", "1");
        row("iteration!=1s", "01"); // a missing value satisfies no comparison
        row("!iteration!=1s", "2");
        row("bytes=4MiB", "2");
        row("bytes==4 MiB", "2");
        row("bytes>4KiB", "12");
        row("bytes>4 4", "2"); // more than 4 bytes, and a text with a 4
        row("iteration<1 4", "");
        row("iteration<1 e2", "");
        row("bytes>-1", "012");
        row("servers>2 bytes<4.5MiB", "2");
        row("servers>2 iteration<1s", "1");
        row("servers=1 or servers=8", "02");
        row("servers>2 bytes>=5MB or bytes=4096", "01");
        row("SERVERS>2", "12");
        row("bert", "01");
        row("BERT embed", "0");
        row("!bert", "2");
        row("group", "2"); // in any text field
        row("\"kernel or\"", "1");
        row("name~embed", "0");
        row("name~\" or\"", "1"); // a word begins so
        row("name~\" head\"", "2");
        row("name~\" \"", "1");
        row("where~\" n0:\"", "0");
        row("where~\" 0:\"", "");
        row("name=HEAD", "2");
        row("name!=head", "01");
        row("where=\"group 4\"", "2");
        row("where!=x", "02"); // row 1 has no value there
        row("name~\"\"", "012");
        row("or=1", "error");
        row("nothing", "");
    }
    void matches() {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        const auto expression = FilterExpression::parse(text, fields);
        if (shown == QStringLiteral("error")) {
            QVERIFY(!expression);
            return;
        }
        QVERIFY2(expression, expression ? "" : expression.error().toString().c_str());
        QString got;
        for (std::size_t r = 0; r < rows.size(); ++r)
            if (expression->matches([r](std::size_t field) { return rows[r].value(field); }))
                got += QString::number(r);
        QCOMPARE(got, shown);
    }

    /// Only a leading quotation mark quotes.
    void aWordMayHaveAQuotationMark() {
        const auto named = [](const char *name) {
            return [name](std::size_t) { return FilterValue(QString::fromLatin1(name)); };
        };
        for (const char *text : {"name~a\"b", "name=a\"b", "a\"b"}) {
            const auto expression = FilterExpression::parse(QString::fromLatin1(text), fields);
            QVERIFY2(expression, text);
            QVERIFY2(expression->matches(named("a\"b")) && !expression->matches(named("ab")), text);
        }
        const auto two = FilterExpression::parse(QStringLiteral("name~\"a\"b\""), fields); // name~a, and the word b"
        QVERIFY(two && two->matches(named("b\" a")) && !two->matches(named("b\"")));
    }

    void errorsSayWhatAndWhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *text, const char *place, const char *part) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(place) << QString::fromUtf8(part);
        };
        row("servrs>2", "character 1", "name, where, iteration, bytes, servers");
        row("bert size>2", "character 6", "there is no field 'size'");
        row("servers>", "character 9", "compared with nothing");
        row("servers> bytes<3", "character 10", "'bytes' is not a number");
        row("servers>two", "character 9", "'two' is not a number");
        row("servers>nan", "character 9", "not a number");
        row("iteration<2lightyears", "character 11", "ns");
        row("bytes<2ms", "character 7", "MiB");
        row("name<3", "character 6", "is text");
        row("servers~3", "character 9", "is a number");
        row(">3", "character 1", "no field before");
        row("!", "character 2", "after '!'");
        row("name=\"abc", "character 6", "not closed");
        row("\"abc", "character 1", "not closed");
        row("or servers>2", "character 1", "before 'or'");
        row("servers>2 or", "character 13", "after 'or'");
    }
    void errorsSayWhatAndWhere() {
        QFETCH(QString, text);
        QFETCH(QString, place);
        QFETCH(QString, part);
        const auto expression = FilterExpression::parse(text, fields);
        QVERIFY(!expression);
        QCOMPARE(QString::fromStdString(expression.error().place), place);
        QVERIFY2(QString::fromStdString(expression.error().toString()).contains(part), expression.error().toString().c_str());
        QVERIFY(!expression.error().remedy.empty());
    }

    void anythingTypedIsReadOrRefused() {
        // Every text of up to four of these pieces: no crash, no hang, and errors have a place.
        const QStringList pieces{QStringLiteral("servers"), QStringLiteral("<"), QStringLiteral("="), QStringLiteral("!"),
                                 QStringLiteral("\""),      QStringLiteral(" "), QStringLiteral("2"), QStringLiteral("ms"),
                                 QStringLiteral("or"),      QStringLiteral("ü~")};
        int refused = 0;
        for (const int texts : {1, 10, 100, 1000, 10000})
            for (int n = 0; n < texts; ++n) {
                QString text; // a piece for each digit of n, leading zeros too
                for (int place = 1, digits = n; place < texts; place *= 10, digits /= 10)
                    text += pieces[digits % 10];
                const auto expression = FilterExpression::parse(text, fields);
                if (!expression) {
                    ++refused;
                    QVERIFY(!expression.error().place.empty());
                } else {
                    (void)expression->matches([](std::size_t field) { return rows[0].value(field); });
                }
            }
        COMPARE_ABOVE(refused, 1000);
        QVERIFY(FilterExpression::parse(QString(1000000, QLatin1Char('!')), fields).has_value() == false);
    }

    void withoutTextFieldsAWordIsRefused() {
        const std::vector<FilterField> numbers{{QStringLiteral("servers"), FilterField::Kind::Number}};
        const auto expression = FilterExpression::parse(QStringLiteral("kernel"), numbers);
        QVERIFY(!expression);
        QVERIFY(expression.error().remedy.find("servers>2") != std::string::npos);
        for (const auto &[text, place] :
             {std::pair("kernel", "character 1"), {"\"kernel\"", "character 1"}, {"! \"k\"", "character 3"}})
            QCOMPARE(FilterExpression::parse(QLatin1String(text), numbers).error().place, std::string(place));
    }

    void lineKeepsTheLastGoodOne() {
        const Theme theme;
        FilterLine line(theme, {fields.begin(), fields.end()});
        int changes = 0;
        connect(&line, &FilterLine::expressionChanged, &line, [&changes] { ++changes; });
        const auto servers = [](double count) { return [count](std::size_t) { return FilterValue(count); }; };
        line.setText(QStringLiteral("servers>2"));
        QVERIFY(line.expression().matches(servers(3)));
        QVERIFY(!line.expression().matches(servers(2)));
        line.setText(QStringLiteral("servers>"));
        QVERIFY(line.error());
        QVERIFY(line.accessibleDescription().contains(QStringLiteral("compared with nothing")));
        QVERIFY(!line.expression().matches(servers(2)));
        line.clear();
        QVERIFY(!line.error());
        QVERIFY(line.expression().matches(servers(2)));
        QCOMPARE(changes, 2);
    }

    /// An expression that the columns no longer have is not in force: its numbers of fields would be those of others.
    void otherColumnsEndTheExpression() {
        const Theme theme;
        FilterLine line(theme, {fields.begin(), fields.end()});
        line.setText(QStringLiteral("servers>2"));
        QVERIFY(!line.expression().isEmpty());
        int changes = 0;
        connect(&line, &FilterLine::expressionChanged, &line, [&changes] { ++changes; });
        line.setFields({fields.front()});
        QVERIFY(line.error());
        QVERIFY(line.expression().isEmpty());
        QCOMPARE(changes, 1);
        line.setFields({fields.begin(), fields.end()});
        QVERIFY(!line.error() && !line.expression().isEmpty());
    }
};

QTEST_MAIN(TestFilterExpression)
#include "tst_filter_expression.moc"
