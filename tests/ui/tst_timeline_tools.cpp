// SPDX-License-Identifier: GPL-3.0-or-later
// Timeline tools by mouse and keyboard: arrows, search, lanes, notes, alignment, the palette.
#include "engine/timeline/find_spans.h"
#include "tests/checks.h"
#include "tests/ui/slow_side.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_model.h"
#include "ui/project/annotation_views.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/notes_panel.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/wait_chip.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/command_palette.h"
#include "ui/window/fuzzy.h"
#include "ui/window/readout.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSplitter>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>

using namespace syncopate;
using namespace syncopate::ui;

class TestTimelineTools : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        window().activateWindow();
        QVERIFY(open());
    }
    void cleanup() { stop(); }

    void arrowsOfTheSelectedSpanAreTheGraphsEdges() {
        TimelineView &view = window().view(Side::B); // PS: backward -> push -> pull -> forward
        const auto run = session().run(Side::B);
        const Timeline &timeline = run->recording().timeline;
        const TaskGraph &graph = run->simulation()->graph;
        const SpanRef push = spanOf(view, Category::Push);
        QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, push));
        QVERIFY(view.selectedSpan().has_value());
        const SpanRef selected = *view.selectedSpan();
        const std::int32_t task = timeline.lanes[selected.lane].task[selected.span];
        QTRY_VERIFY(!view.flows().empty());
        bool parent = false, child = false;
        for (const SpanFlow &flow : view.flows()) {
            QVERIFY(flow.from == selected || flow.to == selected);
            const Lane &from = timeline.lanes[flow.from.lane], &to = timeline.lanes[flow.to.lane];
            QVERIFY(from.end[flow.from.span] <= to.start[flow.to.span] + 1);
            parent = parent || flow.to == selected;
            child = child || flow.from == selected;
        }
        QVERIFY(parent && child);
        // Each edge of the graph that leads directly into the push is shown.
        for (std::size_t t = 0; t < graph.size(); ++t)
            for (std::uint32_t e = graph.successorOffsets[t]; e < graph.successorOffsets[t + 1]; ++e)
                if (static_cast<std::int32_t>(graph.successors[e]) == task && view.spanOfTask(static_cast<std::int32_t>(t)))
                    QVERIFY(std::any_of(view.flows().begin(), view.flows().end(), [&](const SpanFlow &flow) {
                        return timeline.lanes[flow.from.lane].task[flow.from.span] == static_cast<std::int32_t>(t);
                    }));
        // They are drawn, and disappear with the selection.
        view.selectSpan(selected);
        QTRY_VERIFY(!view.flows().empty());
        const QImage with = view.grab().toImage();
        view.setFlows({});
        QVERIFY(view.grab().toImage() != with);
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(view.flows().empty());
    }

    void arrowsOfAVariable() {
        window().variables().table()->selectRow(0);
        const std::int32_t variable = window().variables().selectedVariable();
        for (const Side side : {Side::A, Side::B}) {
            const TimelineView &view = window().view(side);
            const auto run = session().run(side);
            QTRY_VERIFY(!view.flows().empty());
            QVERIFY(view.flows().size() <= mostFlowArrows);
            for (const SpanFlow &flow : view.flows()) {
                const auto about = [&](const SpanRef &span) {
                    const std::int32_t unit = run->unitOfTask(run->recording().timeline.lanes[span.lane].task[span.span]);
                    if (unit < 0)
                        return false;
                    const auto &all = run->simulation()->graph.units[static_cast<std::size_t>(unit)].variables;
                    return std::find(all.begin(), all.end(), variable) != all.end();
                };
                QVERIFY(about(flow.from) || about(flow.to));
            }
        }
        // Arrows found after the selection was cleared are not drawn.
        window().variables().table()->selectRow(1);
        QTest::qSleep(20);
        window().variables().clearSelection();
        QVERIFY(window().view(Side::B).flows().empty());
        QTest::qWait(50);
        QVERIFY(window().view(Side::B).flows().empty());
    }

    void searchCountsMarksAndWalks() {
        TimelineView &view = window().view(Side::B);
        view.setFocus();
        const QImage before = view.grab().toImage();
        QTest::keyClick(&view, Qt::Key_Slash);
        SearchBar &bar = window().searchBar();
        QVERIFY(!bar.isHidden());
        const Timeline &timeline = view.data()->timeline();
        const std::string name = timeline.labels.front();
        QTest::keyClicks(bar.field(), QString::fromStdString(name).toUpper());
        QVERIFY(searched());
        QVERIFY(view.grab().toImage() != before);
        std::vector<std::uint8_t> wanted(timeline.labels.size(), 0);
        std::size_t expected = 0;
        for (std::size_t l = 0; l < wanted.size(); ++l)
            wanted[l] = QString::fromStdString(timeline.labels[l]).contains(QString::fromStdString(name), Qt::CaseInsensitive);
        for (const Lane &lane : timeline.lanes)
            for (const std::int32_t label : lane.label)
                expected += wanted[static_cast<std::size_t>(label)];
        QVERIFY2(bar.count().contains(QStringLiteral("%1 in B").arg(expected)), qPrintable(bar.count()));
        // Enter goes forward from what is visible, Shift+Enter back; both wrap around.
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(view.selectedSpan().has_value());
        const SpanRef first = *view.selectedSpan();
        QVERIFY(wanted[static_cast<std::size_t>(timeline.lanes[first.lane].label[first.span])] != 0);
        QVERIFY(bar.count().contains(QStringLiteral(" of %1 in B").arg(expected)));
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(*view.selectedSpan() != first);
        QTest::keyClick(bar.field(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(*view.selectedSpan() == first);
        for (std::size_t i = 0; i < expected; ++i)
            QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(*view.selectedSpan() == first);
        // The selection is visible.
        const auto [from, to] = view.axis().window();
        const double at = static_cast<double>(timeline.lanes[first.lane].start[first.span] - view.data()->origin());
        QVERIFY(at < to);
        COMPARE_ABOVE(at, from - 1e9);
        // A bucket of A is found by the names of its variables.
        const auto run = session().run(Side::A);
        const std::string variable = session().state().job->variables.front().name;
        bar.field()->setText(QString::fromStdString(variable));
        const auto found = run->labelsMatching(variable);
        QVERIFY(std::count(found.begin(), found.end(), 1) > 0);
        bar.field()->setText(QStringLiteral("no such thing"));
        QVERIFY(searched());
        QVERIFY(!bar.count().isEmpty() && !bar.count().contains(QLatin1Char('0')));
        QTest::keyClick(bar.field(), Qt::Key_Escape);
        QVERIFY(bar.isHidden());
        view.selectSpan({});
        view.axis().back();
    }

    void searchStaysWhileKnobsMove() {
        window().action(QStringLiteral("find"))->trigger();
        QTest::keyClicks(window().searchBar().field(), QStringLiteral("conv"));
        QVERIFY(searched());
        const QString before = window().searchBar().count();
        SessionState state = session().state();
        state.side(Side::B).source = Built{"AllReduce(chunk_size=1)"};
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(searched());
        QVERIFY(window().searchBar().count() != before);
    }

    void anAnswerToAnotherTextIsDropped() {
        window().action(QStringLiteral("find"))->trigger();
        SearchBar &bar = window().searchBar();
        bar.field()->setText(QStringLiteral("conv"));
        QVERIFY(searched());
        const QString conv = bar.count();
        bar.field()->setText(QStringLiteral("fc"));
        QVERIFY(searched());
        const QString fc = bar.count();
        QVERIFY(conv != fc);
        for (int round = 0; round < 10; ++round) {
            bar.field()->setText(QStringLiteral("conv"));
            QTest::qSleep(10); // found by now, but not delivered yet
            bar.field()->setText(QStringLiteral("fc"));
            QCOMPARE(bar.count(), QStringLiteral("Searching…"));
            QVERIFY(searched());
            QCOMPARE(bar.count(), fc);
        }
        // Enter before the results arrive goes to the first hit as soon as they do.
        TimelineView &view = window().view(Side::A);
        view.selectSpan({});
        bar.field()->setText(QStringLiteral("conv"));
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(!view.selectedSpan() && !window().view(Side::B).selectedSpan());
        QVERIFY(searched());
        QVERIFY(view.selectedSpan() || window().view(Side::B).selectedSpan());
    }

    void aPictureIsCopiedInPieces() {
        window().action(QStringLiteral("copyPicture"))->trigger();
        QTRY_VERIFY(!QApplication::clipboard()->image().isNull());
        const QImage copied = QApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32);
        QImage drawn = window().picture(2);
        drawn.setDevicePixelRatio(copied.devicePixelRatio());
        QCOMPARE(copied, drawn);
        // All from one state: if the state changes while the pieces are drawn, they are drawn again.
        QApplication::clipboard()->clear();
        SessionState state = session().state();
        state.side(Side::B).source = Built{"AllReduce(chunk_size=1)"};
        session().change(state, QStringLiteral("test"));
        window().action(QStringLiteral("copyPicture"))->trigger();
        QVERIFY(settle());
        QTRY_VERIFY(!QApplication::clipboard()->image().isNull());
        QVERIFY(QApplication::clipboard()->image().size() == copied.size());
    }

    void keysWalkLanesSpansAndNames() {
        TimelineView &view = window().view(Side::B);
        view.setFocus();
        view.setAllExpanded(true); // in a strip the keys walk all lanes, see below
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentLane().value(), view.layout().rows().front().lane);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentLane().value(), view.layout().rows()[1].lane);
        const SpanRef at = *view.selectedSpan();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(*view.selectedSpan(), (SpanRef{at.lane, at.span + 1}));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(*view.selectedSpan(), at);
        const Timeline &timeline = view.data()->timeline();
        const auto nameOf = [&](const SpanRef &span) {
            return timeline.labels[static_cast<std::size_t>(timeline.lanes[span.lane].label[span.span])];
        };
        QTest::keyClick(&view, Qt::Key_Period);
        const SpanRef next = *view.selectedSpan();
        QVERIFY(next != at);
        QCOMPARE(nameOf(next), nameOf(at));
        // No span of that name lies in between.
        for (std::size_t l = 0; l < timeline.lanes.size(); ++l)
            for (std::size_t i = 0; i < timeline.lanes[l].size(); ++i)
                if (nameOf({l, i}) == nameOf(at))
                    QVERIFY(timeline.lanes[l].start[i] <= timeline.lanes[at.lane].start[at.span] ||
                            timeline.lanes[l].start[i] >= timeline.lanes[next.lane].start[next.span]);
        QTest::keyClick(&view, Qt::Key_Comma);
        QCOMPARE(*view.selectedSpan(), at);
        const auto shown = view.axis().window();
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.axis().span() < shown.second - shown.first);
        QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(view.axis().window(), shown);
        QTest::keyClick(&view, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(view.axis().window() != shown);
    }

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
        QVERIFY(view.layout().rows().size() >= before + row.lanes - 1);
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

    /// A side that takes long says so, and can be cancelled; the other one is shown.
    void aSlowSideIsMarkedAndCancelled() {
        session().change(slowB(), QStringLiteral("slow"));
        WaitChip &chip = window().view(Side::B).waitChip();
        QVERIFY(QTest::qWaitFor(
            [&] {
                return chip.isVisible() && session().run(Side::A)->simulation() &&
                       session().run(Side::A)->recording().workers == 256;
            },
            syncopate::testing::patience));
        QVERIFY2(chip.text().startsWith(QStringLiteral("Simulating, ")), qPrintable(chip.text()));
        QVERIFY(!window().view(Side::A).waitChip().isVisible());
        QVERIFY2(window().readout().plainText().contains(QStringLiteral("(before; simulating…)")),
                 qPrintable(window().readout().plainText()));
        const auto *figures = window().inspector().findChild<QTableView *>();
        QCOMPARE(figures->model()->headerData(InspectorModel::BColumn, Qt::Horizontal).toString(), QStringLiteral("B before"));
        QCOMPARE(figures->model()->headerData(InspectorModel::AColumn, Qt::Horizontal).toString(), QStringLiteral("A"));
        QVERIFY(window().view(Side::A).rect().contains(window().view(Side::A).waitChip().geometry().topLeft()));
        QTest::mouseClick(&chip.button(), Qt::LeftButton);
        QVERIFY(!session().isStale() && session().run(Side::A) && !session().run(Side::B));
        QCOMPARE(chip.button().text(), QStringLiteral("Simulate"));
        QTest::mouseClick(&chip.button(), Qt::LeftButton);
        QVERIFY(session().isStale(Side::B));
        session().undoStack()->undo();
        QVERIFY(settle());
        QVERIFY(!chip.isVisible() && session().run(Side::B));
    }

    /// The side that arrives later is fitted into view; what was selected in the meantime is kept.
    void aLaterSideKeepsTheSelection() {
        session().change(slowB(), QStringLiteral("slow"));
        QVERIFY(
            QTest::qWaitFor([&] { return session().run(Side::A) && !session().isStale(Side::A); }, syncopate::testing::patience));
        QVERIFY(session().isStale(Side::B));
        window().axis().setSelection(TimeAxis::Range(1e6, 2e6));
        SessionState next = session().state();
        next.side(Side::B) = next.side(Side::A);
        session().change(next, QStringLiteral("quick"));
        QVERIFY(settle());
        COMPARE_ABOVE(window().axis().window().second, static_cast<double>(session().run(Side::B)->timeline().iteration()));
        QCOMPARE(window().axis().selection(), std::optional(TimeAxis::Range(1e6, 2e6)));
    }

    /// The side with few lanes gets the room for them and no more, whichever side it is; heights set by the user are kept.
    void panesAreSizedByTheirLanes() {
        QVERIFY(window().view(Side::A).fullHeight() < window().view(Side::B).fullHeight());
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
        QVERIFY(natural.size() >= 4);
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
        QVERIFY(names().size() < natural.size());
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

    void alignedByBackwardAndEnd() {
        const auto first = [&](Side side) { // by visiting every span
            const TimelineData &data = *window().view(side).data();
            double best = 1e300;
            for (std::size_t l = 0; l < data.laneCount(); ++l)
                for (std::size_t i = 0; i < data.lane(l).size(); ++i)
                    if (data.lane(l).worker == 0 && data.lane(l).category[i] == Category::Backward &&
                        data.lane(l).start[i] >= data.origin() && data.lane(l).start[i] < data.origin() + data.iteration())
                        best = std::min(best, static_cast<double>(data.lane(l).start[i] - data.origin()));
            return best;
        };
        SessionState state = session().state();
        state.bandwidthGbits = 1; // so that B's forward waits for its pulls, layer by layer
        state.side(Side::B) = {Built{"PSLoadBalancing"}, "p3"};
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        TimelineView &a = window().view(Side::A), &b = window().view(Side::B);
        QCOMPARE(b.offset(), 0.0);
        const double atA = first(Side::A), atB = first(Side::B);
        QVERIFY(std::abs(atA - atB) > 1);
        window().action(QStringLiteral("alignBackward"))->trigger();
        QCOMPARE(b.offset(), atB - atA);
        COMPARE_WITHIN(a.xOf(atA), b.xOf(atB - b.offset()), 1e-6);
        QCOMPARE(a.offset(), 0.0);
        // The strip compares what is aligned.
        const auto &axis = window().axis();
        constexpr int columns = 50;
        const auto values = window().difference().differences(columns);
        const double step = (axis.window().second - axis.window().first) / columns;
        for (int x = 0; x < columns; ++x) {
            double expected = 0;
            for (const auto &[view, sign] : {std::pair{&a, 1.0}, std::pair{&b, -1.0}}) {
                const TimelineData &data = *view->data();
                const double base = axis.window().first + static_cast<double>(data.origin()) + view->offset();
                const auto from = static_cast<Nanoseconds>(std::floor(base + x * step));
                const auto to = static_cast<Nanoseconds>(std::floor(base + (x + 1) * step));
                // Column boundaries in whole nanoseconds, for the worker of the figures.
                const Side side = view == &a ? Side::A : Side::B;
                const AreaStatistics area = areaStatistics(data.timeline(), from, to, session().run(side)->window().worker);
                expected += sign * area.exposedSeconds * 1e9 / static_cast<double>(to - from);
            }
            COMPARE_WITHIN(values[static_cast<std::size_t>(x)], expected, 1e-6);
        }
        // So does the Inspector.
        QSignalSpy areas(&session(), &Session::areaReady);
        window().axis().setSelection(TimeAxis::Range(atA - 5e6, atA + 5e6));
        QVERIFY(areas.wait(syncopate::testing::patience));
        const TimelineData &dataB = *b.data();
        const AreaStatistics expected = areaStatistics(dataB.timeline(), dataB.origin() + static_cast<Nanoseconds>(atB - 5e6),
                                                       dataB.origin() + static_cast<Nanoseconds>(atB + 5e6), 0);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return std::abs(window().inspector().model()->index(4, InspectorModel::BColumn).data(Qt::UserRole).toDouble() -
                                expected.backwardSeconds) < 1e-8;
            },
            syncopate::testing::patience));
        window().action(QStringLiteral("alignEnd"))->trigger();
        QCOMPARE(b.offset(), static_cast<double>(b.data()->iteration() - a.data()->iteration()));
        window().action(QStringLiteral("lock"))->trigger(); // on its own axis, B has its own time
        QCOMPARE(b.offset(), 0.0);
        window().action(QStringLiteral("lock"))->trigger();
        window().action(QStringLiteral("alignStart"))->trigger();
        QCOMPARE(b.offset(), 0.0);
    }

    void readoutTellsTheDifferenceAtTheCursor() {
        SessionState state = session().state();
        state.bandwidthGbits = 2;
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        const double time = static_cast<double>(window().view(Side::A).data()->iteration()) * 0.9;
        window().axis().setCursor(time);
        for (const Side side : {Side::A, Side::B}) {
            const TimelineData &data = *window().view(side).data();
            const AreaStatistics area =
                areaStatistics(data.timeline(), data.origin(), data.origin() + static_cast<Nanoseconds>(time),
                               session().run(side)->window().worker);
            COMPARE_WITHIN(window().readout().exposedToCursor(side).value(), area.exposedSeconds, 1e-8);
        }
        QTest::keyClick(&window().view(Side::A), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), window().readout().plainText());
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("exposed so far")));
    }

    void inspectorCountsWorkersAndVariables() {
        Inspector &inspector = window().inspector();
        const int rows = inspector.model()->rowCount();
        QSignalSpy areas(&session(), &Session::areaReady);
        window().variables().table()->selectRow(0);
        QVERIFY(areas.wait(syncopate::testing::patience));
        QVERIFY(QTest::qWaitFor([&] { return inspector.model()->rowCount() > rows; }, syncopate::testing::patience));
        const std::int32_t variable = window().variables().selectedVariable();
        for (const auto &[side, column] : {std::pair{Side::A, InspectorModel::AColumn}, {Side::B, InspectorModel::BColumn}}) {
            // Traffic of the variable in the iteration, by marking every boundary in a plain list.
            const auto run = session().run(side);
            const TimelineData &data = run->timeline();
            std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
            for (const Lane &lane : data.timeline().lanes)
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    const std::int32_t unit = run->unitOfTask(lane.task[i]);
                    if (lane.worker != 0 || unit < 0 || !isCommunication(lane.category[i]))
                        continue;
                    const auto &all = run->simulation()->graph.units[static_cast<std::size_t>(unit)].variables;
                    const Nanoseconds from = std::max(lane.start[i], data.origin());
                    const Nanoseconds to = std::min(lane.end[i], data.origin() + data.iteration());
                    if (std::find(all.begin(), all.end(), variable) != all.end() && from < to)
                        spans.emplace_back(from, to);
                }
            QVERIFY(!spans.empty());
            std::vector<Nanoseconds> cuts;
            for (const auto &[from, to] : spans)
                cuts.insert(cuts.end(), {from, to});
            std::sort(cuts.begin(), cuts.end());
            double expected = 0;
            for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
                if (std::any_of(spans.begin(), spans.end(),
                                [&](const auto &span) { return span.first <= cuts[c] && span.second >= cuts[c + 1]; }))
                    expected += static_cast<double>(cuts[c + 1] - cuts[c]) * 1e-9;
            const double counted = inspector.model()->index(rows, column).data(Qt::UserRole).toDouble();
            COMPARE_WITHIN(counted, expected, 1e-8);
        }
        window().variables().clearSelection();
        QCOMPARE(inspector.model()->rowCount(), rows);
        // A click on the difference sorts by magnitude, seconds first.
        inspector.table()->sortByColumn(InspectorModel::DeltaColumn, Qt::DescendingOrder);
        double last = 1e300;
        for (int row = 0; row < inspector.table()->model()->rowCount(); ++row) {
            const double size = inspector.table()->model()->index(row, InspectorModel::DeltaColumn).data(Qt::UserRole).toDouble();
            QVERIFY(size <= last);
            last = size;
        }
        // Another worker, and the mean of all, if there are several.
        if (QComboBox *box = inspector.workerBox(); box->count() > 1) {
            const int index = box->count() - 1;
            areas.clear();
            box->setCurrentIndex(index);
            Q_EMIT box->activated(index);
            QVERIFY(areas.wait(syncopate::testing::patience));
            const TimelineData &data = *window().view(Side::B).data();
            const AreaStatistics mean = areaStatistics(data.timeline(), data.origin(), data.origin() + data.iteration(), -1);
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return std::abs(inspector.model()->index(2, InspectorModel::BColumn).data(Qt::UserRole).toDouble() -
                                    mean.computeSeconds) < 1e-8;
                },
                syncopate::testing::patience));
        }
    }

    void hurriedPicturesAreRepaintedInFull() {
        TimelineView &view = window().view(Side::B);
        view.setDraftLimit(-1);
        view.axis().pan(1e6);
        const QImage full = view.grab().toImage();
        QVERIFY(!view.isDraft());
        view.axis().pan(-1e6);
        view.setDraftLimit(0); // everything takes longer than that
        (void)view.grab();
        view.axis().pan(1e6);
        const QImage draft = view.grab().toImage();
        QVERIFY(view.isDraft());
        QCOMPARE(draft.size(), full.size());
        // Nearly the same picture: less than a fifth of the lanes' pixels differ by more than a shade.
        int differing = 0, all = 0;
        const QRect plot = view.plotRect();
        for (int y = plot.top(); y < plot.bottom(); y += 2)
            for (int x = plot.left(); x < plot.right(); x += 3, ++all)
                differing += std::abs(qGray(draft.pixel(x, y)) - qGray(full.pixel(x, y))) > 16;
        QVERIFY2(differing * 5 < all, qPrintable(QStringLiteral("%1 of %2").arg(differing).arg(all)));
        QVERIFY(QTest::qWaitFor([&] { return !view.isDraft(); }, syncopate::testing::patience));
        view.setDraftLimit(-1);
        QCOMPARE(view.grab().toImage(), full);
    }

    void fuzzyPrefersWordsAndPieces() {
        QVERIFY(!fuzzyMatch(QStringLiteral("xyz"), QStringLiteral("Compare A/B")));
        QVERIFY(!fuzzyMatch(QStringLiteral("ba"), QStringLiteral("ab")));
        const auto score = [](const char *pattern, const char *text) {
            const auto match = fuzzyMatch(QString::fromLatin1(pattern), QString::fromLatin1(text));
            return match ? match->score : -1000000;
        };
        QVERIFY(score("cab", "Compare A/B") > score("cab", "Collapse a table"));
        QVERIFY(score("fit", "Fit selection") > score("fit", "Profit"));
        QVERIFY(score("conv1", "conv1/kernel") > score("conv1", "conv10/kernel"));
        QVERIFY(score("conv 1", "conv1/kernel") == score("conv1", "conv1/kernel"));
        QVERIFY(score("", "anything") == 0);
        const auto match = fuzzyMatch(QStringLiteral("sw"), QStringLiteral("Also Swap"));
        QCOMPARE(match->positions, (std::vector<int>{5, 6}));
    }

    void paletteFindsAnything() {
        const auto palette = [&] {
            window().action(QStringLiteral("palette"))->trigger();
            return window().findChild<CommandPalette *>();
        };
        // An action, by letters.
        CommandPalette *box = palette();
        QVERIFY(box);
        QTest::keyClicks(box->field(), QStringLiteral("swap"));
        QCOMPARE(box->list()->currentItem()->text(), QStringLiteral("Swap A and B"));
        const SessionState before = session().state();
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return session().state().side(Side::A) == before.side(Side::B); },
                                syncopate::testing::patience));
        QVERIFY(settle());
        QTest::qWait(1);
        // A variable, which is then selected.
        const std::string name = session().state().job->variables[5].name;
        box = palette();
        QTest::keyClicks(box->field(), QString::fromStdString(name));
        QCOMPARE(box->list()->currentItem()->text(), QString::fromStdString(name));
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return window().variables().selectedVariable() == 5; }, syncopate::testing::patience));
        QTest::qWait(1);
        // A lane, which becomes the current one.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("lane of b compute"));
        QVERIFY(box->list()->count() > 0);
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return window().view(Side::B).currentLane().has_value(); }, syncopate::testing::patience));
        QTest::qWait(1);
        // Redo is disabled: it is grey, says why, and Enter on it does nothing.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("redo"));
        QListWidgetItem *redo = nullptr;
        for (int row = 0; row < box->list()->count(); ++row)
            if (box->list()->item(row)->text() == QLatin1String("Redo"))
                redo = box->list()->item(row);
        QVERIFY(redo);
        QVERIFY(!redo->flags().testFlag(Qt::ItemIsEnabled));
        QVERIFY(!redo->toolTip().isEmpty());
        box->list()->setCurrentItem(redo);
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(box->isVisible());
        QTest::keyClick(box->field(), Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return !window().findChild<CommandPalette *>(); }, syncopate::testing::patience));
        // A job of the catalogue.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("vgg16"));
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return session().state().source.find("vgg16") != std::string::npos; },
                                syncopate::testing::patience));
        QVERIFY(settle());
    }

