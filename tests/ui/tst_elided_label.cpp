// SPDX-License-Identifier: GPL-3.0-or-later
// A text without room is cut, shows that it is, and stays available in full.
#include "tests/checks.h"
#include "ui/runs/figure_line.h"
#include "ui/tables/dense_table.h"
#include "ui/theme/cut_text.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPixmap>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>
#include <memory>

using namespace syncopate::ui;

namespace {

const QString sentence = QStringLiteral("best 1.86 s (trial 195), which is 19.2 % less than AllReduce takes on this cluster");

QString tipOf(QWidget &widget, QPoint at) {
    QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &help);
    const QString text = QToolTip::text();
    QToolTip::hideText();
    return QTest::qWaitFor([] { return !QToolTip::isVisible(); }, syncopate::testing::patience)
               ? text
               : QStringLiteral("a tip that stays");
}

} // namespace

class TestElidedLabel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineIsCutWhereItHasNoRoom() {
        ElidedLabel label(Qt::ElideMiddle);
        label.setText(sentence);
        label.setToolTip(QStringLiteral("The best so far"));
        label.resize(label.sizeHint());
        label.show();
        QVERIFY(!label.isCut());
        QCOMPARE(tipOf(label, {5, 5}), QStringLiteral("The best so far"));
        const QImage whole = label.grab().toImage();
        label.resize(label.sizeHint().width() - 2, label.height());
        QVERIFY(label.isCut());
        QCOMPARE(label.text(), sentence); // for screen readers
        QCOMPARE(tipOf(label, {5, 5}), sentence + QStringLiteral("\nThe best so far"));
        QVERIFY(label.grab().toImage() != whole.copy(label.rect()));
        COMPARE_BELOW(label.minimumSizeHint().width(), 40);
    }

    /// Every figure is whole or absent: a cut one would read as another.
    void cellsAreCutBetweenTheirPieces() {
        const QFontMetrics metrics{QFont()};
        const QString how = QStringLiteral("latency 1.25 ms; transfer 137.5 ms; sharing 12.3 ms; waited for its turn (push)");
        const QString cause = QStringLiteral("all-reduce of bucket 12 (81 gradients), workers 0-7");
        for (const auto &[text, separator] : {std::pair(how, QStringLiteral("; ")), std::pair(cause, QStringLiteral(" "))}) {
            const QStringList pieces = text.split(separator);
            const int whole = metrics.horizontalAdvance(text);
            QCOMPARE(cutBetween(metrics, text, separator, whole), text);
            qsizetype shown = 0;
            for (int width = metrics.horizontalAdvance(QChar(0x2026)); width < whole; ++width) {
                const QString cut = cutBetween(metrics, text, separator, width);
                COMPARE_AT_MOST(metrics.horizontalAdvance(cut), width);
                QVERIFY2(cut.endsWith(QChar(0x2026)), qPrintable(cut));
                const QStringList left = cut.split(separator);
                for (qsizetype p = 0; p + 1 < left.size(); ++p) // only a name may be cut itself
                    QVERIFY2(left[p] == pieces[p] || (p + 2 == left.size() && !pieces[p].contains(QRegularExpression("[0-9]"))),
                             qPrintable(cut));
                shown = std::max(shown, left.size());
            }
            QCOMPARE(shown, pieces.size());
        }
        const QString name = QStringLiteral("forward of resnet50/stage4/block2/convolution3/kernel");
        const QString cut = cutBetween(metrics, name, QStringLiteral(" "), metrics.horizontalAdvance(name) * 3 / 4);
        QVERIFY2(cut.startsWith(QStringLiteral("forward of resnet")) && cut.endsWith(QStringLiteral("kernel \u2026")),
                 qPrintable(cut));
    }

    void wordsWrapIntoSoManyLines() {
        ElidedLabel label(Qt::ElideRight, 3);
        label.setText(sentence);
        const int line = label.fontMetrics().lineSpacing();
        const int half = label.fontMetrics().horizontalAdvance(sentence) / 2;
        QCOMPARE(label.heightForWidth(10 * half), label.fontMetrics().height());
        COMPARE_AT_LEAST(label.heightForWidth(half), 2 * line - 1);
        QCOMPARE(label.heightForWidth(half / 4), 3 * line);
        label.resize(half / 4, 3 * line);
        QVERIFY(label.isCut());
        label.resize(half, 3 * line);
        QVERIFY(!label.isCut());
        label.setMaxLines(1);
        QVERIFY(label.isCut());
        QCOMPARE(label.heightForWidth(half), line);
    }

    /// A low layout gives a text less height than its lines need: the lines that fit are shown, the last one cut.
    void aLowLabelShowsTheLinesThatFit() {
        ElidedLabel label(Qt::ElideRight, 6);
        label.setText(sentence);
        const int line = label.fontMetrics().lineSpacing();
        const int width = label.fontMetrics().horizontalAdvance(sentence) * 2 / 5;
        const int whole = label.heightForWidth(width);
        COMPARE_AT_LEAST(whole, 3 * line - 2);
        label.resize(width, whole);
        label.show();
        QVERIFY(!label.isCut());
        label.resize(width, line + line / 2);
        QVERIFY(label.isCut());
        QVERIFY(tipOf(label, {5, 5}).contains(sentence));
        ElidedLabel single; // of one line, for the same text
        single.setText(sentence);
        single.resize(width, line + line / 2);
        QCOMPARE(label.grab().toImage(), single.grab().toImage());
        single.setText(QStringLiteral("two\nlines"));
        single.resize(single.sizeHint().width() * 4, line);
        single.show();
        QVERIFY(single.isCut());
        QCOMPARE(tipOf(single, {5, 5}), single.text());
    }

    /// Screen readers get the figures after the line's name, also when the text was set through a QLabel, and the tooltip.
    void figuresAreRead() {
        const QString name = QStringLiteral("Best candidate so far");
        const std::unique_ptr<QLabel> line(figureLine(name));
        line->setToolTip(QStringLiteral("of 200"));
        const QAccessibleInterface *read = QAccessible::queryAccessibleInterface(line.get());
        QVERIFY(read);
        QCOMPARE(read->text(QAccessible::Name), name);
        line->setText(QStringLiteral("%1 ") + sentence);
        QCOMPARE(read->text(QAccessible::Name), name + QStringLiteral(": %1 ") + sentence);
        QCOMPARE(read->text(QAccessible::Description), QStringLiteral("of 200"));
        line->setText(QStringLiteral("best 1.85 s"));
        QCOMPARE(read->text(QAccessible::Name), name + QStringLiteral(": best 1.85 s"));
        QVERIFY(read->role() == QAccessible::StaticText);
    }

    /// Names from files look like HTML: a cut label's tooltip still has all of its own.
    void aTipWithNamesIsKept() {
        const QString own = QStringLiteral("of <b>w</b> & \"c\" &lt;\nthe best so far");
        QVERIFY(plainTip(own) != own);
        QCOMPARE(tipText(plainTip(own)), own);
        QCOMPARE(tipText(QStringLiteral("a &lt; b")), QStringLiteral("a &lt; b"));
        ElidedLabel label;
        label.setText(sentence);
        label.setToolTip(plainTip(own));
        label.resize(label.sizeHint().width() / 2, label.sizeHint().height());
        label.show();
        QVERIFY(label.isCut());
        QCOMPARE(tipOf(label, {5, 5}), plainTip(sentence + QLatin1Char('\n') + own));
    }

    void cutCellsOfTablesAreToldInFull() {
        QStandardItemModel model(1, 2);
        model.setItem(0, 0, new QStandardItem(sentence));
        model.setItem(0, 1, new QStandardItem(QStringLiteral("12")));
        QTableView table;
        table.setModel(&model);
        makeDense(table);
        table.setColumnWidth(0, 80);
        table.resize(300, 100);
        table.show();
        const auto tip = [&](int column) { return tipOf(*table.viewport(), table.visualRect(model.index(0, column)).center()); };
        QCOMPARE(tip(0), sentence);
        QVERIFY(tip(1).isEmpty());
        model.item(0, 0)->setToolTip(QStringLiteral("own"));
        QCOMPARE(tip(0), QStringLiteral("own"));
    }

    /// "200 Versuche" was cut where the box of a number was as wide as that of a bare one.
    void aNumberFitsWithItsUnit() {
        auto *box = numberBox<QSpinBox>(1, 100000, 200, QStringLiteral("Budget"), QStringLiteral("Trials"));
        box->setSuffix(QStringLiteral(" Versuche"));
        fitNumber(*box, 2000);
        box->setValue(2000);
        box->resize(box->minimumWidth(), box->sizeHint().height());
        box->show();
        const auto *field = box->findChild<QLineEdit *>();
        COMPARE_AT_LEAST(field->width(), box->fontMetrics().horizontalAdvance(field->text()) + 2);
        COMPARE_BELOW(box->minimumWidth(), box->sizeHint().width());
        // The separators of a language are in no number that the box shows, so they take no room.
        box->setLocale(QLocale(QLocale::German, QLocale::Germany));
        box->setMaximum(1'000'000'000);
        fitNumber(*box, 999);
        box->setValue(999);
        box->resize(box->minimumWidth(), box->sizeHint().height());
        COMPARE_AT_LEAST(field->width(), box->fontMetrics().horizontalAdvance(field->text()) + 2);
        delete box;
    }
};

QTEST_MAIN(TestElidedLabel)
#include "tst_elided_label.moc"
