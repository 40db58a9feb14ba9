// SPDX-License-Identifier: GPL-3.0-or-later
// The main workflow, clicked through: open, look, drag a knob, undo, compare, export, read back.
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/export/export_sheet.h"
#include "ui/inspector/inspector.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/message_bar.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Presses the slider's handle, moves it in steps, and releases it.
void dragSlider(QSlider *slider, int pixels) {
    const double share = static_cast<double>(slider->value() - slider->minimum()) / (slider->maximum() - slider->minimum());
    const QPoint handle(static_cast<int>(8 + share * (slider->width() - 16)), slider->height() / 2);
    QTest::mousePress(slider, Qt::LeftButton, {}, handle);
    for (int step = 1; step <= 10; ++step) {
        QTest::mouseMove(slider, handle + QPoint(pixels * step / 10, 0));
        QTest::qWait(5);
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, handle + QPoint(pixels, 0));
}

} // namespace

class TestJourney : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { start({1280, 720}); }
    void cleanup() { stop(); }

    void sampleOpensSimulated() {
        window().action(QStringLiteral("sample"))->trigger();
        QVERIFY(QTest::qWaitFor([this] { return session().run(Side::B) != nullptr; }, syncopate::testing::patience));
        QVERIFY(session().run(Side::A));
        QVERIFY(window().view(Side::A).data() && window().view(Side::B).data());
        QVERIFY(window().messageBar().isHidden());
    }

    /// The session is destroyed before the panels: a text being edited in a floating one must not be committed then.
    void aWindowGoesWhileTextIsEdited() {
        auto other = std::make_unique<MainWindow>(theme());
        other->show();
        QVERIFY(openAndSettle(*other));
        auto *dock = other->findChild<QDockWidget *>(QStringLiteral("knobs"));
        dock->setFloating(true);
        QLineEdit *edit = other->knobs().strategyBox(Side::A)->lineEdit();
        const auto editing = [&] { // the window may be activated a moment later, and another may be in front by then
            dock->activateWindow();
            edit->setFocus();
            return edit->hasFocus();
        };
        QTRY_VERIFY(editing());
        QTest::keyClicks(edit, QStringLiteral("PS"));
        const QSignalSpy said(edit, &QLineEdit::editingFinished);
        const QPointer<QLineEdit> alive = edit;
        other.reset();
        QVERIFY(!alive);
        QCOMPARE(said.count(), 0);
    }

    /// Half-typed text in a field that an undo disables changes nothing: it was meant for the previous state.
    void whatIsHalfTypedGoesWithItsState() {
        for (const bool knob : {true, false}) {
            MainWindow other(theme());
            other.show();
            QVERIFY(openAndSettle(other));
            Session &session = other.session();
            QLineEdit *edit = knob ? other.knobs().knob(QStringLiteral("bandwidth"))->findChild<QLineEdit *>()
                                   : other.knobs().strategyBox(Side::A)->lineEdit();
            const auto editing = [&] {
                other.activateWindow();
                edit->setFocus();
                return edit->hasFocus();
            };
            QTRY_VERIFY(editing());
            edit->selectAll();
            QTest::keyClicks(edit, knob ? QStringLiteral("7") : QStringLiteral("PS"));
            const SessionState before = session.state();
            const int steps = session.undoStack()->count();
            while (session.undoStack()->canUndo())
                session.undoStack()->undo();
            QVERIFY(!session.state().job && !session.state().cluster);
            QCOMPARE(session.undoStack()->count(), steps);
            while (session.undoStack()->canRedo())
                session.undoStack()->redo();
            QVERIFY(session.state() == before);
        }
    }

    void dragUndoRedo() {
        QVERIFY(open());
        Session &session = this->session();
        const double before = session.run(Side::B)->recording().iterationSeconds;
        const SessionState state = session.state();
        const auto shown = window().axis().window();
        const int steps = session.undoStack()->count();
        QSignalSpy runs(&session, &Session::runsChanged);
        Knob *bandwidth = window().knobs().knob(QStringLiteral("bandwidth"));
        dragSlider(bandwidth->slider(), -120);
        QVERIFY(settle());
        COMPARE_AT_LEAST(runs.size(), 1);
        QCOMPARE(session.undoStack()->count(), steps + 1);
        QVERIFY2(session.undoStack()->undoText().startsWith(QStringLiteral("Bandwidth 50 Gbit/s → ")),
                 qPrintable(session.undoStack()->undoText()));
        COMPARE_ABOVE(session.run(Side::B)->recording().iterationSeconds, before * 1.05);
        QCOMPARE(window().axis().window(), shown); // axes stay while a knob is dragged
        window().action(QStringLiteral("undo"))->trigger();
        QVERIFY(session.state() == state);
        QVERIFY(settle());
        QCOMPARE(session.run(Side::B)->recording().iterationSeconds, before);
        window().action(QStringLiteral("redo"))->trigger();
        QVERIFY(settle());
        COMPARE_ABOVE(session.run(Side::B)->recording().iterationSeconds, before * 1.05);
    }

    void typedValuesAndReset() {
        QVERIFY(open());
        Knob *workers = window().knobs().knob(QStringLiteral("workers"));
        workers->field()->setFocus();
        workers->field()->selectAll();
        QTest::keyClicks(workers->field(), QStringLiteral("8"));
        QTest::keyClick(workers->field(), Qt::Key_Return);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().workers, 8);
        QTest::keyClick(workers->field(), Qt::Key_Up);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().workers, 9);
        Q_EMIT workers->resetWanted();
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().workers, 16);
    }

    void strategyIsChosenAndCompared() {
        QVERIFY(open());
        QComboBox *box = window().knobs().strategyBox(Side::B);
        box->setEditText(QStringLiteral("PartitionedPS"));
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        QVERIFY(settle());
        QCOMPARE(textOf(session().state().side(Side::B).source), std::string("PartitionedPS"));
        QVERIFY(session().run(Side::B));
        window().action(QStringLiteral("compare"))->trigger();
        QVERIFY(settle());
        QVERIFY(window().view(Side::B).isHidden());
        QVERIFY(!session().run(Side::B));
        window().action(QStringLiteral("undo"))->trigger();
        QVERIFY(settle());
        QVERIFY(!window().view(Side::B).isHidden());
        QVERIFY(session().run(Side::B));
        window().action(QStringLiteral("swap"))->trigger();
        QVERIFY(settle());
        QCOMPARE(textOf(session().state().side(Side::A).source), std::string("PartitionedPS"));
    }

    void selectionFillsTheInspector() {
        QVERIFY(open());
        const QModelIndex compute = window().inspector().model()->index(2, InspectorModel::AColumn);
        const QString whole = compute.data().toString();
        QSignalSpy areas(&session(), &Session::areaReady);
        window().axis().setSelection(TimeAxis::Range(10e6, 30e6));
        QVERIFY(areas.wait(syncopate::testing::patience));
        QVERIFY(compute.data().toString() != whole);
        COMPARE_AT_MOST(compute.data(Qt::UserRole).toDouble(), 0.0201);
        window().axis().setSelection({});
        QCOMPARE(compute.data().toString(), whole);
    }

    void aVariableIsLitInBothPanes() {
        QVERIFY(open());
        const QImage before = window().view(Side::B).grab().toImage();
        window().variables().table()->selectRow(0);
        QVERIFY(window().variables().selectedVariable() >= 0);
        QTRY_VERIFY(window().view(Side::B).grab().toImage() != before);
        window().variables().clearSelection();
        QCOMPARE(window().view(Side::B).grab().toImage(), before);
    }

    void unlockedAxesMoveAlone() {
        QVERIFY(open());
        const auto shown = window().axis().window();
        window().action(QStringLiteral("lock"))->trigger();
        window().view(Side::B).axis().zoomAt(1e6, 0.5);
        QCOMPARE(window().axis().window(), shown);
        window().action(QStringLiteral("lock"))->trigger();
        QCOMPARE(window().view(Side::B).axis().window(), shown);
    }

    void exportsReadBack() {
        QVERIFY(open());
        QTemporaryDir folder;
        window().action(QStringLiteral("export"))->trigger();
        auto *sheet = window().findChild<ExportSheet *>();
        QVERIFY(sheet);
        sheet->setFolder(folder.path());
        QStringList paths;
        connect(sheet, &ExportSheet::exported, this, [&paths](const QStringList &written) { paths = written; });
        sheet->accept(); // the current tab: A's strategy for AutoDist
        QVERIFY(QTest::qWaitFor([&paths] { return !paths.isEmpty(); }, syncopate::testing::patience));
        QCOMPARE(paths, (QStringList{folder.filePath(QStringLiteral("resnet50-a.pb")),
                                     folder.filePath(QStringLiteral("resnet50_a_builder.py"))}));
        const auto strategy = readStrategyFile(paths.first().toStdString());
        QVERIFY(strategy.has_value());
        QVERIFY(strategy->nodes == session().run(Side::A)->simulation()->scenario.strategy->nodes);
        QVERIFY(!window().messageBar().isHidden());
    }

    void failuresAreSaidInline() {
        QVERIFY(open());
        session().open(QStringLiteral("/nowhere/profile.json"));
        QVERIFY(QTest::qWaitFor([this] { return !window().messageBar().isHidden(); }, syncopate::testing::patience));
        QVERIFY(window().messageBar().text().contains(QStringLiteral("/nowhere/profile.json")));
    }

    void bothThemesPaint() {
        QVERIFY(open());
        theme().setSetting(Theme::Setting::Dark);
        QTest::qWait(20); // palettes reach the widgets by events
        const QImage dark = window().picture(1);
        theme().setSetting(Theme::Setting::Light);
        QTest::qWait(20);
        const QImage light = window().picture(2);
        QCOMPARE(light.size(), dark.size() * 2);
        COMPARE_BELOW(dark.pixelColor(5, 5).lightness(), 80);
        COMPARE_ABOVE(light.pixelColor(5, 5).lightness(), 200);
    }
};

QTEST_MAIN(TestJourney)
#include "tst_journey.moc"
