// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/phrase.h"
#include "tests/checks.h"

#include <QTest>
#include <map>

using namespace syncopate;

class TestPhrase : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void englishIsThePatternWithItsValues() {
        QCOMPARE(Phrase().english(), std::string());
        QCOMPARE(phrase("the run begins").english(), std::string("the run begins"));
        QCOMPARE(phrase("Move %1 to %2", "fc1/kernel", std::string("10.0.0.2:CPU:0")).english(),
                 std::string("Move fc1/kernel to 10.0.0.2:CPU:0"));
        QCOMPARE(phrase("half of %1: %2", phrase("all %1", "three"), named("7 %")).english(),
                 std::string("half of all three: 7 %"));
    }

    /// Values are not interpreted: a name may look like a pattern.
    void valuesAreNoPatterns() {
        QCOMPARE(phrase("pull of %1, %2", "layer%2", "worker 0").english(), std::string("pull of layer%2, worker 0"));
        QCOMPARE(named("%1").english(), std::string("%1"));
        QCOMPARE(phrase("%1 %3 100 %", "a").english(), std::string("a %3 100 %")); // a missing value
        QCOMPARE(phrase("ends in %").english(), std::string("ends in %"));
    }

    void manyPartsAreJoined() {
        std::vector<Phrase> parts;
        std::string want;
        for (int part = 1; part <= 12; ++part) {
            parts.push_back(named("p" + std::to_string(part)));
            want += (part > 1 ? "; p" : "p") + std::to_string(part);
        }
        QCOMPARE(joined(parts, "; ").english(), want);
        QVERIFY(joined({}, "; ").isEmpty());
    }

    /// A language may order values differently; names stay, also names that are a text elsewhere.
    void languagesTranslatePatternsAlone() {
        const std::map<std::string, std::string> words{{"Move %1 to %2", "nach %2: %1"}, {"all variables", "alle Variablen"}};
        const auto german = [&](const std::string &text) { return words.contains(text) ? words.at(text) : text; };
        QCOMPARE(phrase("Move %1 to %2", phrase("all variables"), "all variables").in(german),
                 std::string("nach all variables: alle Variablen"));
        QCOMPARE(joined({phrase("all variables"), named("x")}, ", ").in(german), std::string("alle Variablen, x"));
    }
};

QTEST_APPLESS_MAIN(TestPhrase)
#include "tst_phrase.moc"
