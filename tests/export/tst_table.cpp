// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/export.h"
#include "engine/export/table.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A reader for RFC 4180 in a few lines, as Qt has none.
std::vector<std::vector<std::string>> parseCsv(const std::string &text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string &cell = rows.back().back();
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            cell += text[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ',')
            rows.back().emplace_back();
        else if (!quoted && c == '\n')
            rows.emplace_back(1);
        else
            cell += c;
    }
    rows.pop_back();
    return rows;
}

const Table &awkward() {
    static const Table table{
        {{"name"}, {"bytes, of all", true}},
        {{"a \"quoted\" name", "1"}, {"comma, tab\t and\nbreak", "-2"}, {"pipe | *star* _lead \\ <b>", "3"}, {"", "4"}}};
    return table;
}

} // namespace

class TestTable : public QObject {
    Q_OBJECT

private slots:
    void csvReadsBack() {
        const auto rows = parseCsv(writeTable(awkward(), TableFormat::Csv));
        QCOMPARE(rows.size(), std::size_t{5});
        QCOMPARE(rows[0], (std::vector<std::string>{"name", "bytes, of all"}));
        for (std::size_t r = 0; r < awkward().rows.size(); ++r)
            QCOMPARE(rows[r + 1], awkward().rows[r]);
    }

    void csvReadsBackInPython() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty())
            QSKIP("there is no python3");
        QTemporaryDir dir;
        const QString file = dir.filePath("t.csv");
        QVERIFY(writeFile(file.toStdString(), writeTable(awkward(), TableFormat::Csv)).has_value());
        QProcess process;
        process.start(python, {"-c", "import csv,sys\nfor r in csv.reader(open(sys.argv[1], newline='')): print(repr(r))", file});
        QVERIFY(process.waitForFinished(syncopate::testing::patience));
        const QByteArrayList lines = process.readAllStandardOutput().split('\n');
        QCOMPARE(lines.value(1), QByteArray("['a \"quoted\" name', '1']"));
        QCOMPARE(lines.value(2), QByteArray("['comma, tab\\t and\\nbreak', '-2']"));
        QCOMPARE(lines.value(3), QByteArray("['pipe | *star* _lead \\\\ <b>', '3']"));
    }

    void tsvHasOneLinePerRow() {
        const QByteArrayList lines = QByteArray::fromStdString(writeTable(awkward(), TableFormat::Tsv)).split('\n');
        QCOMPARE(lines.size(), 6);
        for (int l = 0; l < 5; ++l)
            QCOMPARE(lines[l].count('\t'), 1);
        QCOMPARE(lines[2], QByteArray("comma, tab\\t and\\nbreak\t-2"));
        QCOMPARE(lines[3], QByteArray("pipe | *star* _lead \\\\ <b>\t3"));
    }

    /// Pasted, "=1+1" in its quotes would be run, and a quote that none closes would take in the cells behind it.
    void tsvHasNoQuotedCells() {
        const Table table{{{"name"}, {"next"}}, {{"\"=1+1\"", "1"}, {"\"open", "=1+1"}, {"with \"quotes\"", "-3"}}};
        QCOMPARE(QString::fromStdString(writeTable(table, TableFormat::Tsv)),
                 QStringLiteral("name\tnext\n'\"=1+1\"\t1\n'\"open\t'=1+1\nwith \"quotes\"\t-3\n"));
        QCOMPARE(parseCsv(writeTable(table, TableFormat::Csv))[1][0], table.rows[0][0]); // CSV has quotes of its own
    }

    void markdownEscapesMarkup() {
        const QByteArrayList lines = QByteArray::fromStdString(writeTable(awkward(), TableFormat::Markdown)).split('\n');
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[1], QByteArray("| --- | ---: |"));
        QCOMPARE(lines[4], QByteArray("| pipe \\| \\*star\\* \\_lead \\\\ \\<b\\> | 3 |"));
        QVERIFY(lines[3].contains("tab\t and<br>break"));
        // Qt's own Markdown reader yields the same text.
        QCOMPARE(escapeMarkdown("layer_0/kernel:0"), std::string("layer_0/kernel:0"));
        QCOMPARE(escapeMarkdown("__init__"), std::string("\\_\\_init\\_\\_"));
    }

    void variablesOfARun() {
        Job job = chainJob({{0.1, 0.1, 10'000'000}, {0.1, 0.1, 20'000'000}});
        job.variables[1].name = "a, \"b\"";
        const auto run = simulate(scenario(job, servedCluster(1, 1e9), parameterServers(job, {"n1:CPU:0"})));
        QVERIFY(run.has_value());
        const auto rows = parseCsv(writeTable(variableTable(**run), TableFormat::Csv));
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[2][0], std::string("a, \"b\""));
        QCOMPARE(rows[2][4], std::string("80000000"));
        QCOMPARE(rows[2][12], std::string("0.160000000")); // push and pull of 80 MB at 1 GB/s
        QCOMPARE(writeTableCsv(**run), writeTable(variableTable(**run), TableFormat::Csv));
    }
};

QTEST_GUILESS_MAIN(TestTable)
#include "tst_table.moc"
