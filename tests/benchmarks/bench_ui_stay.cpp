// SPDX-License-Identifier: GPL-3.0-or-later
// How long a single event blocks the GUI thread while a user does each thing once or a few times: BERT-large on 16 workers,
// parameter server beside DDP, in a 1920x1080 window. Per action the longest event, in wall time and in CPU time of the GUI
// thread (other programs on the machine affect only the former), and its receiver. No event may take longer than 16 ms.
//
//   bench_ui_stay [TEXT]     only actions whose name contains TEXT are printed
#include "engine/job/catalogue.h"
#include "tests/ui/stay_clock.h"
#include "ui/export/export_sheet.h"
#include "ui/knobs/knob.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/session/sample.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/theme.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <cstdio>
#include <fstream>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

class Script final {
public:
    Script(StayClock &clock, MainWindow &window, QString wanted) : m_clock(clock), m_window(window), m_wanted(std::move(wanted)) {
        m_clock.onStay = [this](const Stay &stay) {
            if (stay.cpuMilliseconds > m_longest.cpuMilliseconds)
                m_longest = stay;
            m_wall = std::max(m_wall, stay.wallMilliseconds);
        };
    }
    ~Script() { m_clock.onStay = nullptr; }
    Script(const Script &) = delete;
    Script &operator=(const Script &) = delete;

    /// Does `action` `times` times, each in an event of its own, and prints the longest event until everything has settled.
    void act(const char *name, const std::function<void()> &action, int times = 1, int restMilliseconds = 400) {
        m_longest = {};
        m_wall = 0;
        for (int n = 0; n < times; ++n) {
            bool done = false;
            QMetaObject::invokeMethod(
                &m_clock.hands,
                [&] {
                    action();
                    done = true;
                },
                Qt::QueuedConnection);
            while (!done)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            QCoreApplication::processEvents();
        }
        QElapsedTimer rest;
        rest.start();
        while (rest.elapsed() < restMilliseconds || m_window.session().isStale() || m_window.session().isLoading()) {
            QCoreApplication::processEvents();
            QThread::msleep(1);
        }
        if (m_wanted.isEmpty() || QString::fromUtf8(name).contains(m_wanted))
            std::printf("%-46s %7.1f %7.1f %s  %s\n", name, m_longest.cpuMilliseconds, m_wall,
                        m_longest.cpuMilliseconds > 16 ? "OVER" : "    ", qUtf8Printable(m_longest.what));
        m_over += m_longest.cpuMilliseconds > 16;
        ++m_actions;
        std::fflush(stdout);
    }
    void trigger(const char *name, const char *action, int restMilliseconds = 400) {
        act(
            name, [=, this] { m_window.action(QLatin1String(action))->trigger(); }, 1, restMilliseconds);
    }
    [[nodiscard]] int over() const { return m_over; }
    [[nodiscard]] int actions() const { return m_actions; }

private:
    StayClock &m_clock;
    MainWindow &m_window;
    QString m_wanted;
    Stay m_longest;
    double m_wall = 0;
    int m_over = 0, m_actions = 0;
};

/// The user's own events: each is measured separately.
void send(QWidget &widget, QEvent &event) {
    static_cast<StayClock *>(qApp)->apart([&] { QCoreApplication::sendEvent(&widget, &event); });
}

void mouse(QWidget &widget, QEvent::Type type, const QPointF &at, Qt::MouseButton button = Qt::LeftButton,
           Qt::KeyboardModifiers keys = Qt::NoModifier) {
    const bool moves = type == QEvent::MouseMove;
    const bool released = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget.mapToGlobal(at), moves ? Qt::NoButton : button, released ? Qt::NoButton : button, keys);
    send(widget, event);
}

void key(QWidget &widget, int key, const QString &text = {}) {
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, Qt::NoModifier, text);
        send(widget, event);
    }
}

