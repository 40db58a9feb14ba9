// SPDX-License-Identifier: GPL-3.0-or-later
// Animations end at their target, on a path that the eye can follow, and never interfere with direct manipulation.
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/theme/motion.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/pane_swap.h"

#include <QAction>
#include <QApplication>
#include <QProxyStyle>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

double widthOf(TimeAxis::Range window) { return window.second - window.first; }

/// A platform whose user asked for less motion.
class StillStyle final : public QProxyStyle {
public:
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const override {
        return hint == SH_Widget_Animation_Duration ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
    }
};

} // namespace

class TestMotion : public QObject, private WindowFixture {
    Q_OBJECT

    /// An axis of one second, all of it visible.
    struct Axis {
        TimeAxis axis;
        Axis() {
            axis.setBounds(0, 1e9);
            axis.setWindow(0, 1e9);
        }
        /// Sets the animation to `share` of its time, where it stays.
        void at(double share) {
            axis.glide().animation().pause();
            axis.glide().animation().setCurrentTime(static_cast<int>(std::lround(share * axis.glide().animation().duration())));
        }
    };

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("SyncopateMotionTest")); // separate settings
    }
    void init() {
        allowMotion(true);
        setMotionWanted(true);
    }
    void cleanup() {
        allowMotion(false);
        setMotionWanted(true);
        stop();
    }

    /// Equal shares of the animation change the width by equal factors, and the fixed time stays fixed throughout.
    void theWayIsEven() {
        const TimeAxis::Range from{0, 1e9}, to{4e8, 4.01e8};
        const double fixed = 4e8 / (1e9 - 1e6) * 1e9; // (fixed - 0) / 1e9 = (fixed - 4e8) / 1e6
        double before = 1e9;
        for (int step = 1; step <= 10; ++step) {
            const auto window = TimeGlide::between(from, to, step / 10.0);
            COMPARE_CLOSE(widthOf(window) / before, std::pow(1e-3, 0.1), 1e-9);
            COMPARE_CLOSE((fixed - window.first) / widthOf(window), fixed / 1e9, 1e-6);
            before = widthOf(window);
        }
        QVERIFY(TimeGlide::between(from, to, 0) == from);
        QVERIFY(TimeGlide::between(from, to, 1) == to);
        const auto half = TimeGlide::between({0, 100}, {1000, 1100}, 0.5); // of the same width: linear
        COMPARE_CLOSE(half.first, 500.0);
        COMPARE_CLOSE(half.second, 600.0);
    }

    void fitGlidesToItsTarget() {
        Axis a;
        QSignalSpy shown(&a.axis, &TimeAxis::windowChanged);
        a.axis.fit(4e8, 5e8);
        const auto target = a.axis.destination();
        COMPARE_CLOSE(target.first, 4e8 - 3e6);
        COMPARE_CLOSE(target.second, 5e8 + 3e6);
        QCOMPARE(shown.count(), 0); // nothing jumps
        double before = 1e9;
        for (const double share : {0.2, 0.4, 0.6, 0.8}) {
            a.at(share);
            COMPARE_BELOW(widthOf(a.axis.window()), before);
            COMPARE_ABOVE(widthOf(a.axis.window()), widthOf(target));
            QVERIFY(a.axis.destination() == target);
            before = widthOf(a.axis.window());
        }
        QCOMPARE(shown.count(), 4); // one picture per step
        a.at(1);
        QVERIFY(a.axis.window() == target);
        QVERIFY(!a.axis.glide().isRunning());
    }

    /// It ends by its own clock.
    void theClockEndsIt() {
        Axis a;
        a.axis.fit(4e8, 5e8);
        const auto target = a.axis.destination();
        QTRY_VERIFY_WITH_TIMEOUT(a.axis.window() == target, syncopate::testing::patience);
    }

    /// The wheel and drags move the visible window at once, and it stays where they leave it.
    void aHandIsNeverBehind() {
        Axis a;
        a.axis.fit(4e8, 5e8);
        a.at(0.5);
        const auto seen = a.axis.window();
        const double time = (seen.first + seen.second) / 2;
        a.axis.zoomAt(time, 0.5);
        COMPARE_CLOSE(widthOf(a.axis.window()), widthOf(seen) / 2);
        COMPARE_CLOSE((a.axis.window().first + a.axis.window().second) / 2, time);
        QVERIFY(!a.axis.glide().isRunning());
        QVERIFY(a.axis.destination() == a.axis.window());
        a.axis.fit(4e8, 5e8);
        a.at(0.5);
        const auto again = a.axis.window();
        a.axis.pan(1e6);
        COMPARE_CLOSE(a.axis.window().first, again.first + 1e6);
        QVERIFY(!a.axis.glide().isRunning());
    }

    /// Commands during an animation continue from its target, not from the present window.
    void commandsFollowEachOther() {
        Axis a;
        const auto whole = a.axis.window();
        a.axis.fit(4e8, 5e8);
        const auto first = a.axis.destination();
        a.at(0.3);
        a.axis.fit(4.4e8, 4.5e8);
        const auto second = a.axis.destination();
        a.at(0.3);
        a.axis.back();
        QVERIFY(a.axis.destination() == first);
        a.at(0.3);
        a.axis.back();
        QVERIFY(a.axis.destination() == whole);
        a.axis.forward();
        a.axis.forward();
        QVERIFY(a.axis.destination() == second);
        a.axis.bringIn(4.4e8, 4.5e8); // it is visible there
        QVERIFY(a.axis.destination() == second);
        a.axis.bringIn(8e8, 8.1e8);
        COMPARE_CLOSE((a.axis.destination().first + a.axis.destination().second) / 2, 8.05e8);
        COMPARE_CLOSE(widthOf(a.axis.destination()), widthOf(second));
        TimeAxis other;
        other.copyFrom(a.axis);
        QVERIFY(other.window() == a.axis.destination());
    }

    /// Tests and pictures have no animations, and the user can switch them off.
    void canBeDoneWithout() {
        const auto jumps = [] {
            Axis a;
            a.axis.fit(4e8, 5e8);
            return !a.axis.glide().isRunning() && widthOf(a.axis.window()) < 2e8;
        };
        QVERIFY(!jumps());
        allowMotion(false);
        QVERIFY(jumps());
        allowMotion(true);
        setMotionWanted(false);
        QVERIFY(jumps());
        setMotionWanted(true);
        QVERIFY(!jumps());
    }

    /// In the window: new runs appear in place, a double click and Back glide, and View > Animations disables it.
    void zoomsOfTheWindow() {
        start();
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        TimeAxis &axis = window().axis();
        QVERIFY(!axis.glide().isRunning());
        TimelineView &pane = window().view(Side::A);
        const Lane &lane = pane.data()->lane(0);
        const auto span = SpanRef{0, lane.size() / 2};
        const double middle =
            (static_cast<double>(lane.start[span.span] + lane.end[span.span])) / 2 - static_cast<double>(pane.data()->origin());
        const QPoint at(pane.columnOf(middle), pane.plotRect().top() + pane.layout().laneHeight() / 2);
        QVERIFY(pane.spanAt(at).has_value());
        const auto whole = axis.window();
        QTest::mouseDClick(&pane, Qt::LeftButton, {}, at);
        QVERIFY(axis.glide().isRunning());
        COMPARE_BELOW(widthOf(axis.destination()), widthOf(whole) / 4);
        axis.glide().finish();
        window().action(QStringLiteral("back"))->trigger();
        QVERIFY(axis.glide().isRunning());
        QVERIFY(axis.destination() == whole);
        axis.glide().finish();
        window().action(QStringLiteral("animations"))->trigger();
        QVERIFY(!isMotionWanted());
        QTest::mouseDClick(&pane, Qt::LeftButton, {}, at);
        QVERIFY(!axis.glide().isRunning());
        COMPARE_BELOW(widthOf(axis.window()), widthOf(whole) / 4);
        window().action(QStringLiteral("animations"))->trigger();
        QVERIFY(isMotionWanted());
    }

    /// Each pane's picture moves to the other's place, above panes that accept clicks throughout.
    void swapIsSeen() {
        start();
        session().startWith({SideState{Built{"PSLoadBalancing"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "fifo"}},
                            true);
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        const auto lanesOf = [&](Side side) {
            TimelineView &pane = window().view(side);
            return pane.mapTo(&window(), QPoint(0, pane.plotRect().top()));
        };
        const QPoint a = lanesOf(Side::A), b = lanesOf(Side::B);
        window().action(QStringLiteral("swap"))->trigger();
        PaneSwap *const swap = window().findChild<PaneSwap *>();
        QVERIFY(swap);
        swap->animation().pause();
        swap->animation().setCurrentTime(0);
        QCOMPARE(swap->place(0), a);
        QCOMPARE(swap->place(1), b);
        swap->animation().setCurrentTime(swap->animation().duration() / 2);
        QCOMPARE(swap->place(0), (a + b) / 2);
        QVERIFY(swap->testAttribute(Qt::WA_TransparentForMouseEvents));
        QCOMPARE(window().childAt(a + QPoint(200, 10)), &window().view(Side::A));
        swap->animation().resume();
        QTRY_VERIFY_WITH_TIMEOUT(!window().findChild<PaneSwap *>(), syncopate::testing::patience);
        QVERIFY(settle());
        allowMotion(false);
        window().action(QStringLiteral("swap"))->trigger();
        QVERIFY(!window().findChild<PaneSwap *>());
        QVERIFY(settle());
    }

    /// Must be last: the style stays.
    void platformAsksForLess() {
        COMPARE_ABOVE(motionMilliseconds(), 0);
        QApplication::setStyle(new StillStyle);
        QCOMPARE(motionMilliseconds(), 0);
        Axis a;
        a.axis.fit(4e8, 5e8);
        QVERIFY(!a.axis.glide().isRunning());
        COMPARE_BELOW(widthOf(a.axis.window()), 2e8);
    }
};

QTEST_MAIN(TestMotion)
#include "tst_motion.moc"
