// SPDX-License-Identifier: GPL-3.0-or-later
// The main job, clicked through: open, look, drag a knob, undo, compare, export, read back.
#include "engine/strategy/strategy_file.h"
#include "ui/export/export_sheet.h"
#include "ui/inspector/inspector.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

bool settle(MainWindow &window) {
    return QTest::qWaitFor([&window] { return !window.session().isStale() && !window.session().isLoading(); }, 30000);
}

/// Presses the slider's handle, moves it in steps, lets go.
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

class TestJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<Theme>(); }

    void init() {
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1280, 720);
        m_window->show();
    }

    void cleanup() { m_window.reset(); }

    void sampleOpensSimulated() {
        m_window->action(QStringLiteral("sample"))->trigger();
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().run(Side::B) != nullptr; }, 30000));
        QVERIFY(m_window->session().run(Side::A));
        QVERIFY(m_window->view(Side::A).data() && m_window->view(Side::B).data());
        QVERIFY(m_window->messageBar().isHidden());
    }

    void dragUndoRedo() {
        openCatalogue();
        Session &session = m_window->session();
        const double before = session.run(Side::B)->run().iterationSeconds;
        const SessionState state = session.state();
        const auto window = m_window->axis().window();
        const int steps = session.undoStack()->count();
        QSignalSpy runs(&session, &Session::runsChanged);
        Knob *bandwidth = m_window->knobs().knob(QStringLiteral("bandwidth"));
        dragSlider(bandwidth->slider(), -120);
        QVERIFY(settle(*m_window));
        QVERIFY(runs.size() >= 1);
        QCOMPARE(session.undoStack()->count(), steps + 1);
        QVERIFY2(session.undoStack()->undoText().startsWith(QStringLiteral("Bandwidth 50 Gb/s → ")),
                 qPrintable(session.undoStack()->undoText()));
        QVERIFY(session.run(Side::B)->run().iterationSeconds > before * 1.05);
        QCOMPARE(m_window->axis().window(), window); // axes stay while a knob is dragged
        m_window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(session.state() == state);
        QVERIFY(settle(*m_window));
        QCOMPARE(session.run(Side::B)->run().iterationSeconds, before);
        m_window->action(QStringLiteral("redo"))->trigger();
        QVERIFY(settle(*m_window));
        QVERIFY(session.run(Side::B)->run().iterationSeconds > before * 1.05);
    }

    void typedValuesAndReset() {
        openCatalogue();
        Knob *workers = m_window->knobs().knob(QStringLiteral("workers"));
        workers->field()->setFocus();
        workers->field()->selectAll();
        QTest::keyClicks(workers->field(), QStringLiteral("8"));
        QTest::keyClick(workers->field(), Qt::Key_Return);
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->session().run(Side::A)->run().workers, 8);
        QTest::keyClick(workers->field(), Qt::Key_Up);
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->session().run(Side::A)->run().workers, 9);
        Q_EMIT workers->resetWanted();
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->session().run(Side::A)->run().workers, 16);
    }

    void strategyIsChosenAndCompared() {
        openCatalogue();
        QComboBox *box = m_window->knobs().strategyBox(Side::B);
        box->setEditText(QStringLiteral("PartitionedPS"));
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->session().state().side(Side::B).strategy, std::string("PartitionedPS"));
        QVERIFY(m_window->session().run(Side::B));
        m_window->action(QStringLiteral("compare"))->trigger();
        QVERIFY(settle(*m_window));
        QVERIFY(m_window->view(Side::B).isHidden());
        QVERIFY(!m_window->session().run(Side::B));
        m_window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(settle(*m_window));
        QVERIFY(!m_window->view(Side::B).isHidden());
        QVERIFY(m_window->session().run(Side::B));
        m_window->action(QStringLiteral("swap"))->trigger();
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->session().state().side(Side::A).strategy, std::string("PartitionedPS"));
    }

    void selectionFillsTheInspector() {
        openCatalogue();
        const QModelIndex compute = m_window->inspector().model()->index(2, InspectorModel::AColumn);
        const QString whole = compute.data().toString();
        QSignalSpy areas(&m_window->session(), &Session::areaReady);
        m_window->axis().setSelection(TimeAxis::Range(10e6, 30e6));
        QVERIFY(areas.wait(5000));
        QVERIFY(compute.data().toString() != whole);
        QVERIFY(compute.data(Qt::UserRole).toDouble() <= 0.0201);
        m_window->axis().setSelection({});
        QCOMPARE(compute.data().toString(), whole);
    }

    void aVariableIsLitInBothPanes() {
        openCatalogue();
        const QImage before = m_window->view(Side::B).grab().toImage();
        m_window->variables().table()->selectRow(0);
        QVERIFY(m_window->variables().selectedVariable() >= 0);
        QVERIFY(m_window->view(Side::B).grab().toImage() != before);
        m_window->variables().clearSelection();
        QCOMPARE(m_window->view(Side::B).grab().toImage(), before);
    }

    void unlockedAxesMoveAlone() {
        openCatalogue();
        const auto window = m_window->axis().window();
        m_window->action(QStringLiteral("lock"))->trigger();
        m_window->view(Side::B).axis().zoomAt(1e6, 0.5);
        QCOMPARE(m_window->axis().window(), window);
        m_window->action(QStringLiteral("lock"))->trigger();
        QCOMPARE(m_window->view(Side::B).axis().window(), window);
    }

    void exportsReadBack() {
        openCatalogue();
        QTemporaryDir folder;
        m_window->action(QStringLiteral("export"))->trigger();
        auto *sheet = m_window->findChild<ExportSheet *>();
        QVERIFY(sheet);
        sheet->setFolder(folder.path());
        QStringList paths;
        connect(sheet, &ExportSheet::exported, this, [&paths](const QStringList &written) { paths = written; });
        sheet->accept(); // the tab in front: A's strategy for AutoDist
        QVERIFY(QTest::qWaitFor([&paths] { return !paths.isEmpty(); }, 30000));
        QCOMPARE(paths, (QStringList{folder.filePath(QStringLiteral("resnet50-a.pb")),
                                     folder.filePath(QStringLiteral("resnet50_a_builder.py"))}));
        const auto strategy = readStrategyFile(paths.first().toStdString());
        QVERIFY(strategy.has_value());
        QVERIFY(strategy->nodes == m_window->session().run(Side::A)->run().scenario.strategy->nodes);
        QVERIFY(!m_window->messageBar().isHidden());
    }

    void failuresAreSaidInline() {
        openCatalogue();
        m_window->session().open(QStringLiteral("/nowhere/profile.json"));
        QVERIFY(QTest::qWaitFor([this] { return !m_window->messageBar().isHidden(); }, 10000));
        QVERIFY(m_window->messageBar().text().contains(QStringLiteral("/nowhere/profile.json")));
    }

    void bothThemesPaint() {
        openCatalogue();
        m_theme->setSetting(Theme::Setting::Dark);
        QTest::qWait(20); // palettes reach the widgets by events
        const QImage dark = m_window->picture(1);
        m_theme->setSetting(Theme::Setting::Light);
        QTest::qWait(20);
        const QImage light = m_window->picture(2);
        QCOMPARE(light.size(), dark.size() * 2);
        QVERIFY(dark.pixelColor(5, 5).lightness() < 80);
        QVERIFY(light.pixelColor(5, 5).lightness() > 200);
    }

private:
    void openCatalogue() {
        m_window->session().open(QStringLiteral("resnet50"));
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().run(Side::B) != nullptr; }, 30000));
        QVERIFY(settle(*m_window));
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestJourney)
#include "tst_journey.moc"