void timelines(Script &script, MainWindow &window) {
    TimelineView &view = window.view(Side::A);
    const QPointF middle = QRectF(view.plotRect()).center();
    int n = 0;
    script.act(
        "point at spans",
        [&] {
            ++n;
            mouse(view, QEvent::MouseMove, middle + QPointF(4 * n, n % 20), Qt::NoButton);
        },
        60);
    script.act(
        "zoom by the wheel",
        [&] {
            QWheelEvent event(middle, view.mapToGlobal(middle), {}, QPoint(0, ++n % 40 < 20 ? 120 : -120), Qt::NoButton,
                              Qt::ControlModifier, Qt::NoScrollPhase, false);
            send(view, event);
        },
        40);
    script.act("pan", [&] {
        mouse(view, QEvent::MouseButtonPress, middle, Qt::MiddleButton);
        for (int m = 0; m < 30; ++m)
            mouse(view, QEvent::MouseMove, middle + QPointF(5 * m, 0), Qt::MiddleButton);
        mouse(view, QEvent::MouseButtonRelease, middle, Qt::MiddleButton);
    });
    script.trigger("fit", "fit");
    script.act("select a stretch", [&] {
        mouse(view, QEvent::MouseButtonPress, middle);
        for (int m = 0; m < 30; ++m)
            mouse(view, QEvent::MouseMove, middle + QPointF(8 * m, 0));
        mouse(view, QEvent::MouseButtonRelease, middle + QPointF(240, 0));
    });
    script.act("select a span", [&] {
        if (view.data())
            view.showSpan({0, view.data()->lane(0).size() / 2});
    });
    script.act(
        "walk the spans by keys", [&] { key(view, Qt::Key_Right); }, 20);
    script.act(
        "walk spans of one name", [&] { key(view, Qt::Key_Period); }, 10);
    script.act("clear the selection", [&] { key(view, Qt::Key_Escape); });
    script.trigger("collapse all workers", "collapseAll");
    script.trigger("expand all workers", "expandAll");
    script.trigger("align by backward start", "alignBackward");
    script.trigger("align by iteration start", "alignStart");
    script.trigger("find: open", "find");
    const QString text = QStringLiteral("encoder/layer_1");
    int letter = 0;
    script.act(
        "find: type", [&] { window.searchBar().field()->insert(text.mid(letter++, 1)); }, static_cast<int>(text.size()));
    script.act(
        "find: next", [&] { key(*window.searchBar().field(), Qt::Key_Return); }, 10);
    script.act("find: close", [&] { window.searchBar().close(); });
    script.trigger("copy picture", "copyPicture");
    script.trigger("copy readout", "copyReadout");
    window.notes().setNotes({});
}

void knobs(Script &script, MainWindow &window) {
    for (const char *id : {"bandwidth", "latency", "workers", "servers", "bucket_cap"}) {
        Knob *knob = window.knobs().knob(QLatin1String(id));
        QSlider *slider = knob ? knob->slider() : nullptr;
        if (!slider || !slider->isEnabled())
            continue;
        const int start = slider->sliderPosition();
        int n = 0;
        // Not up to hundreds of servers: simulating them is another benchmark's subject.
        script.act(
            qPrintable(QStringLiteral("drag %1").arg(QLatin1String(id))),
            [&] {
                slider->setSliderDown(true);
                slider->setSliderPosition(start + (++n % 10));
            },
            20);
        script.act(qPrintable(QStringLiteral("drop %1").arg(QLatin1String(id))), [&] { slider->setSliderDown(false); });
        script.trigger(qPrintable(QStringLiteral("undo %1").arg(QLatin1String(id))), "undo");
    }
    script.trigger("redo", "redo");
    script.trigger("undo", "undo");
    script.act("choose a strategy", [&] {
        SessionState next = window.session().state();
        next.sides[0].source = Built{"PartitionedPS"};
        window.session().change(next, QStringLiteral("strategy"));
    });
    script.act("choose a policy", [&] {
        SessionState next = window.session().state();
        next.sides[0].policy = "bytescheduler";
        window.session().change(next, QStringLiteral("policy"));
    });
    script.trigger("swap A and B", "swap");
    script.trigger("show A alone", "compare");
    script.trigger("compare", "compare");
    script.trigger("unlock axes", "lock");
    script.trigger("lock axes", "lock");
}

void panels(Script &script, MainWindow &window) {
    VariablesPanel &variables = window.variables();
    const auto raise = [&](const char *name) {
        auto *dock = window.findChild<QWidget *>(QLatin1String(name));
        dock->show();
        dock->raise();
    };
    for (const char *name : {"variables", "scenarios", "notes", "log", "runs"})
        script.act(qPrintable(QStringLiteral("show %1").arg(QLatin1String(name))), [&] { raise(name); });
    script.trigger("show why, until it has answered", "explain", 5000);
    script.trigger("show sweeps, until it is swept", "sweep", 5000);
    script.trigger("show topology", "topology", 1000);
    script.act("show variables again", [&] { raise("variables"); });
    const QString filter = QStringLiteral("bytes>4MiB kernel");
    int letter = 0;
    script.act(
        "variables: filter", [&] { variables.filter()->insert(filter.mid(letter++, 1)); }, static_cast<int>(filter.size()));
    script.act("variables: no filter", [&] { variables.filter()->clear(); });
    script.act("variables: sort", [&] { variables.table()->sortByColumn(2, Qt::DescendingOrder); });
    int row = 0;
    script.act(
        "variables: walk", [&] { variables.table()->selectRow(++row * 7); }, 10);
    script.act("variables: select all", [&] { variables.table()->selectAll(); });
    script.act("variables: scroll", [&] { variables.table()->scrollToBottom(); });
    script.trigger("find anything: open", "palette");
    script.act(
        "find anything: type",
        [&] {
            if (QWidget *front = QApplication::activeModalWidget())
                if (auto *field = front->findChild<QLineEdit *>())
                    field->insert(QStringLiteral("e"));
        },
        4);
    const auto closeFront = [] {
        if (auto *front = qobject_cast<QDialog *>(QApplication::activeModalWidget()))
            front->reject();
    };
    script.act("find anything: close", closeFront);
    script.trigger("shortcuts: open", "keys");
    script.act("shortcuts: close", closeFront);
    script.trigger("theme: light", "theme_light");
    script.trigger("theme: dark", "theme_dark");
    int size = 0;
    script.act(
        "resize",
        [&] {
            ++size;
            window.resize(1920 - 40 * (size % 6), 1080 - 20 * (size % 6));
        },
        12);
    window.resize(1920, 1080);
}

