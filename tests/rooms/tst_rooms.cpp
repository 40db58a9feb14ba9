// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the code base that a compiler does not check: docs/architecture.md.
#include "tests/checks.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

namespace {

/// From the bottom up: a room includes only itself and rooms before it in its list. Sub-folders belong to their room.
const QStringList engineRooms{"base",  "timeline", "parse",   "job",    "cluster", "strategy", "profile", "collective",
                              "graph", "plan",     "rewrite", "space",  "network", "simulate", "predict", "learn",
                              "cost",  "analyze",  "trial",   "search", "session", "store",    "export",  "query"};
const QStringList uiRooms{"theme",      "tables",    "tasks",   "timeline", "session", "knobs",
                          "variables",  "inspector", "why",     "topology", "runs",    "difference",
                          "throughput", "query",     "project", "export",   "help",    "window"};

/// The files in `top` that violate the rule, one per line; `files` counts all files read.
QStringList violations(const QString &top, const QStringList &rooms, int &files) {
    const QString root = QStringLiteral(SYNCOPATE_SOURCE "/") + top;
    const QRegularExpression include(QStringLiteral("#include \"%1/([a-z_]+)/").arg(top));
    QStringList found;
    QDirIterator it(root, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        const QString below = path.mid(root.size() + 1);
        const QString room = below.section('/', 0, 0);
        const auto place = rooms.indexOf(room);
        if (place < 0) {
            found += below + ": its room is not listed";
            continue;
        }
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) {
            found += below + ": cannot be read";
            continue;
        }
        ++files;
        const QString text = QString::fromUtf8(file.readAll());
        if (top == QLatin1String("engine") && text.contains(QRegularExpression(QStringLiteral("#include <(Q[A-Z]|qcustomplot)"))))
            found += below + ": includes Qt";
        for (auto match = include.globalMatch(text); match.hasNext();) {
            const QString other = match.next().captured(1);
            if (rooms.indexOf(other) < 0 || rooms.indexOf(other) > place)
                found += below + ": includes " + other;
        }
    }
    return found;
}

/// Types defined by two headers of `top` in one namespace: each compiles, but a program with both violates the one-definition
/// rule. "RecordedStep: engine/a.h, engine/b.h". `types` counts all types found.
QStringList definedTwice(const QString &top, int &types) {
    static const QRegularExpression space(QStringLiteral("^namespace ([\\w:]+) \\{"), QRegularExpression::MultilineOption);
    static const QRegularExpression type(
        QStringLiteral("^(?:template <.*> )?(?:struct|class|enum class) (\\w+)(?!\\w|::)[^;\\n]*\\{"),
        QRegularExpression::MultilineOption);
    QMap<QString, QStringList> headers;
    QDirIterator it(QStringLiteral(SYNCOPATE_SOURCE "/") + top, {"*.h"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QFile file(it.next());
        if (!file.open(QIODevice::ReadOnly))
            return {file.fileName() + ": cannot be read"};
        const QString text = QString::fromUtf8(file.readAll()), name = space.match(text).captured(1);
        for (auto match = type.globalMatch(text); match.hasNext(); ++types)
            headers[name + "::" + match.next().captured(1)] += file.fileName();
    }
    QStringList found;
    for (auto one = headers.constBegin(); one != headers.constEnd(); ++one)
        if (one->size() > 1)
            found += one.key() + ": " + one->join(", ");
    return found;
}

/// Where TRY stands within braces behind another member of an aggregate or list: GCC leaks that member when TRY returns
/// (engine/base/result.h). Relies on clang-format: a blank or the end of the line follows the brace of a block.
QStringList leakingTries(const QString &text) {
    static const QRegularExpression leak(
        QStringLiteral(R"(\{(?!\s)((?:[^(){};,]|(\((?:[^()]++|(?2))*+\))|(\{(?:[^{}]++|(?3))*+\}))*+,)+?)"
                       R"((?:[^;{}]|\{(?!\s))*?\bTRY\()"));
    QStringList found;
    for (auto match = leak.globalMatch(text); match.hasNext();)
        found += match.next().captured().simplified();
    return found;
}

} // namespace

