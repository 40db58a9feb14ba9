// SPDX-License-Identifier: GPL-3.0-or-later
// Tools of the timelines of two sides: arrows, waits, alignment, figures at the cursor and of an area, pictures.
#include "tests/checks.h"
#include "tests/ui/slow_side.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_model.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/wait_chip.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/readout.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <functional>

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
        const TaskId task(timeline.lanes[selected.lane].task[selected.span]);
        QTRY_VERIFY(!view.flows().empty());
        bool parent = false, child = false;
        for (const SpanFlow &flow : view.flows()) {
            QVERIFY(flow.from == selected || flow.to == selected);
            const Lane &from = timeline.lanes[flow.from.lane], &to = timeline.lanes[flow.to.lane];
            COMPARE_AT_MOST(from.end[flow.from.span], to.start[flow.to.span] + 1);
            parent = parent || flow.to == selected;
            child = child || flow.from == selected;
        }
        QVERIFY(parent && child);
        // Each edge of the graph that leads directly into the push is shown.
        for (std::size_t t = 0; t < graph.size(); ++t)
            for (std::uint32_t e = graph.successorOffsets[t]; e < graph.successorOffsets[t + 1]; ++e)
                if (graph.successors[e] == task && view.spanOfTask(static_cast<std::int32_t>(t)))
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

    void bracketsFollowTheArrows() {
        TimelineView &view = window().view(Side::B);
        const TimelineData &data = *view.data();
        const SpanRef push = spanOf(view, Category::Push);
        for (const int step : {-1, 1}) {
            view.selectSpan(push);
            QTRY_VERIFY(!view.flows().empty());
            std::vector<SpanRef> connected;
            for (const SpanFlow &flow : view.flows())
                if ((step < 0 ? flow.to : flow.from) == push)
                    connected.push_back(step < 0 ? flow.from : flow.to);
            QVERIFY(!connected.empty());
            QTest::keyClick(&view, step < 0 ? Qt::Key_BracketLeft : Qt::Key_BracketRight);
            const SpanRef reached = view.selectedSpan().value();
            QVERIFY(std::ranges::find(connected, reached) != connected.end());
            for (const SpanRef &other : connected) {
                if (step < 0)
                    COMPARE_AT_MOST(data.lane(other.lane).end[other.span], data.lane(reached.lane).end[reached.span]);
                else
                    COMPARE_AT_LEAST(data.lane(other.lane).start[other.span], data.lane(reached.lane).start[reached.span]);
            }
        }
        // Layouts that have brackets on AltGr report Alt.
        view.selectSpan(push);
        QTRY_VERIFY(!view.flows().empty());
        QTest::keyClick(&view, Qt::Key_BracketRight, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(view.selectedSpan() != std::optional(push));
        view.selectSpan({});
        QTest::keyClick(&view, Qt::Key_BracketRight);
        QVERIFY(!view.selectedSpan());
    }

    void lettersSelectTheSpansTime() {
        TimelineView &view = window().view(Side::B);
        view.setOffset(1e6);
        const SpanRef push = spanOf(view, Category::Push);
        const Lane &lane = view.data()->lane(push.lane);
        const double base = static_cast<double>(view.data()->origin()) + view.offset();
        for (const Qt::Key key : {Qt::Key_M, Qt::Key_R}) {
            view.selectSpan(push);
            QTest::keyClick(&view, key);
            QVERIFY(view.axis().selection());
            QCOMPARE(view.axis().selection()->first, static_cast<double>(lane.start[push.span]) - base);
            QCOMPARE(view.axis().selection()->second, static_cast<double>(lane.end[push.span]) - base);
            QTest::keyClick(&view, Qt::Key_Escape);
            QTest::keyClick(&view, key); // nothing is selected
            QVERIFY(!view.axis().selection());
        }
    }

    /// Q takes the lower panels away and brings them back: the same in front, as high as before.
    void aKeyHidesTheLowerPanels() {
        const auto dock = [this](const char *name) { return window().findChild<QDockWidget *>(QLatin1String(name)); };
        for (const char *front : {"variables", "why"}) {
            dock(front)->raise();
            QTest::qWait(250); // docks move
            const int height = dock(front)->height();
            QTest::keyClick(&window().view(Side::A), Qt::Key_Q);
            QVERIFY(dock("variables")->isHidden() && dock("why")->isHidden() && dock("log")->isHidden());
            QVERIFY(dock("knobs")->isVisible() && dock("inspector")->isVisible());
            QTest::qWait(250);
            QTest::keyClick(&window().view(Side::A), Qt::Key_Q);
            QTRY_VERIFY(!dock(front)->visibleRegion().isEmpty());
            QTest::qWait(250);
            QVERIFY(dock("variables")->isVisible() && dock("why")->isVisible() && dock("log")->isVisible());
            QVERIFY(!dock(front)->visibleRegion().isEmpty());
            QCOMPARE(dock(front)->height(), height);
        }
        dock("log")->hide(); // by hand: it stays hidden
        for (int time = 0; time < 2; ++time)
            window().action(QStringLiteral("lowerPanels"))->trigger();
        QVERIFY(dock("log")->isHidden() && !dock("why")->isHidden());
    }

    /// The name of a kernel breaks, so that no line of the description runs off the edge; the copied text has no breaks.
    void longNamesBreakInTheInspector() {
        const QString name = QStringLiteral("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*,unsigned_long,ncclWork*)");
        auto timeline = std::make_shared<Timeline>();
        timeline->labels = {name.toStdString()};
        timeline->duration = 1000;
        timeline->lanes.resize(1);
        Lane &lane = timeline->lanes.front();
        lane.name = "GPU 0/stream 84/communication";
        lane.worker = 0;
        lane.start = {0};
        lane.end = {1000};
        lane.category = {Category::OtherComm};
        lane.label = lane.variable = lane.task = {0};
        lane.sizeBytes = {0};
        TimeAxis axis;
        TimelineView view(theme(), axis, QStringLiteral("A"));
        view.setData(std::make_shared<const TimelineData>(timeline, 0, 1000));
        window().inspector().showSpan(QStringLiteral("<b>one</b>"));
        QTest::qWait(50);
        window().inspector().showSpan(view.describe({0, 0}));
        QTest::qWait(50);
        QLabel *text = nullptr;
        for (QLabel *label : window().inspector().findChildren<QLabel *>())
            if (label->text().contains(QStringLiteral("ncclKernel")))
                text = label;
        QVERIFY(text && text->isVisible());
        COMPARE_AT_MOST(text->width(), text->parentWidget()->width());
        COMPARE_AT_MOST(text->minimumSizeHint().width(), text->parentWidget()->width());
        QCOMPARE(text->parentWidget()->width(), text->parentWidget()->parentWidget()->width()); // there is room: no scroll bar
        text->setFocus();
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.contains(name) && copied.contains(QStringLiteral("GPU 0/stream 84/communication")), qPrintable(copied));
        QVERIFY(!copied.contains(QChar(0x200b)));
    }

    void arrowsOfAVariable() {
        window().variables().table()->selectRow(0);
        const std::int32_t variable = window().variables().selectedVariable();
        for (const Side side : {Side::A, Side::B}) {
            const TimelineView &view = window().view(side);
            const auto run = session().run(side);
            QTRY_VERIFY(!view.flows().empty());
            COMPARE_AT_MOST(view.flows().size(), maxFlowArrows);
            for (const SpanFlow &flow : view.flows()) {
                const auto about = [&](const SpanRef &span) {
                    const UnitId unit = run->unitOfTask(TaskId(run->recording().timeline.lanes[span.lane].task[span.span]));
                    if (!unit.exists())
                        return false;
                    const auto &all = run->simulation()->graph.units[unit.index()].variables;
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

    /// A picture whose stretch of time or size changes while its pieces are drawn is begun anew.
    void aCopiedPictureIsOfOneMoment() {
        const auto copied = [this](int pieces, const std::function<void()> &change) {
            QApplication::clipboard()->clear();
            window().action(QStringLiteral("copyPicture"))->trigger();
            afterEvents(pieces, change); // each piece is drawn in an event of its own
            (void)QTest::qWaitFor([] { return !QApplication::clipboard()->image().isNull(); }, syncopate::testing::patience);
            return QApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32);
        };
        const auto drawn = [this] {
            QImage image = window().picture(2);
            image.setDevicePixelRatio(1);
            return image;
        };
        for (int pieces = 1; pieces <= 4; ++pieces) {
            QImage got = copied(pieces, [this] { window().axis().zoomAt(1e6, 0.8); });
            got.setDevicePixelRatio(1);
            QVERIFY2(got == drawn(), qPrintable(QStringLiteral("zoomed after piece %1").arg(pieces)));
            got = copied(pieces, [this, pieces] { window().resize(1600 - 20 * pieces, 900 - 10 * pieces); });
            QCOMPARE(got.size(), drawn().size());
        }
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
        QVERIFY2(window().readout().plainText().contains(QStringLiteral("(previous value; simulating…)")),
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

    /// The side that arrives later is fitted into view; a selection made in the meantime is kept.
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
        const auto picture = [&](bool wholeIteration) {
            const Picture timelines = window().timelinePicture(wholeIteration);
            QImage image(timelines.size, QImage::Format_RGB32);
            QPainter painter(&image);
            timelines.paint(painter, {});
            return image;
        };
        const QImage whole = picture(true), onScreen = picture(false);
        const double atA = first(Side::A), atB = first(Side::B);
        COMPARE_ABOVE(std::abs(atA - atB), 1);
        window().action(QStringLiteral("alignBackward"))->trigger();
        QCOMPARE(b.offset(), atB - atA);
        QVERIFY(picture(false) != onScreen); // shows B as its pane does
        QVERIFY(picture(true) == whole);
        COMPARE_WITHIN(a.xOf(atA), b.xOf(atB - b.offset()), 1e-6);
        QCOMPARE(a.offset(), 0.0);
        // The strip compares the runs as aligned.
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
        const AreaStatistics expected =
            areaStatistics(dataB.timeline(), dataB.origin() + static_cast<Nanoseconds>(atB - 5e6),
                           dataB.origin() + static_cast<Nanoseconds>(atB + 5e6), session().run(Side::B)->window().worker);
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
                    const UnitId unit = run->unitOfTask(TaskId(lane.task[i]));
                    if (lane.worker != run->window().worker || !unit.exists() || !isCommunication(lane.category[i]))
                        continue;
                    const auto &all = run->simulation()->graph.units[unit.index()].variables;
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
            COMPARE_AT_MOST(size, last);
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
            const AreaStatistics mean = areaStatistics(data.timeline(), data.origin(), data.origin() + data.iteration(), -1, {},
                                                       session().run(Side::B)->simulation()->graph.workerMultiplicity);
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

private:
    /// Makes the change when this many events, each posted by the one before it, have been handled.
    static void afterEvents(int events, const std::function<void()> &change) {
        const auto next = [events, change] { events > 1 ? afterEvents(events - 1, change) : change(); };
        QMetaObject::invokeMethod(qApp, next, Qt::QueuedConnection);
    }
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
};

QTEST_MAIN(TestTimelineTools)
#include "tst_timeline_tools.moc"
