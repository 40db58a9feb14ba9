// SPDX-License-Identifier: GPL-3.0-or-later
// The tutorial notices the user's actions, and the shortcut sheet agrees with the actions.
#include "tests/checks.h"
#include "ui/export/export_sheet.h"
#include "ui/help/about.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/help/tour.h"
#include "ui/theme/theme.h"
#include "ui/why/why_panel.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QTest>
#include <QTreeWidget>
#include <QWindow>

using namespace syncopate;
using namespace syncopate::ui;

class TestHelp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<MainWindow>(m_theme);
        m_window->resize(1280, 720);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void tutorialNoticesEachStep() {
        m_window->action(QStringLiteral("tutorial"))->trigger();
        QVERIFY(QTest::qWaitFor([this] { return m_window->findChild<Tour *>() != nullptr && tour().isVisible(); },
                                syncopate::testing::patience));
        Session &session = m_window->session();
        QVERIFY(QTest::qWaitFor([&] { return session.run(Side::B) && !session.isStale(); }, syncopate::testing::patience));
        const auto settle = [&] {
            return QTest::qWaitFor([&] { return !session.isStale() && !session.isLoading(); }, syncopate::testing::patience);
        };
        const std::vector<std::function<void()>> deeds{
            [&] { m_window->action(QStringLiteral("zoomIn"))->trigger(); },
            [&] { m_window->axis().setSelection(TimeAxis::Range(1e6, 2e6)); },
            [&] {
                SessionState next = session.state();
                next.bandwidthGbits = 8e-9 * next.cluster->nodes.front().bandwidthBytesPerSecond / 10;
                session.change(next, QStringLiteral("Bandwidth"));
            },
            [&] {
                for (QDockWidget *dock : m_window->findChildren<QDockWidget *>())
                    if (dock->objectName() == QStringLiteral("why")) {
                        dock->show();
                        dock->raise();
                    }
                QTest::qWait(50);
                m_window->why().askWait(Side::A, 0, session.run(Side::A)->recording().windowStartSeconds);
            },
            [&] {
                SessionState next = session.state();
                next.side(Side::B).source = Built{"PS"};
                session.change(next, QStringLiteral("Strategy B"));
            },
            [&] { m_window->action(QStringLiteral("undo"))->trigger(); },
            [&] { m_window->action(QStringLiteral("export"))->trigger(); },
        };
        QCOMPARE(tour().stepCount(), static_cast<int>(deeds.size()));
        for (std::size_t step = 0; step < deeds.size(); ++step) {
            QCOMPARE(tour().step(), static_cast<int>(step));
            tour().check();
            QVERIFY2(!tour().isStepDone(), qPrintable(QString::number(step)));
            deeds[step]();
            QVERIFY(settle());
            QVERIFY2(QTest::qWaitFor([this] { return tour().isStepDone(); }, syncopate::testing::patience),
                     qPrintable(QString::number(step)));
            if (step + 1 < deeds.size())
                tour().next();
        }
        tour().next(); // finish: the panel is deleted
        QVERIFY(QTest::qWaitFor([this] { return m_window->findChild<Tour *>() == nullptr; }, syncopate::testing::patience));
        // It can be started again.
        m_window->action(QStringLiteral("tutorial"))->trigger();
        QVERIFY(QTest::qWaitFor([this] { return m_window->findChild<Tour *>() != nullptr; }, syncopate::testing::patience));
    }

    /// A dock is briefly hidden while it is moved: only closing it ends the tutorial.
    void tutorialMayBeMoved() {
        m_window->action(QStringLiteral("tutorial"))->trigger();
        QVERIFY(QTest::qWaitFor([this] { return m_window->findChild<Tour *>() != nullptr && tour().isVisible(); },
                                syncopate::testing::patience));
        const QPointer<QDockWidget> dock = m_window->findChild<QDockWidget *>(QStringLiteral("tutorial"));
        const auto settleDown = [] {
            QTest::qWait(20);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        dock->setFloating(true);
        settleDown();
        QVERIFY(dock && dock->isVisible() && dock->isFloating());
        dock->setFloating(false);
        settleDown();
        QVERIFY(dock && dock->isVisible() && !dock->isFloating());
        QWindow *window = m_window->windowHandle();
        const QPoint title = dock->mapTo(m_window.get(), QPoint(30, 8));
        QTest::mousePress(window, Qt::LeftButton, {}, title);
        for (int step = 1; step <= 8; ++step) {
            QTest::mouseMove(window, title + QPoint(-50, 30) * step);
            settleDown();
            QVERIFY2(dock, "it went while it was dragged");
        }
        QTest::mouseRelease(window, Qt::LeftButton, {}, title + QPoint(-400, 240));
        settleDown();
        QVERIFY(dock && dock->isVisible());
        dock->close();
        QTRY_VERIFY(!dock);
    }

    /// A tutorial whose sample was not opened does not begin on the next job.
    void aCancelledTutorialDoesNotBegin() {
        Session &session = m_window->session();
        m_window->action(QStringLiteral("tutorial"))->trigger();
        session.cancelLoad();
        session.open(QStringLiteral("alexnet"));
        QVERIFY(QTest::qWaitFor([&] { return session.run(Side::B) && !session.isStale(); }, syncopate::testing::patience));
        QTest::qWait(20);
        const auto isBegun = [this] {
            const auto *begun = m_window->findChild<Tour *>();
            return begun && begun->isVisible();
        };
        QVERIFY(!isBegun());
        // Nor on the sample that the user opens later.
        m_window->action(QStringLiteral("tutorial"))->trigger();
        session.cancelLoad();
        const auto alexnet = session.state().job;
        m_window->action(QStringLiteral("sample"))->trigger();
        QVERIFY(QTest::qWaitFor([&] { return session.state().job != alexnet && session.run(Side::B) && !session.isStale(); },
                                syncopate::testing::patience));
        QTest::qWait(20);
        QVERIFY(!isBegun());
    }

    /// It is about both sides: B is shown again if A is shown alone, be it the sample's or another job's.
    void tutorialShowsBothSides_data() {
        QTest::addColumn<QString>("job");
        QTest::addColumn<bool>("undoes");
        QTest::newRow("the sample") << QString() << false;
        QTest::newRow("the sample, hidden again before it is simulated") << QString() << true;
        QTest::newRow("another job") << QStringLiteral("alexnet") << false;
    }
    void tutorialShowsBothSides() {
        QFETCH(QString, job);
        QFETCH(bool, undoes);
        Session &session = m_window->session();
        const auto settled = [&] {
            return QTest::qWaitFor([&] { return session.run(Side::A) && !session.isStale() && !session.isLoading(); },
                                   syncopate::testing::patience);
        };
        if (job.isEmpty())
            m_window->action(QStringLiteral("sample"))->trigger();
        else
            session.open(job);
        QVERIFY(settled());
        m_window->action(QStringLiteral("compare"))->trigger();
        QVERIFY(settled());
        QVERIFY(!session.state().compare);
        m_window->action(QStringLiteral("tutorial"))->trigger();
        if (undoes) {
            session.undoStack()->undo();
            QVERIFY(!session.state().compare);
        }
        QVERIFY(QTest::qWaitFor([this] { return m_window->findChild<Tour *>() != nullptr && tour().isVisible(); },
                                syncopate::testing::patience));
        QVERIFY(session.state().compare && session.run(Side::B));
    }

    /// Without a job no panel can be shown beside the start page, and the menu says why.
    void panelsWaitForAJob() {
        const QList<QDockWidget *> docks = m_window->findChildren<QDockWidget *>();
        QVERIFY(!docks.isEmpty());
        for (const QDockWidget *dock : docks) {
            const QAction *shows = dock->toggleViewAction();
            QVERIFY2(!shows->isEnabled() && !shows->property("whyNot").toString().isEmpty(), qPrintable(dock->objectName()));
        }
        m_window->session().open(QStringLiteral("alexnet"));
        QTRY_VERIFY_WITH_TIMEOUT(docks.front()->toggleViewAction()->isEnabled(), syncopate::testing::patience);
        for (const QDockWidget *dock : docks)
            QVERIFY2(dock->toggleViewAction()->isEnabled(), qPrintable(dock->objectName()));
    }

    void shortcutsAreThoseOfTheActions() {
        const auto keysOf = [this](const QString &text) {
            for (const ShortcutRow &row : shortcutsOf(*m_window->menuBar()))
                if (row.text == text)
                    return row.keys;
            return QString();
        };
        QAction *open = m_window->action(QStringLiteral("open"));
        QString text = open->text();
        text.remove(QLatin1Char('&'));
        QCOMPARE(keysOf(text), open->shortcut().toString(QKeySequence::NativeText));
        open->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+F7")));
        QCOMPARE(keysOf(text), QKeySequence(QStringLiteral("Ctrl+Alt+F7")).toString(QKeySequence::NativeText));
        QCOMPARE(keysOf(QStringLiteral("Redo")).count(QLatin1Char(',')), 1); // both of its keys
        QCOMPARE(keysOf(QStringLiteral("Lower panels")), QStringLiteral("Q"));
        // Every named action with keys is listed.
        std::size_t inMenus = 0;
        for (const QAction *action : m_window->findChildren<QAction *>())
            inMenus += !action->objectName().isEmpty() && !action->shortcut().isEmpty();
        COMPARE_AT_LEAST(shortcutsOf(*m_window->menuBar()).size(), inMenus);
    }

    void noTwoActionsShareAKey() {
        QMap<QString, QString> owners;
        for (const QAction *action : m_window->findChildren<QAction *>())
            for (const QKeySequence &keys : action->shortcuts()) {
                QVERIFY2(!owners.contains(keys.toString()) || action->objectName().isEmpty(),
                         qPrintable(keys.toString() + ": " + owners[keys.toString()] + " and " + action->objectName()));
                owners[keys.toString()] = action->objectName();
            }
    }

    void theSheetOpensAndFilters() {
        QAction *keys = m_window->action(QStringLiteral("keys"));
        QVERIFY(keys->shortcuts().contains(QKeySequence(QStringLiteral("?"))));
        keys->trigger();
        auto *sheet = m_window->findChild<ShortcutSheet *>();
        QVERIFY(sheet && sheet->isVisible());
        const auto shown = [sheet] {
            int count = 0;
            for (int g = 0; g < sheet->list().topLevelItemCount(); ++g)
                for (int i = 0; i < sheet->list().topLevelItem(g)->childCount(); ++i)
                    count += !sheet->list().topLevelItem(g)->isHidden() && !sheet->list().topLevelItem(g)->child(i)->isHidden();
            return count;
        };
        const int all = shown();
        COMPARE_ABOVE(all, 15);
        sheet->filter().setText(QStringLiteral("undo"));
        QCOMPARE(shown(), 1);
        for (const char *keys : {"M, R", "[ ]"}) { // Perfetto's
            sheet->filter().setText(QString::fromLatin1(keys));
            QCOMPARE(shown(), 1);
        }
        sheet->filter().clear();
        QCOMPARE(shown(), all);
    }

    void aboutNamesVersionsAndLicence() {
        const QString text = aboutText();
        QVERIFY(text.contains(QStringLiteral(SYNCOPATE_VERSION)));
        QVERIFY(text.contains(QString::fromLatin1(qVersion())));
        QVERIFY(text.contains(QStringLiteral("GNU General Public License, version 3")));
    }

private:
    [[nodiscard]] Tour &tour() { return *m_window->findChild<Tour *>(); }

    Theme m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
