// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of a timeline and the notes on it: expanded, sized, pinned, moved and collapsed, and kept in projects.
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/project/annotation_views.h"
#include "ui/timeline/notes_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QTableWidget>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

class TestTimelineLanes : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        window().activateWindow();
        QVERIFY(open());
    }
    void cleanup() { stop(); }

    /// Overlapping transfers are one strip until expanded to separate lanes: by key, triangle, menu or search.
    void transfersAreAStripUntilExpanded() {
        TimelineView &view = window().view(Side::B);
        view.setFocus();
        const auto strip = [&] {
            const auto &rows = view.layout().rows();
            const auto found = std::find_if(rows.begin(), rows.end(), [](const LaneLayout::Row &row) { return row.isStrip(); });
            return found == rows.end() ? std::optional<LaneLayout::Row>() : *found;
        };
        QVERIFY(strip());
        const LaneLayout::Row row = *strip();
        const std::size_t before = view.layout().rows().size();
        view.setCurrentLane(row.lane);
        QTest::keyClick(&view, Qt::Key_T);
        QVERIFY(!view.layout().isHidden(row.lane + 1) && view.layout().isExpanded(row.lane));
        COMPARE_AT_LEAST(view.layout().rows().size(), before + row.lanes - 1);
        QTest::keyClick(&view, Qt::Key_T);
        QCOMPARE(view.layout().rows().size(), before);
        const QPoint triangle(20, view.plotRect().top() + view.layout().topOf(view.layout().rowOf(row.lane)) + 4);
        QTest::mouseClick(&view, Qt::LeftButton, {}, triangle);
        QVERIFY(view.layout().isExpanded(row.lane));
        const LaneArrangement kept = lanesFromJson(lanesToJson(view.arrangement()));
        QVERIFY(kept == view.arrangement());
        view.setArrangement({});
        // Left and right walk the transfers of all its lanes by start time.
        const auto startOf = [&](const SpanRef &span) { return view.data()->lane(span.lane).start[span.span]; };
        std::vector<Nanoseconds> starts;
        for (std::size_t l = row.lane; l < row.lane + row.lanes; ++l)
            starts.insert(starts.end(), view.data()->lane(l).start.begin(), view.data()->lane(l).start.end());
        std::sort(starts.begin(), starts.end());
        view.selectSpan(SpanRef{row.lane, 0});
        std::vector<Nanoseconds> walked{startOf(*view.selectedSpan())};
        while (walked.size() < starts.size()) {
            QTest::keyClick(&view, Qt::Key_Right);
            walked.push_back(startOf(*view.selectedSpan()));
        }
        QVERIFY(walked == starts);
        const SpanRef last = *view.selectedSpan();
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(*view.selectedSpan() == last);
        QVERIFY(view.layout().rowOf(last.lane).isStrip()); // walking does not expand
        view.showSpan(last);                               // a search does
        QVERIFY(!view.layout().isHidden(last.lane) && view.layout().isExpanded(row.lane));
        QCOMPARE(view.currentLane().value(), last.lane);
        // A strip that is moved takes its lanes along.
        view.setArrangement({});
        view.moveLaneBefore(row.lane, view.data()->laneCount());
        QVERIFY(view.layout().rows().back().isStrip());
        view.setExpanded(row.lane, true);
        const auto &rows = view.layout().rows();
        QCOMPARE(rows[rows.size() - row.lanes].lane, row.lane);
        QCOMPARE(rows.back().lane, row.lane + row.lanes - 1);
    }

    /// The side with few lanes gets the room for them and no more, whichever side it is; heights set by the user are kept.
    void panesAreSizedByTheirLanes() {
        COMPARE_BELOW(window().view(Side::A).fullHeight(), window().view(Side::B).fullHeight());
        const auto heights = [&] { return QList<int>{window().view(Side::A).height(), window().view(Side::B).height()}; };
        QVERIFY(QTest::qWaitFor([&] { return heights()[0] < heights()[1]; }));
        const QList<int> before = heights();
        window().action(QStringLiteral("swap"))->trigger();
        QVERIFY(settle());
        QVERIFY2(
            QTest::qWaitFor([&] {
                return heights() == QList<int>{before[1], before[0]};
            }),
            qPrintable(
                QStringLiteral("%1 and %2, before %3 and %4").arg(heights()[0]).arg(heights()[1]).arg(before[0]).arg(before[1])));
        auto *splitter = window().view(Side::A).parentWidget();
        QVERIFY(qobject_cast<QSplitter *>(splitter));
        QWidget *handle = static_cast<QSplitter *>(splitter)->handle(1);
        QTest::mousePress(handle, Qt::LeftButton, {}, QPoint(50, 2));
        QTest::mouseMove(handle, QPoint(50, -40));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, QPoint(50, -40));
        const QList<int> chosen = heights();
        QVERIFY(chosen != QList<int>({before[1], before[0]}));
        SessionState other = session().state();
        other.side(Side::A).source = Built{"AllReduce(chunk_size=128)"};
        session().change(other, QStringLiteral("fewer lanes"));
        QVERIFY(settle());
        QTest::qWait(20);
        QCOMPARE(heights(), chosen);
    }

    void lanesArePinnedMovedAndCollapsed() {
        TimelineView &view = window().view(Side::B);
        view.setFocus();
        const auto names = [&] {
            QStringList list;
            for (const LaneLayout::Row &row : view.layout().rows())
                list.push_back(QString::fromStdString(view.data()->lane(row.lane).name));
            return list;
        };
        const QStringList natural = names();
        COMPARE_AT_LEAST(natural.size(), 4);
        // Space pins the current lane; pinned lanes stay when the rest scrolls.
        view.setCurrentLane(view.layout().rows()[2].lane);
        const std::size_t pinned = *view.currentLane();
        QTest::keyClick(&view, Qt::Key_Space);
        QCOMPARE(names().first(), natural[2]);
        QVERIFY(view.layout().rows().front().pinned);
        const int top = view.layout().topOf(view.layout().rows().front());
        if (auto *scroll = view.findChild<QScrollBar *>(); scroll->maximum() > 0) {
            scroll->setValue(scroll->maximum());
            QCOMPARE(view.layout().topOf(view.layout().rows().front()), top);
            scroll->setValue(0);
        }
        QVERIFY(view.spanAt(QPoint(view.plotRect().center().x(), view.plotRect().top() + top + 3))
                    .value_or(SpanRef{pinned, 0})
                    .lane == pinned);
        // A knob moves: the lane stays pinned, by name.
        SessionState state = session().state();
        state.bandwidthGbits = 7;
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        QCOMPARE(names().first(), natural[2]);
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(view.arrangement().pinned.empty());
        session().undoStack()->undo();
        QVERIFY(settle());
        QCOMPARE(names(), natural);
        // The keyboard moves a lane down, a drag moves it back up.
        view.setCurrentLane(view.layout().rows()[1].lane);
        QTest::keyClick(&view, Qt::Key_Down, Qt::AltModifier);
        QStringList moved = natural;
        moved.swapItemsAt(1, 2);
        QCOMPARE(names(), moved);
        const auto gutterAt = [&](std::size_t row) {
            return QPoint(60, view.plotRect().top() + view.layout().topOf(view.layout().rows()[row]) + 4);
        };
        QTest::mousePress(&view, Qt::LeftButton, {}, gutterAt(2));
        QTest::mouseMove(&view, gutterAt(2) - QPoint(0, 8));
        QTest::mouseMove(&view, gutterAt(1) - QPoint(0, 3));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, gutterAt(1) - QPoint(0, 3));
        QCOMPARE(names(), natural);
        // C hides and shows the other lanes of the worker; so does a click on the triangle.
        view.setArrangement({});
        view.setCurrentLane(view.layout().rows()[1].lane);
        QTest::keyClick(&view, Qt::Key_C);
        COMPARE_BELOW(names().size(), natural.size());
        QCOMPARE(names().first(), natural.first());
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(6, gutterAt(0).y()));
        QCOMPARE(names(), natural);
        // The menu does the same.
        const auto menu = view.makeMenu(gutterAt(1));
        menu->findChild<QAction *>(QStringLiteral("pin"))->trigger();
        QCOMPARE(names().first(), natural[1]);
        menu->findChild<QAction *>(QStringLiteral("asSimulated"))->setEnabled(true);
        menu->findChild<QAction *>(QStringLiteral("asSimulated"))->trigger();
        QCOMPARE(names(), natural);
        // Unknown or duplicate names are harmless.
        view.setArrangement({{"no lane", natural[1].toStdString(), natural[1].toStdString()},
                             {natural[2].toStdString(), "no lane", natural[2].toStdString()},
                             {"no lane"}});
        QCOMPARE(static_cast<qsizetype>(view.layout().rows().size()), natural.size());
        QStringList sorted = names(), all = natural;
        sorted.sort();
        all.sort();
        QCOMPARE(sorted, all);
    }

    void notesStay() {
        TimelineView &view = window().view(Side::A);
        Notes &notes = window().notes();
        view.setFocus();
        view.axis().setCursor(20e6);
        QTest::keyClick(&view, Qt::Key_N);
        QVERIFY(view.noteEditor());
        QTest::keyClicks(view.noteEditor(), QStringLiteral("first"));
        QTest::keyClick(view.noteEditor(), Qt::Key_Return);
        QCOMPARE(notes.notes(), (std::vector<Note>{{0, 20e6, 20e6, "", "first"}}));
        // On a selected stretch of B.
        TimelineView &other = window().view(Side::B);
        other.setFocus();
        other.axis().setSelection(TimeAxis::Range(10e6, 30e6));
        QTest::keyClick(&other, Qt::Key_N);
        QTest::keyClicks(other.noteEditor(), QStringLiteral("stretch"));
        QTest::keyClick(other.noteEditor(), Qt::Key_Return);
        QCOMPARE(notes.notes()[1], (Note{1, 10e6, 30e6, "", "stretch"}));
        // Esc discards the note.
        QTest::keyClick(&other, Qt::Key_N);
        QTest::keyClicks(other.noteEditor(), QStringLiteral("no"));
        QTest::keyClick(other.noteEditor(), Qt::Key_Escape);
        QVERIFY(!other.noteEditor());
        QCOMPARE(notes.notes().size(), std::size_t(2));
        // The flag is at the note's time; a double click edits, an empty text removes.
        const QPoint flag(static_cast<int>(view.xOf(20e6)) + 3, view.plotRect().top() - 10);
        QCOMPARE(view.noteAt(flag).value(), std::size_t(0));
        QTest::mouseDClick(&view, Qt::LeftButton, {}, flag);
        QVERIFY(view.noteEditor());
        QCOMPARE(view.noteEditor()->text(), QStringLiteral("first"));
        QTest::keyClicks(view.noteEditor(), QStringLiteral(" again"));
        QTest::keyClick(view.noteEditor(), Qt::Key_Return);
        QCOMPARE(notes.notes()[0].text, std::string("first again"));
        // Listed, edited in the list, and shown from there.
        QTableWidget *table = window().notesPanel().table();
        QCOMPARE(table->rowCount(), 2);
        QCOMPARE(table->item(0, 4)->text(), QStringLiteral("first again"));
        table->item(0, 4)->setText(QStringLiteral("listed"));
        QVERIFY(QTest::qWaitFor([&] { return notes.notes()[0].text == "listed"; }, syncopate::testing::patience));
        view.axis().setWindow(100e6, 110e6);
        table->setCurrentCell(0, 4);
        QTest::keyClick(table, Qt::Key_Return);
        COMPARE_BELOW(view.axis().window().first, 20e6);
        COMPARE_ABOVE(view.axis().window().second, 20e6);
        // They follow their side.
        window().action(QStringLiteral("swap"))->trigger();
        QVERIFY(settle());
        QCOMPARE(int(notes.notes()[0].side), 1);
        session().undoStack()->undo();
        QVERIFY(settle());
        QCOMPARE(int(notes.notes()[0].side), 0);
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(notes.notes().size(), std::size_t(1));
        // Invalid notes from a file are skipped.
        notes.setNotes({{0, std::nan(""), 0, "", "x"}, {7, 0, 0, "", "y"}, {1, 5, 5, "", "z"}});
        QCOMPARE(notes.notes().size(), std::size_t(1));
    }

    void projectsKeepNotesAndLanes() {
        const std::vector<Note> notes{{0, 1e6, 1e6, "", "a \"note\""}, {1, 2e6, 5e6, "worker 0 push", "stretch"}};
        const LaneArrangement lanes{{"worker 0 push"}, {"worker 0 push", "worker 0 compute"}, {"worker 1 compute"}};
        QCOMPARE(notesFromJson(notesToJson(notes)), notes);
        QVERIFY(lanesFromJson(lanesToJson(lanes)) == lanes);
        const auto read = [](const char *json) { return notesFromJson(QJsonDocument::fromJson(json).array()); };
        QVERIFY(read("[{\"side\":2,\"from\":1,\"text\":\"x\"}, 7, \"y\", {\"side\":0,\"from\":1e300,\"text\":\"x\"},"
                     "{\"side\":0,\"text\":\"no time\"}, {\"side\":0,\"from\":1}]")
                    .empty());
        QVERIFY(lanesFromJson(QJsonDocument::fromJson("{\"pinned\":[1,{}],\"order\":\"x\"}").object()) == LaneArrangement{});
        // Saved and reopened in another window.
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.syncopate"));
        window().notes().setNotes(notes);
        window().view(Side::B).setArrangement(lanes);
        window().keeper().saveAs(path);
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(path); }, syncopate::testing::patience));
        window().keeper().flush();
        stop();
        start();
        window().session().open(path);
        QVERIFY(QTest::qWaitFor([&] { return window().notes().notes() == notes; }, syncopate::testing::patience));
        QVERIFY(window().view(Side::B).arrangement() == lanes);
        QVERIFY(settle());
    }
};

QTEST_MAIN(TestTimelineLanes)
#include "tst_timeline_lanes.moc"
