// SPDX-License-Identifier: GPL-3.0-or-later
// The form of an expression: one field for each declared argument, for any declarations.
#include "engine/base/glossary.h"
#include "engine/search/search_methods.h"
#include "tests/checks.h"
#include "ui/runs/argument_sheet.h"
#include "ui/theme/explained.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <utility>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Two methods that the engine does not have, with an argument of each kind.
const std::vector<ExpressionInfo> &strangeMethods() {
    static const std::vector<ExpressionInfo> methods{
        {"climb",
         "Hill climbing",
         {{"steps", ArgumentKind::Integer, "12", 1, 50, {}, "steps", "Steps uphill"},
          {"width", ArgumentKind::Range, "2..4", 1, 9, {}, "cells", "Neighbours looked at"},
          {"buffer", ArgumentKind::Bytes, "100KB", 1, 1048576, {}, "bytes", "Bytes looked at"},
          {"restart", ArgumentKind::Flag, "off", 0, 0, {}, "", "Starts again on a summit"},
          {"start", ArgumentKind::Choice, "middle", 0, 0, {"low", "middle", "high"}, "", "Where it starts"}}},
        {"sit", "Stays where it is", {}},
        {"follow",
         "Goes where another one goes",
         {{"steps", ArgumentKind::Integer, "3", 1, 9, {}, "steps", "Steps behind"}},
         "guide"}};
    return methods;
}

std::vector<QSpinBox *> boxesOf(const ArgumentSheet &sheet, const char *argument) {
    const QList<QSpinBox *> found = sheet.field(argument)->findChildren<QSpinBox *>();
    return {found.begin(), found.end()};
}

} // namespace

class TestArgumentSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A field explains the term that names it, and the terms in its help, in the glossary's words.
    void termsAreExplainedWhereTheyStand() {
        ArgumentSheet sheet(searchMethods(), QStringLiteral("Method"));
        QVERIFY(sheet.setText("random()"));
        const std::pair<const char *, const char *> terms[] = {{"whole", "Whole"}, {"split", "Split"}, {"slack", "Slack"},
                                                               {"slack", "c_lb"},  {"merge", "c_am"},  {"shares", "Shares"}};
        for (const auto &[argument, term] : terms) {
            const QString entry = explained(term), tip = sheet.field(argument)->toolTip();
            QVERIFY2(!entry.isEmpty() && tip.contains(entry), qPrintable(QString::fromUtf8(term) + ": " + tip));
            QVERIFY2(!entry.contains(QRegularExpression("[*`\\[\\]_]")), qPrintable(entry)); // a tooltip shows Markdown as it is
        }
        QVERIFY(!sheet.field("groups")->toolTip().contains(explained("c_lb")));
    }

    /// Every method's arguments have a field with their help, also where the glossary has no such term.
    void everyMethodHasItsSheet() {
        ArgumentSheet sheet(searchMethods(), QStringLiteral("Method"));
        int unknown = 0;
        for (const ExpressionInfo &method : searchMethods()) {
            sheet.nameBox().setCurrentText(QString::fromStdString(method.name));
            for (const ArgumentInfo &argument : method.arguments) {
                const QWidget *field = sheet.field(argument.name);
                QVERIFY2(field && field->toolTip().contains(QString::fromStdString(argument.help)), argument.name.c_str());
                QString heading = QString::fromStdString(argument.name);
                heading.front() = heading.front().toUpper();
                unknown += findGlossaryText(heading.toStdString()).empty() ? 1 : 0;
            }
        }
        COMPARE_ABOVE(unknown, 0);
    }

    void everyKindHasAFieldThatWritesItsArgument() {
        const ArgumentSheet sheet(strangeMethods(), QStringLiteral("Method"));
        QCOMPARE(sheet.text(), std::string("climb()"));
        auto *steps = qobject_cast<QSpinBox *>(sheet.field("steps"));
        QVERIFY(steps);
        QCOMPARE(steps->value(), 12);
        QCOMPARE(steps->minimum(), 1);
        QCOMPARE(steps->maximum(), 50);
        steps->setValue(20);
        QCOMPARE(sheet.text(), std::string("climb(steps=20)"));
        const auto width = boxesOf(sheet, "width");
        QCOMPARE(width.size(), std::size_t(2));
        width[1]->setValue(7);
        QCOMPARE(sheet.text(), std::string("climb(steps=20,width=2..7)"));
        auto *buffer = qobject_cast<QLineEdit *>(sheet.field("buffer"));
        QVERIFY(buffer);
        QCOMPARE(buffer->text(), QStringLiteral("100KB"));
        buffer->setText(QStringLiteral("64 KiB"));
        auto *restart = qobject_cast<QCheckBox *>(sheet.field("restart"));
        QVERIFY(restart && !restart->isChecked());
        restart->setChecked(true);
        auto *start = qobject_cast<QComboBox *>(sheet.field("start"));
        QVERIFY(start);
        QCOMPARE(start->currentText(), QStringLiteral("middle"));
        start->setCurrentText(QStringLiteral("high"));
        QCOMPARE(sheet.text(), std::string("climb(steps=20,width=2..7,buffer=64KiB,restart=on,start=high)"));
        steps->setValue(12); // a default is not written
        QCOMPARE(sheet.text(), std::string("climb(width=2..7,buffer=64KiB,restart=on,start=high)"));
        QVERIFY(sheet.problem().isEmpty());
    }

    /// A size that means "never" is shown and written as its word, any other as a size.
    void aDefaultMayHaveAWord() {
        ArgumentSheet sheet(searchMethods(), QStringLiteral("Method"));
        QVERIFY(sheet.setText("random()").has_value());
        auto *split = qobject_cast<QLineEdit *>(sheet.field("split"));
        QVERIFY(split);
        QCOMPARE(split->text(), QStringLiteral("off"));
        QVERIFY2(split->toolTip().contains(QStringLiteral("Default: off")), qPrintable(split->toolTip()));
        split->setText(QStringLiteral("3MB"));
        QCOMPARE(sheet.text(), std::string("random(split=3MB)"));
        split->setText(QStringLiteral("off"));
        QCOMPARE(sheet.text(), std::string("random()"));
        QVERIFY(sheet.problem().isEmpty());
        QVERIFY(sheet.setText("random(100KB,off,2..8)").has_value()); // also by position
        QCOMPARE(sheet.text(), std::string("random(parts=2..8)"));
        QVERIFY(!sheet.setText("random(whole=off)").has_value()); // has no such word
        QVERIFY(!sheet.setText("random(split=never)").has_value());
    }

    /// A number without a unit, such as a seed, has no blank in its place.
    void aNumberMayHaveNoUnit() {
        const std::vector<ExpressionInfo> methods{{"drift",
                                                   "Goes anywhere",
                                                   {{"seed", ArgumentKind::Integer, "1", 0, 9, {}, "", "Where to"},
                                                    {"steps", ArgumentKind::Integer, "3", 1, 8, {}, "steps", "How far"}}}};
        const ArgumentSheet sheet(methods, QStringLiteral("Method"));
        const auto *seed = qobject_cast<QSpinBox *>(sheet.field("seed")), *steps = qobject_cast<QSpinBox *>(sheet.field("steps"));
        QVERIFY(seed && steps);
        QCOMPARE(seed->suffix(), QString());
        QVERIFY2(seed->toolTip().contains(QStringLiteral("0 to 9.")), qPrintable(seed->toolTip()));
        QCOMPARE(steps->suffix(), QStringLiteral(" steps"));
        QVERIFY2(steps->toolTip().contains(QStringLiteral("1 to 8 steps.")), qPrintable(steps->toolTip()));
    }

    void everyMethodOfTheEngineIsReadBackAsItWasWritten() {
        ArgumentSheet sheet(searchMethods(), QStringLiteral("Method"));
        for (const ExpressionInfo &method : searchMethods()) {
            QVERIFY(sheet.setText(method.name + "()").has_value());
            QCOMPARE(sheet.text(), method.name + "()");
        }
        const std::string text = "random(whole=98KiB,parts=3..8,merge=off,synchronisers=ps)";
        QVERIFY(sheet.setText(text).has_value());
        QCOMPARE(sheet.text(), text);
        QCOMPARE(qobject_cast<QLineEdit *>(sheet.field("whole"))->text(), QStringLiteral("98KiB"));
    }

    void whatCannotBeReadIsToldAndChangesNothing() {
        ArgumentSheet sheet(strangeMethods(), QStringLiteral("Method"));
        QSignalSpy changed(&sheet, &ArgumentSheet::changed);
        auto *buffer = qobject_cast<QLineEdit *>(sheet.field("buffer"));
        buffer->setText(QStringLiteral("a lot"));
        QCOMPARE(changed.count(), 1);
        QVERIFY2(sheet.problem().contains(QStringLiteral("buffer")), qPrintable(sheet.problem()));
        QCOMPARE(sheet.text(), std::string("climb()"));
        buffer->setText(QStringLiteral("2MiB"));
        QVERIFY2(sheet.problem().contains(QStringLiteral("1MiB")), qPrintable(sheet.problem()));
        buffer->clear(); // empty means the default
        QVERIFY(sheet.problem().isEmpty());
        boxesOf(sheet, "width")[0]->setValue(9); // above its other end
        QVERIFY2(sheet.problem().contains(QStringLiteral("width")), qPrintable(sheet.problem()));
        boxesOf(sheet, "width")[1]->setValue(9);
        QVERIFY(sheet.problem().isEmpty());
        QCOMPARE(sheet.text(), std::string("climb(width=9..9)"));

        for (const char *wrong : {"climb(steps=51)", "climb(height=3)", "fly()", "climb("}) {
            QVERIFY2(!sheet.setText(wrong).has_value(), wrong);
            QCOMPARE(sheet.text(), std::string("climb(width=9..9)"));
        }
    }

    /// A required text has a field before the arguments, and no default replaces it.
    void theSubjectIsAskedFor() {
        ArgumentSheet sheet(strangeMethods(), QStringLiteral("Method"));
        QVERIFY(!sheet.field("guide"));
        sheet.nameBox().setCurrentText(QStringLiteral("follow"));
        auto *guide = qobject_cast<QLineEdit *>(sheet.field("guide"));
        QVERIFY(guide);
        QVERIFY(guide->text().isEmpty());
        QVERIFY2(sheet.problem().contains(QStringLiteral("guide")), qPrintable(sheet.problem()));
        guide->setText(QStringLiteral("  old 'Tenzing' "));
        QVERIFY2(sheet.problem().isEmpty(), qPrintable(sheet.problem()));
        qobject_cast<QSpinBox *>(sheet.field("steps"))->setValue(5);
        const std::string text = "follow(\"old 'Tenzing'\",steps=5)";
        QCOMPARE(sheet.text(), text);
        guide->setText(QStringLiteral("'a' \"b\""));
        QVERIFY2(sheet.problem().contains(QStringLiteral("quotes")), qPrintable(sheet.problem()));
        guide->clear();
        QVERIFY(!sheet.problem().isEmpty());
        QCOMPARE(sheet.text(), text);

        sheet.nameBox().setCurrentText(QStringLiteral("sit"));
        QVERIFY(!sheet.field("guide"));
        QVERIFY(sheet.problem().isEmpty());
        QVERIFY(sheet.setText("follow('me')").has_value());
        QCOMPARE(qobject_cast<QLineEdit *>(sheet.field("guide"))->text(), QStringLiteral("me"));
        QVERIFY(sheet.problem().isEmpty());
        QCOMPARE(sheet.text(), std::string("follow(\"me\")"));
        QVERIFY(!sheet.setText("follow()").has_value());
    }

    void eachMethodKeepsItsValues() {
        ArgumentSheet sheet(strangeMethods(), QStringLiteral("Method"));
        qobject_cast<QSpinBox *>(sheet.field("steps"))->setValue(30);
        sheet.nameBox().setCurrentText(QStringLiteral("sit"));
        QCOMPARE(sheet.text(), std::string("sit()"));
        QVERIFY(!sheet.field("steps"));
        sheet.nameBox().setCurrentText(QStringLiteral("climb"));
        QCOMPARE(sheet.text(), std::string("climb(steps=30)"));
        QCOMPARE(qobject_cast<QSpinBox *>(sheet.field("steps"))->value(), 30);
    }
};

QTEST_MAIN(TestArgumentSheet)
#include "tst_argument_sheet.moc"