class TestRooms : public QObject {
    Q_OBJECT

private slots:
    void roomsIncludeOnlyThoseAboveThem_data() {
        QTest::addColumn<QString>("top");
        QTest::addColumn<QStringList>("rooms");
        QTest::addColumn<int>("atLeast");
        QTest::newRow("engine") << "engine" << engineRooms << 200;
        QTest::newRow("ui") << "ui" << uiRooms << 100;
    }
    void roomsIncludeOnlyThoseAboveThem() {
        QFETCH(QString, top);
        QFETCH(QStringList, rooms);
        QFETCH(int, atLeast);
        int files = 0;
        const QStringList found = violations(top, rooms, files);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
        COMPARE_AT_LEAST(files, atLeast);
    }

    void typesAreDefinedOnce_data() {
        QTest::addColumn<QString>("top");
        QTest::addColumn<int>("atLeast");
        QTest::newRow("engine") << "engine" << 400;
        QTest::newRow("ui") << "ui" << 100;
    }
    void typesAreDefinedOnce() {
        QFETCH(QString, top);
        QFETCH(int, atLeast);
        int types = 0;
        const QStringList found = definedTwice(top, types);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
        COMPARE_AT_LEAST(types, atLeast);
    }

    /// The engine depends neither on the programs nor on the explorer, and the explorer not on the programs.
    void nothingDependsOnWhatIsAbove_data() {
        QTest::addColumn<QString>("top");
        QTest::addColumn<QStringList>("above");
        QTest::newRow("engine") << "engine" << QStringList{"ui", "app"};
        QTest::newRow("ui") << "ui" << QStringList{"app"};
    }
    void nothingDependsOnWhatIsAbove() {
        QFETCH(QString, top);
        QFETCH(QStringList, above);
        const QRegularExpression include(QStringLiteral("#\\s*include\\s*[\"<](?:\\.\\./)*(%1)/").arg(above.join('|')));
        QStringList found;
        QDirIterator it(QStringLiteral(SYNCOPATE_SOURCE "/") + top, {"*.h", "*.cpp", "*.in"}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            if (const auto match = include.match(QString::fromUtf8(file.readAll())); match.hasMatch())
                found += file.fileName() + ": includes " + match.captured(1);
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void noErrorLeaksAnAggregate() {
        QStringList found;
        for (const char *top : {"engine", "ui", "app"}) {
            QDirIterator it(QStringLiteral(SYNCOPATE_SOURCE "/") + top, {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (const QString &leak : leakingTries(QString::fromUtf8(file.readAll())))
                    found += file.fileName() + ": " + leak;
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }
    void leaksAreFound_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("leaks");
        QTest::newRow("behind a member") << "Run run{name, TRY(simulate(scenario))};" << 1;
        QTest::newRow("in a member's call") << "rows.push_back({tried[0].first, errorsIn(TRY(read(part)))});" << 1;
        QTest::newRow("in a member's braces") << "return Row{*kind, \"{} of {}\", {TRY(number(row)), 1}};" << 1;
        QTest::newRow("behind braces") << "Row row{{1, 2}, TRY(number(row))};" << 1;
        QTest::newRow("first") << "return Plan{TRY(planOf(arguments, TRY(load(options)))), knobs};" << 0;
        QTest::newRow("a call") << "return planOf(arguments, TRY(load(options)));" << 0;
        QTest::newRow("a block") << "if (a) { const int b = f(a, c), d = TRY(g()); }" << 0;
        QTest::newRow("a lambda") << "{\"name\", [](Line &line) -> Result<void> { return TRY(read(line)); }}" << 0;
    }
    void leaksAreFound() {
        QFETCH(QString, code);
        QFETCH(int, leaks);
        QCOMPARE(leakingTries(code).size(), leaks);
    }
};

QTEST_GUILESS_MAIN(TestRooms)
#include "tst_rooms.moc"