void files(Script &script, MainWindow &window, const QString &folder) {
    script.act(
        "export: open", [&] { window.action(QStringLiteral("export"))->trigger(); }, 1, 1000);
    const QPointer<ExportSheet> sheet = window.findChild<ExportSheet *>();
    if (sheet) {
        sheet->setFolder(folder);
        for (const auto &[name, tab] : {std::pair{"export: trace", ExportSheet::TraceTab},
                                        {"export: table", ExportSheet::TableTab},
                                        {"export: picture", ExportSheet::PictureTab},
                                        {"export: settings", ExportSheet::SettingsTab},
                                        {"export: report", ExportSheet::ReportTab}})
            script.act(
                name, [&sheet, tab = tab] { sheet->setTab(tab); }, 1, 2000);
        for (int view = 1; view < sheet->choice("picture")->count(); ++view) {
            sheet->setTab(ExportSheet::PictureTab);
            script.act(
                qPrintable(QStringLiteral("export: picture of %1").arg(sheet->choice("picture")->itemText(view))),
                [&sheet, view] { sheet->choice("picture")->setCurrentIndex(view); }, 1, 1500);
        }
        script.act(
            "export: as SVG", [&sheet] { sheet->choice("pictureFormat")->setCurrentIndex(1); }, 1, 1500);
        script.act(
            "export: write", [&sheet] { sheet->accept(); }, 1, 1000);
    }
    const QString project = folder + QStringLiteral("/bench.syncopate");
    script.act("keep the scenario", [&] { window.keeper().keepPresent(QStringLiteral("kept")); });
    script.act(
        "save the project", [&] { window.keeper().saveAs(project); }, 1, 2500);
    script.act(
        "open the project", [&] { window.session().open(project); }, 1, 1500);
    script.act(
        "open a job of the catalogue", [&] { window.session().open(QStringLiteral("vgg16")); }, 1, 1000);
    script.act(
        "open a cluster", [&] { window.session().openCluster(QStringLiteral("A1")); }, 1, 1000);
    script.act(
        "open the sample profile", [&] { window.session().openSample(); }, 1, 1500);
    script.act(
        "measured beside simulated",
        [&] {
            SessionState next = window.session().state();
            next.sides[0].source = Measured{};
            window.session().change(next, QStringLiteral("measured"));
        },
        1, 1000);
    script.act(
        "open another window", [&] { window.openWindow(); }, 1, 1000);
}

void searches(Script &script, MainWindow &window) {
    script.trigger("search: open", "search");
    script.act(
        "search: 40 trials",
        [&] {
            window.search().budgetBox().setValue(40);
            window.search().startButton().click();
        },
        1, 8000);
    script.act(
        "search: stop", [&] { window.search().stop(); }, 1, 1000);
    script.act(
        "search: show a candidate", [&] { window.search().put(3, Side::B); }, 1, 1500);
    script.trigger("search: candidates", "showCandidates");
    script.act(
        "search: walk candidates", [&] { key(window.candidates().table(), Qt::Key_Down); }, 5, 1500);
}

} // namespace

int main(int argc, char **argv) {
    const QTemporaryDir home;
    for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(variable, home.path().toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    StayClock app(argc, argv);
    Theme theme;
    theme.setSetting(Theme::Setting::Dark);
    MainWindow window(theme);
    window.resize(1920, 1080);
    window.show();
    double load = 0;
    std::ifstream("/proc/loadavg") >> load;
    std::printf("Load of the machine at the start: %.1f on %d cores\n%-46s %7s %7s\n", load, QThread::idealThreadCount(),
                "action: longest event, ms", "CPU", "wall");
    Script script(app, window, argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString());
    script.act(
        "open BERT-large on 16 workers",
        [&] {
            SessionState scenario;
            scenario.source = "bert_large";
            scenario.job = std::make_shared<const Job>(*catalogueJob("bert_large"));
            scenario.clusterSource = "uniform";
            scenario.cluster = std::make_shared<const Cluster>(uniformCluster(16, 25));
            scenario.sides = {SideState{Built{"PSLoadBalancing"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}};
            window.session().change(scenario, QStringLiteral("open"));
        },
        1, 1000);
    window.session().undoStack()->clear(); // so that undo never removes the job
    timelines(script, window);
    panels(script, window);
    knobs(script, window);
    searches(script, window);
    files(script, window, home.path());
    std::printf("%d of %d actions over 16 ms\n", script.over(), script.actions());
    return 0;
}
