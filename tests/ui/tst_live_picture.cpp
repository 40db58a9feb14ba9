// SPDX-License-Identifier: GPL-3.0-or-later
// The picture on the first page responds to its slider with the simulator's result.
#include "tests/checks.h"
#include "ui/runs/plan_stack.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/window/live_picture.h"
#include "ui/window/main_window.h"

#include <QLabel>
#include <QScopeGuard>
#include <QSlider>
#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

class TestLivePicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSliderIsAnswered() {
        Theme theme;
        MainWindow window(theme);
        window.resize(1280, 720);
        window.show();
        auto *picture = window.findChild<LivePicture *>();
        QVERIFY(picture && picture->isVisible());
        std::array<double, 2> before{};
        for (const int step : {0, 40}) {
            picture->slider().setValue(step);
            COMPARE_CLOSE(picture->gbits(), step == 0 ? 4.0 : 40.0, 1e-9);
            const QString shown = QStringLiteral("%1 Gbit/s:").arg(picture->gbits(), 0, 'f', 1);
            QVERIFY(QTest::qWaitFor([&] { return picture->line().text().contains(shown); }, syncopate::testing::patience));
            const SessionState state = picture->state();
            QCOMPARE(picture->stack().rows().size(), std::size_t{2});
            for (const Side side : {Side::A, Side::B}) {
                const auto run = simulateSide(state, side, {});
                QVERIFY(run.has_value());
                const double want = static_cast<double>((*run)->timeline().iteration());
                const double got = static_cast<double>(picture->stack().rows()[indexOf(side)].data->iteration());
                COMPARE_CLOSE(got, want, 1e-9);
                if (step == 40)
                    COMPARE_BELOW(got, before[indexOf(side)]);
                before[indexOf(side)] = got;
            }
        }
    }

    /// German nouns begin with a capital, in the middle of a sentence, too.
    void germanWaysAreNouns() {
        const auto english = qScopeGuard([] { speak({}); });
        QCOMPARE(speak({QStringLiteral("de")}), QStringLiteral("de"));
        Theme theme;
        MainWindow window(theme);
        window.show();
        auto *picture = window.findChild<LivePicture *>();
        int compared = 0;
        for (int step = 0; step <= 40; step += 10) {
            picture->slider().setValue(step);
            const QString shown = QStringLiteral("%1 Gbit/s:").arg(picture->gbits(), 0, 'f', 1);
            QVERIFY(QTest::qWaitFor([&] { return picture->line().text().contains(shown); }, syncopate::testing::patience));
            const QString way = picture->line().text().section(QStringLiteral(" weniger Zeit mit "), 1);
            compared += way.isEmpty() ? 0 : 1;
            QVERIFY2(way.isEmpty() || way == QStringLiteral("All-Reduce.") || way == QStringLiteral("Parameterservern."),
                     qPrintable(picture->line().text()));
        }
        COMPARE_ABOVE(compared, 0);
    }

    /// Where the ways to begin need all the room there is none, and it keeps no window from becoming low.
    void itIsShownWhereItFits() {
        Theme theme;
        MainWindow window(theme);
        window.resize(960, 540); // 1920x1080 whose pixels count twice
        window.show();
        const LivePicture *picture = window.findChild<LivePicture *>();
        QVERIFY(picture->isVisible());
        window.resize(960, 420);
        QTRY_VERIFY(!picture->isVisible());
        COMPARE_BELOW(window.height(), 500);
        window.resize(960, 540);
        QTRY_VERIFY(picture->isVisible());
    }
};

QTEST_MAIN(TestLivePicture)
#include "tst_live_picture.moc"