private:
    /// A span of that category within the window, several pixels wide.
    static SpanRef spanOf(const TimelineView &view, Category category) {
        const TimelineData &data = *view.data();
        for (const LaneLayout::Row &row : view.layout().rows())
            for (std::size_t i = 0; i < data.lane(row.lane).size(); ++i) {
                const Lane &lane = data.lane(row.lane);
                const double start = view.xOf(static_cast<double>(lane.start[i] - data.origin()));
                const double end = view.xOf(static_cast<double>(lane.end[i] - data.origin()));
                if (lane.category[i] == category && start > view.plotRect().left() && end - start > 5 &&
                    end < view.plotRect().right() && view.layout().topOf(row) + 10 < view.plotRect().height())
                    return {row.lane, i};
            }
        qFatal("no such span in sight");
    }
    static QPoint centreOf(const TimelineView &view, const SpanRef &span) {
        const TimelineData &data = *view.data();
        const Lane &lane = data.lane(span.lane);
        const double middle =
            static_cast<double>(lane.start[span.span] + lane.end[span.span]) / 2 - static_cast<double>(data.origin());
        return {static_cast<int>(view.xOf(middle)),
                view.plotRect().top() + view.layout().topOf(view.layout().rowOf(span.lane)) + view.layout().laneHeight() / 2};
    }

private:
    /// The text in the search bar has been searched and its hits counted.
    bool searched() {
        return QTest::qWaitFor([this] { return window().searchBar().count() != QStringLiteral("Searching…"); },
                               syncopate::testing::patience);
    }
};

QTEST_MAIN(TestTimelineTools)
#include "tst_timeline_tools.moc"
