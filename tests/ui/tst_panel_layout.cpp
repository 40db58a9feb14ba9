// SPDX-License-Identifier: GPL-3.0-or-later
// Panels are arranged according to a layout of any bytes, and while one of them is being dragged.
#include "tests/checks.h"
#include "ui/window/panel_layout.h"

#include <QDockWidget>
#include <QTest>
#include <QToolBar>
#include <QWindow>

using namespace syncopate::ui;

class TestPanelLayout final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        // Qt warns each time about functions of a window that the offscreen platform lacks.
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &text) {
            if (!text.contains(QLatin1String("This plugin does not support")))
                std::fprintf(stderr, "%s\n", qPrintable(text));
        });
    }
    void init() {
        m_window = std::make_unique<QMainWindow>();
        m_window->setDockOptions(QMainWindow::AllowTabbedDocks);
        m_window->setCentralWidget(new QWidget);
        m_window->addToolBar(QStringLiteral("bar"))->setObjectName(QStringLiteral("bar"));
        add("left", Qt::LeftDockWidgetArea);
        add("right", Qt::RightDockWidgetArea);
        QDockWidget *tab = add("tab 1", Qt::BottomDockWidgetArea);
        for (const char *name : {"tab 2", "tab 3"})
            m_window->tabifyDockWidget(tab, add(name, Qt::BottomDockWidgetArea));
        add("beside the tabs", Qt::BottomDockWidgetArea);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void arrangesAsItWas_data() {
        QTest::addColumn<QString>("what");
        for (const char *what : {"nothing", "float", "hide", "raise", "split", "move", "tabs at a side", "alone"})
            QTest::newRow(what) << what;
    }
    void arrangesAsItWas() {
        QFETCH(QString, what);
        const QByteArray before = m_window->saveState();
        if (what == QLatin1String("float"))
            floatRight();
        else if (what == QLatin1String("hide"))
            dock("left")->hide();
        else if (what == QLatin1String("raise"))
            dock("tab 2")->raise();
        else if (what == QLatin1String("split"))
            m_window->splitDockWidget(dock("left"), dock("right"), Qt::Vertical);
        else if (what == QLatin1String("move"))
            m_window->addDockWidget(Qt::TopDockWidgetArea, dock("tab 1"));
        else if (what == QLatin1String("tabs at a side"))
            m_window->tabifyDockWidget(dock("left"), dock("right"));
        else if (what == QLatin1String("alone"))
            for (QDockWidget *panel : m_window->findChildren<QDockWidget *>())
                panel->hide();
        const QByteArray layout = m_window->saveState();
        const QStringList then = arrangement();
        QVERIFY(isPanelLayout(layout));
        QVERIFY(restorePanels(*m_window, before));
        if (what != QLatin1String("nothing"))
            QVERIFY(arrangement() != then);
        QVERIFY(restorePanels(*m_window, layout));
        QCOMPARE(arrangement(), then);
    }

    // Given directly to Qt, many of these bytes crash it.
    void survivesDamage() {
        floatRight();
        const QByteArray layout = m_window->saveState();
        const QStringList before = arrangement();
        int refused = 0;
        for (qsizetype at = 0; at < layout.size(); ++at) {
            for (const int flip : {0x01, 0x80, 0xff}) {
                QByteArray damaged = layout;
                damaged[at] = static_cast<char>(damaged[at] ^ flip);
                refused += !restorePanels(*m_window, damaged);
            }
            QVERIFY(!restorePanels(*m_window, layout.left(at)));
            QVERIFY(!restorePanels(*m_window, layout + layout.left(at + 1)));
            QVERIFY(!isPanelLayout(layout.left(at) + layout.mid(at + 1)));
        }
        COMPARE_ABOVE(refused, layout.size());
        QByteArray twice = layout;
        twice.replace(utf16("tab 1"), utf16("tab 2"));
        QVERIFY2(!isPanelLayout(twice), "a panel in two places");
        QVERIFY(restorePanels(*m_window, layout));
        QCOMPARE(arrangement(), before);
    }

    /// Layouts of versions with three panels for searches, candidates and sweeps: the panel of runs takes the place of the one in
    /// front, and is in front if that was.
    void threePanelsOfRunsBecomeOne_data() {
        QTest::addColumn<QString>("inFront");
        QTest::addColumn<QString>("former");
        QTest::newRow("search") << "search"
                                << "search";
        QTest::newRow("sweeps") << "sweeps"
                                << "sweeps";
        QTest::newRow("candidates") << "candidates"
                                    << "candidates";
        QTest::newRow("none of them") << "why"
                                      << "search";
    }
    void threePanelsOfRunsBecomeOne() {
        QFETCH(QString, inFront);
        QFETCH(QString, former);
        const auto tabs = [this](const QStringList &names) {
            m_window = std::make_unique<QMainWindow>();
            m_window->setCentralWidget(new QWidget);
            add("left", Qt::LeftDockWidgetArea);
            QDockWidget *first = nullptr;
            for (const QString &name : names) {
                QDockWidget *panel = add(qPrintable(name), Qt::BottomDockWidgetArea);
                if (first)
                    m_window->tabifyDockWidget(first, panel);
                else
                    first = panel;
            }
            m_window->resize(1200, 800);
            m_window->show();
            QCoreApplication::processEvents();
        };
        tabs({"variables", "why", "sweeps", "search", "candidates", "log"});
        dock(qPrintable(inFront))->raise();
        QCoreApplication::processEvents();
        const QByteArray layout = m_window->saveState();
        QCOMPARE(formerRunsPanel(layout), former);
        tabs({"variables", "why", "runs", "log"});
        QVERIFY(restorePanels(*m_window, layout));
        QCoreApplication::processEvents();
        for (QDockWidget *panel : m_window->findChildren<QDockWidget *>()) {
            const bool seen = panel->objectName() == QLatin1String("left") ||
                              panel->objectName() == (inFront == QLatin1String("why") ? inFront : QStringLiteral("runs"));
            QVERIFY2(panel->visibleRegion().isEmpty() == !seen, qPrintable(panel->objectName()));
            QVERIFY(!panel->isHidden() && !panel->isFloating());
            if (panel->objectName() != QLatin1String("left"))
                QCOMPARE(m_window->dockWidgetArea(panel), Qt::BottomDockWidgetArea);
        }
        const QByteArray kept = m_window->saveState(); // has the place of runs, and the former panels' places as placeholders
        QVERIFY(isPanelLayout(kept));
        QCOMPARE(formerRunsPanel(kept), QString());
        QVERIFY(restorePanels(*m_window, kept));
    }

    // As when a project has just been read. Qt would otherwise use freed memory.
    void aPanelInHandIsPutDown() {
        const QByteArray layout = m_window->saveState();
        const QStringList before = arrangement();
        QWindow *window = m_window->windowHandle();
        for (int n = 0; n < 8; ++n) {
            QDockWidget *panel = dock(n % 2 == 0 ? "left" : "right");
            const QPoint title = panel->mapTo(m_window.get(), QPoint(40, 8));
            QTest::mousePress(window, Qt::LeftButton, {}, title);
            for (int step = 1; step <= 8; ++step) {
                QTest::mouseMove(window, title + QPoint(300, 200) * (n % 2 == 0 ? step : -step) / 8);
                if (step == 5) {
                    QVERIFY2(panel->isFloating(), "it is not being dragged");
                    QVERIFY(restorePanels(*m_window, layout));
                    QVERIFY(!panel->isFloating());
                }
            }
            QTest::mouseRelease(window, Qt::LeftButton, {}, title);
            QCOMPARE(arrangement(), before);
        }
    }

private:
    static QByteArray utf16(const char *text) {
        QByteArray bytes;
        for (const char *c = text; *c != 0; ++c)
            bytes.append('\0').append(*c);
        return bytes;
    }
    QDockWidget *add(const char *name, Qt::DockWidgetArea area) {
        auto *panel = new QDockWidget(QString::fromLatin1(name));
        panel->setObjectName(QString::fromLatin1(name));
        panel->setWidget(new QWidget);
        panel->widget()->setMinimumSize(150, 100);
        m_window->addDockWidget(area, panel);
        return panel;
    }
    void floatRight() {
        dock("right")->setFloating(true);
        dock("right")->setGeometry(50, 60, 100, 120);
    }
    /// The position of each panel, by name.
    QStringList arrangement() const {
        QCoreApplication::processEvents();
        QStringList places;
        for (const QDockWidget *panel : m_window->findChildren<QDockWidget *>()) {
            const QRect at = panel->visibleRegion().isEmpty() ? QRect() : panel->geometry();
            places.push_back(QStringLiteral("%1: %2 %3,%4 %5x%6")
                                 .arg(panel->objectName(), panel->isHidden()                  ? "hidden"
                                                           : panel->isFloating()              ? "floats"
                                                           : panel->visibleRegion().isEmpty() ? "behind a tab"
                                                                                              : "seen")
                                 .arg(at.x())
                                 .arg(at.y())
                                 .arg(at.width())
                                 .arg(at.height()));
        }
        places.sort();
        return places;
    }
    QDockWidget *dock(const char *name) const { return m_window->findChild<QDockWidget *>(QString::fromLatin1(name)); }

    std::unique_ptr<QMainWindow> m_window;
};

QTEST_MAIN(TestPanelLayout)
#include "tst_panel_layout.moc"
