// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the pictures of docs/pictures: every screen of the explorer, in one theme and size.
//   QT_QPA_PLATFORM=offscreen screens FOLDER dark|light [WIDTHxHEIGHT [NAME...]]
#include "engine/job/catalogue.h"
#include "ui/difference/difference_panel.h"
#include "ui/export/export_sheet.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/help/tour.h"
#include "ui/inspector/profile_panel.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/scenarios_panel.h"
#include "ui/query/query_panel.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/plan_costs_page.h"
#include "ui/runs/plan_dag_page.h"
#include "ui/runs/plan_dag_view.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/sweep_preset.h"
#include "ui/runs/tune_preset.h"
#include "ui/runs/winner_sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/topology_panel.h"
#include "ui/variables/variables_panel.h"
#include "ui/why/scaling_view.h"
#include "ui/why/why_panel.h"
#include "ui/window/command_palette.h"
#include "ui/window/live_picture.h"
#include "ui/window/main_window.h"
#include "ui/window/perspectives.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QImageWriter>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <algorithm>
#include <initializer_list>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

constexpr int patience = 120000;

QList<QRgb> frequentColors(const QImage &image) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ++counts[image.pixel(x, y)];
    QList<QRgb> colors = counts.keys();
    std::sort(colors.begin(), colors.end(), [&](QRgb a, QRgb b) { return counts[a] > counts[b]; });
    return colors.mid(0, 256);
}

class Photographer {
public:
    Photographer(QString folder, QString theme, QSize size, QStringList wanted)
        : m_folder(std::move(folder)), m_suffix(std::move(theme)), m_size(size), m_wanted(std::move(wanted)) {
        m_theme.setSetting(Theme::settingFromName(m_suffix));
    }

    bool takeAll() {
        tuning();
        firstContact();
        scenarios();
        perspectives();
        scale();
        if (areWanted({"start", "error"}))
            empty();
        if (areWanted({"explorer", "area", "flows", "why", "query", "measured", "alone"}))
            sample();
        if (areWanted({"topology", "scenarios", "notes", "sweep", "no-candidates", "search", "candidates", "log", "export",
                       "shortcuts", "palette", "cannot-simulate"}))
            model();
        if (areWanted({"plan", "why-plan"}))
            plans();
        sweptPlans();
        if (areWanted({"throughput", "overhead"}))
            throughput();
        if (areWanted({"tutorial"}))
            tutorial();
        ranks();
        recording();
        return areTaken() && m_fine;
    }

private:
    std::unique_ptr<MainWindow> open() {
        auto window = std::make_unique<MainWindow>(m_theme);
        window->resize(m_size);
        window->show();
        QTest::qWait(50);
        return window;
    }

    template <class Condition> void wait(Condition condition) { m_fine = QTest::qWaitFor(condition, patience) && m_fine; }

    void settle(MainWindow &window) {
        wait([&] { return window.session().state().job && !window.session().isLoading() && !window.session().isStale(); });
        QTest::qWait(100);
    }

    void raise(MainWindow &window, const char *panel) {
        auto *dock = window.findChild<QDockWidget *>(QLatin1String(panel));
        dock->show();
        dock->raise();
        QTest::qWait(100);
    }

    [[nodiscard]] bool isWanted(const QString &name) const { return m_wanted.isEmpty() || m_wanted.contains(name); }

    /// Whether a picture is wanted whose name starts with one of these.
    [[nodiscard]] bool areWanted(std::initializer_list<const char *> beginnings) const {
        return m_wanted.isEmpty() || std::any_of(m_wanted.begin(), m_wanted.end(), [&](const QString &name) {
                   return std::any_of(beginnings.begin(), beginnings.end(),
                                      [&](const char *beginning) { return name.startsWith(QLatin1String(beginning)); });
               });
    }

    /// Whether there was a picture of each wanted name. A name may begin like others without being one.
    [[nodiscard]] bool areTaken() const {
        bool are = true;
        for (const QString &name : m_wanted)
            if (!m_seen.contains(name)) {
                std::fprintf(stderr, "screens: no picture is named \"%s\"; those beside it: %s\n", qUtf8Printable(name),
                             qUtf8Printable(m_seen.join(QStringLiteral(", "))));
                are = false;
            }
        return are;
    }

    /// The window, with an open dialog in its centre, if there is one.
    void take(const QString &name, MainWindow &window, QWidget *dialog = nullptr) {
        m_seen += name;
        if (!isWanted(name))
            return;
        QTest::qWait(150);
        QPixmap picture = window.grab();
        if (dialog != nullptr) {
            QPainter painter(&picture);
            painter.fillRect(window.rect(), QColor(0, 0, 0, 110));
            const QPixmap above = dialog->grab();
            painter.drawPixmap((window.width() - dialog->width()) / 2, (window.height() - dialog->height()) / 2, above);
        }
        // 256 colours suffice for an interface, at a third of the bytes.
        const QImage whole = picture.toImage().convertToFormat(QImage::Format_RGB32);
        const QImage image = whole.convertToFormat(QImage::Format_Indexed8, frequentColors(whole), Qt::ThresholdDither);
        QImageWriter writer(QDir(m_folder).filePath(name + QLatin1Char('-') + m_suffix + QStringLiteral(".png")));
        writer.setQuality(0); // smallest file, lossless
        m_fine = writer.write(image) && m_fine;
    }

    void empty() {
        const auto window = open();
        if (auto *live = window->findChild<LivePicture *>(); live->isVisible())
            wait([&] { return !live->line().text().isEmpty(); });
        take(QStringLiteral("start"), *window);
        const QTemporaryDir folder;
        QFile bad(folder.filePath(QStringLiteral("profile.json")));
        m_fine = bad.open(QIODevice::WriteOnly) && m_fine;
        bad.write("{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 12,\n");
        bad.close();
        window->session().open(bad.fileName());
        wait([&] { return !window->session().isLoading(); });
        take(QStringLiteral("error"), *window);
    }

    void sample() {
        const auto window = open();
        window->session().openSample();
        settle(*window);
        take(QStringLiteral("explorer"), *window);
        const double iteration = window->session().run(Side::A)->recording().iterationSeconds * 1e9;
        window->axis().setSelection(TimeAxis::Range(0.35 * iteration, 0.75 * iteration));
        window->axis().setCursor(0.5 * iteration);
        QTest::qWait(300);
        take(QStringLiteral("area"), *window);
        window->axis().setSelection({});
        QTableView *table = window->variables().table();
        table->selectRow(3);
        take(QStringLiteral("flows"), *window);
        table->clearSelection();
        window->action(QStringLiteral("explain"))->trigger();
        wait([&] { return window->why().answer() && window->why().answer()->complete; });
        take(QStringLiteral("why"), *window);
        if (isWanted(QStringLiteral("why-scaling"))) {
            SessionState slow = window->session().state(); // so that there is a knee
            slow.bandwidthGbits = 0.2;
            window->session().change(slow, QStringLiteral("Bandwidth"));
            settle(*window);
            window->why().showScaling(true);
            wait([&] { return window->why().scaling().scaling() && window->why().scaling().scaling()->isComplete; });
            wait([&] { return window->why().answer() && window->why().answer()->complete; });
            take(QStringLiteral("why-scaling"), *window);
            window->why().showScaling(false);
            window->session().undoStack()->undo();
            settle(*window);
        }
        window->action(QStringLiteral("query"))->trigger();
        auto *query = window->findChild<QueryPanel *>();
        query->ask();
        wait([&] { return !query->isRunning(); });
        take(QStringLiteral("query"), *window);
        SessionState measured = window->session().state();
        if (measured.profile) {
            measured.side(Side::A).source = Measured{};
            window->session().change(measured, QStringLiteral("A as measured"));
            settle(*window);
            raise(*window, "variables");
            take(QStringLiteral("measured"), *window);
            if (isWanted(QStringLiteral("difference"))) {
                raise(*window, "difference");
                window->traceDifference().compare(
                    QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz"));
                wait([&] { return !window->traceDifference().isRunning(); });
                window->traceDifference().table().table().selectRow(0);
                wait([&] { return !window->traceDifference().isFinding(); });
                take(QStringLiteral("difference"), *window);
            }
            window->session().undoStack()->undo();
            settle(*window);
        }
        SessionState alone = window->session().state();
        alone.compare = false;
        window->session().change(alone, QStringLiteral("A alone"));
        settle(*window);
        raise(*window, "variables");
        take(QStringLiteral("alone"), *window);
    }

    /// Eight recorded ranks, some of which keep the others waiting; passed as SYNCOPATE_RANKS, since not shipped.
    void ranks() {
        const QString recorded = qEnvironmentVariable("SYNCOPATE_RANKS");
        if (!isWanted(QStringLiteral("why-ranks")) || recorded.isEmpty())
            return;
        const auto window = open();
        window->session().open(recorded);
        settle(*window);
        SessionState measured = window->session().state();
        measured.side(Side::A).source = Measured{};
        window->session().change(measured, QStringLiteral("A as measured"));
        settle(*window);
        window->action(QStringLiteral("explain"))->trigger();
        window->why().askIteration(Side::A);
        wait([&] { return window->why().stragglers().found() != nullptr; });
        take(QStringLiteral("why-ranks"), *window);
    }

    /// A trace without a training step: a timeline that can be queried.
    void recording() {
        if (!isWanted(QStringLiteral("recording")))
            return;
        const auto window = open();
        window->session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/rocpd_v3.db"));
        settle(*window);
        window->action(QStringLiteral("query"))->trigger();
        auto *query = window->findChild<QueryPanel *>();
        query->ask();
        wait([&] { return !query->isRunning(); });
        take(QStringLiteral("recording"), *window);
    }

    void model() {
        const auto window = open();
        window->session().open(QStringLiteral("bert_large"), QStringLiteral("B7"));
        settle(*window);
        raise(*window, "topology");
        SessionState slow = window->session().state(); // below a connection's limit, so that links are the bottleneck
        slow.bandwidthGbits = 8;
        window->session().change(slow, QStringLiteral("Bandwidth"));
        settle(*window);
        auto *side = window->topology().findChild<QComboBox *>();
        side->setCurrentIndex(1);
        QTest::qWait(500);
        take(QStringLiteral("topology"), *window);
        window->topology().linkPaint().setCurrentIndex(static_cast<int>(LinkPaint::Worth));
        take(QStringLiteral("topology_worth"), *window);
        window->topology().linkPaint().setCurrentIndex(static_cast<int>(LinkPaint::Load));
        side->setCurrentIndex(0);
        window->session().undoStack()->undo();
        settle(*window);
        window->action(QStringLiteral("keep"))->trigger();
        SessionState next = window->session().state();
        next.bandwidthGbits = 10;
        window->session().change(next, QStringLiteral("Bandwidth"));
        settle(*window);
        window->action(QStringLiteral("keep"))->trigger();
        take(QStringLiteral("scenarios"), *window);
        if (isWanted(QStringLiteral("scenarios-stacked"))) {
            ScenariosPanel &scenarios = window->scenarios();
            for (int row = 0; row < 3; ++row)
                scenarios.table()->selectionModel()->select(scenarios.table()->model()->index(row, 0),
                                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
            scenarios.stackButton().click();
            wait([&] { return !scenarios.stacked()->isSimulating(); });
            take(QStringLiteral("scenarios-stacked"), *window, scenarios.stacked());
            scenarios.stacked()->reject();
            scenarios.table()->selectRow(0);
        }
        window->view(Side::A).setFocus();
        window->notes().add({0, 2e7, 6e7, {}, "the first pushes wait for the backward pass"});
        raise(*window, "notes");
        take(QStringLiteral("notes"), *window);
        window->action(QStringLiteral("sweep"))->trigger();
        window->sweeps().sweepKnob(QStringLiteral("bandwidth"));
        wait([&] { return window->sweeps().sweep() && window->sweeps().sweep()->isComplete(); });
        QTest::qWait(300);
        take(QStringLiteral("sweeps"), *window);
        window->runs().setView(RunsPanel::View::Table);
        take(QStringLiteral("sweep-table"), *window);
        window->action(QStringLiteral("showCandidates"))->trigger();
        take(QStringLiteral("no-candidates"), *window);
        window->runs().setView(RunsPanel::View::Plot);
        window->action(QStringLiteral("search"))->trigger();
        take(QStringLiteral("search-sheet"), *window);
        m_fine = window->search().methodSheet().setText("autosync()").has_value() && m_fine;
        window->search().start();
        wait([&] { return window->searcher().status() == Searcher::Status::Done && window->searcher().isTuned(); });
        QTest::qWait(300);
        take(QStringLiteral("search"), *window);
        window->search().shownBox().setCurrentIndex(1);
        QTest::qWait(300);
        take(QStringLiteral("search-trust"), *window);
        window->search().shownBox().setCurrentIndex(0);
        if (isWanted(QStringLiteral("search-winner"))) {
            window->search().explain();
            wait([&] { return !window->search().winnerSheet()->isBusy(); });
            take(QStringLiteral("search-winner"), *window, window->search().winnerSheet());
            window->search().winnerSheet()->close();
        }
        window->candidates().model().setPinned(-1, true);
        window->candidates().model().setPinned(17, true);
        window->action(QStringLiteral("showCandidates"))->trigger();
        take(QStringLiteral("candidates"), *window);
        window->runs().setView(RunsPanel::View::Both);
        take(QStringLiteral("search-both"), *window);
        window->runs().setView(RunsPanel::View::Plot);
        raise(*window, "log");
        take(QStringLiteral("log"), *window);
        window->action(QStringLiteral("export"))->trigger();
        auto *sheet = window->findChild<ExportSheet *>();
        for (const auto &[tab, name] : {std::pair{ExportSheet::StrategyTab, "export"},
                                        {ExportSheet::PictureTab, "export-picture"},
                                        {ExportSheet::SettingsTab, "export-settings"}}) {
            sheet->setTab(tab);
            QTest::qWait(1500);
            take(QString::fromLatin1(name), *window, sheet);
        }
        sheet->reject();
        QTest::qWait(50);
        window->action(QStringLiteral("keys"))->trigger();
        take(QStringLiteral("shortcuts"), *window, window->findChild<ShortcutSheet *>());
        window->findChild<ShortcutSheet *>()->close();
        QTest::qWait(50);
        window->action(QStringLiteral("palette"))->trigger();
        auto *palette = window->findChild<CommandPalette *>();
        take(QStringLiteral("palette"), *window, palette);
        palette->field()->setText(QStringLiteral("search"));
        take(QStringLiteral("palette-search"), *window, palette);
        palette->close();
        next = window->session().state();
        next.side(Side::B).policy = "bytescheduler(partition=0)";
        window->session().change(next, QStringLiteral("Policy B"));
        settle(*window);
        raise(*window, "why");
        take(QStringLiteral("cannot-simulate"), *window);
    }

    /// Scenarios from all sources side by side: kept, searched and swept, with the front drawn.
    void scenarios() {
        if (!isWanted(QStringLiteral("scenarios-front")))
            return;
        const auto window = open();
        window->session().open(QStringLiteral("resnet50"), QStringLiteral("A2"));
        settle(*window);
        for (const double gbits : {25.0, 10.0}) {
            SessionState next = window->session().state();
            next.bandwidthGbits = gbits;
            window->session().change(next, QStringLiteral("Bandwidth"));
            settle(*window);
            window->action(QStringLiteral("keep"))->trigger();
        }
        window->search().budgetBox().setValue(30);
        window->search().start();
        wait([&] { return window->searcher().status() == Searcher::Status::Done && window->searcher().isTuned(); });
        window->action(QStringLiteral("sweep"))->trigger();
        window->sweeps().sweepKnob(QStringLiteral("workers"));
        wait([&] { return window->sweeps().sweep() && window->sweeps().sweep()->isComplete(); });
        raise(*window, "scenarios");
        window->scenarios().priceBox().setValue(3.5);
        wait([&] { return !window->scenarios().isJudging(); });
        window->scenarios().table()->sortByColumn(ScenariosModel::Front, Qt::DescendingOrder);
        window->scenarios().table()->selectRow(0);
        QTest::qWait(500);
        take(QStringLiteral("scenarios-front"), *window);
    }

    /// A user's own profile: the sample's, without the cluster that lies beside it.
    void firstContact() {
        if (!isWanted(QStringLiteral("profile")) && !isWanted(QStringLiteral("profile-moved")))
            return;
        const QTemporaryDir folder;
        const QString own = folder.filePath(QStringLiteral("rank0.json.gz"));
        m_fine = QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz"), own) && m_fine;
        const auto window = open();
        window->session().open(own);
        settle(*window);
        wait([&] { return window->profile().check().has_value(); });
        take(QStringLiteral("profile"), *window);
        window->profile().moveTo(QStringLiteral("A2"));
        wait([&] { return window->session().state().side(Side::B).cluster != nullptr; });
        settle(*window);
        take(QStringLiteral("profile-moved"), *window);
    }

    void perspectives() {
        if (!m_wanted.isEmpty() && std::none_of(m_wanted.begin(), m_wanted.end(), [](const QString &name) {
                return name.startsWith(QLatin1String("perspective"));
            }))
            return;
        const auto window = open();
        window->session().open(QStringLiteral("bert_large"), QStringLiteral("B7"));
        settle(*window);
        for (const Perspective &one : Perspectives::all()) {
            window->action(QStringLiteral("perspective_") + one.id)->trigger();
            QTest::qWait(1500);
            if (one.id == QLatin1String("search")) {
                window->search().start();
                wait([&] { return window->searcher().status() == Searcher::Status::Done; });
            }
            take(QStringLiteral("perspective-") + one.id, *window);
        }
    }

    /// BERT-large on many workers: balanced servers, one server, all-reduce; one side takes long to simulate.
    void scale() {
        if (!areWanted({"scale"}))
            return;
        const auto window = open();
        const auto show = [&](int workers, const char *servers, bool settles) {
            SessionState next = window->session().state();
            next.source = "bert_large";
            next.job = std::make_shared<const Job>(*catalogueJob("bert_large"));
            next.clusterSource = "uniform";
            next.cluster = std::make_shared<const Cluster>(uniformCluster(workers, 25));
            next.sides = {SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}, SideState{Built{servers}, "fifo(barrier=off)"}};
            window->session().change(next, QStringLiteral("scale"));
            if (settles)
                settle(*window);
        };
        for (const int workers : {16, 128, 512}) {
            show(workers, "PS", true);
            take(QStringLiteral("scale-%1").arg(workers), *window);
        }
        show(16, "PSLoadBalancing", true);
        take(QStringLiteral("scale-balanced"), *window);
        window->view(Side::B).setAllExpanded(true);
        take(QStringLiteral("scale-transfers"), *window);
        window->view(Side::B).setAllExpanded(false);
        show(512, "PSLoadBalancing", false);
        QTest::qWait(1500);
        take(QStringLiteral("scale-waiting"), *window);
        window->session().cancelSimulation(Side::B);
        take(QStringLiteral("scale-cancelled"), *window);
        if (isWanted(QStringLiteral("scale-512-balanced")) && !m_wanted.isEmpty()) { // takes a minute
            window->session().simulateAgain(Side::B);
            settle(*window);
            take(QStringLiteral("scale-512-balanced"), *window);
        }
    }

    void plans() {
        const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");
        const auto window = open();
        window->session().open(QStringLiteral("resnet50"));
        settle(*window);
        Cluster two = uniformCluster(4, 1);
        two.name = "two channels";
        two.namedChannels = {{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}};
        SessionState next = window->session().state();
        next.cluster = std::make_shared<const Cluster>(std::move(two));
        window->session().change(next, QStringLiteral("two channels"));
        window->action(QStringLiteral("plan"))->trigger();
        PlanPreset &plans = window->plans();
        take(QStringLiteral("plan-sheet"), *window);
        window->runs().setView(RunsPanel::View::Plot);
        plans.pages().setCurrentIndex(PlanPreset::GraphPage);
        wait([&] { return plans.graph().view().picture() != nullptr; });
        take(QStringLiteral("plan-graph-job"), *window);
        plans.pages().setCurrentIndex(PlanPreset::ProposalsPage);
        for (const char *file : {"dags/a2a-prefetch.dag.json", "collectives.csv"}) {
            plans.openFile(measured + QLatin1String(file));
            wait([&] { return !window->session().isLoading(); });
        }
        plans.startButton().click();
        wait([&] { return plans.planner().status() == Planner::Status::Done; });
        QTest::qWait(300);
        take(QStringLiteral("plan-history"), *window);
        plans.put(planId(PlanMethod::Fifo), Side::A);
        plans.put(planId(PlanMethod::Syndicate), Side::B);
        settle(*window);
        window->runs().setView(RunsPanel::View::Both);
        plans.table().select(planId(PlanMethod::Syndicate));
        take(QStringLiteral("plan"), *window);
        window->view(Side::B).selectSpan(SpanRef{
            1, window->view(Side::B).data()->index(1).firstEndingAfter(window->view(Side::B).data()->origin() + 50'000'000)});
        take(QStringLiteral("plan-flows"), *window);
        if (isWanted(QStringLiteral("why-plan"))) {
            window->action(QStringLiteral("explain"))->trigger();
            wait([&] { return window->why().answer() && window->why().answer()->complete; });
            take(QStringLiteral("why-plan"), *window);
            window->action(QStringLiteral("plan"))->trigger();
        }
        for (const auto &[page, name] :
             {std::pair{PlanPreset::TimelinesPage, "plan-timelines"}, std::pair{PlanPreset::GraphPage, "plan-graph"},
              std::pair{PlanPreset::CostsPage, "plan-costs"}, std::pair{PlanPreset::EditorPage, "plan-editor"}}) {
            plans.pages().setCurrentIndex(page);
            window->runs().setView(RunsPanel::View::Plot);
            QTest::qWait(100);
            wait([&] { return !plans.graph().isPending() && !plans.costs().isPending(); });
            take(QString::fromLatin1(name), *window);
        }
    }

    /// Plans of a training DAG over the bandwidth, each planned anew.
    void sweptPlans() {
        if (!isWanted(QStringLiteral("sweep-plans")))
            return;
        const auto window = open();
        window->session().open(QStringLiteral("syndicate:a1"), QStringLiteral("syndicate"));
        settle(*window);
        window->action(QStringLiteral("sweep"))->trigger();
        window->sweeps().sweepKnob(QStringLiteral("bandwidth"));
        take(QStringLiteral("sweep-plans-refused"), *window); // its channels have figures of their own
        window->session().open(QStringLiteral("syndicate:a1"), QStringLiteral("A2"));
        settle(*window);
        window->action(QStringLiteral("sweep"))->trigger();
        wait([&] { return window->sweeps().sweep() && window->sweeps().sweep()->isComplete(); });
        QTest::qWait(300);
        take(QStringLiteral("sweep-plans"), *window);
    }

    /// ResNet-50 over parameter servers: a map with its tuners, and conditions that change.
    void tuning() {
        if (!m_wanted.isEmpty() && std::none_of(m_wanted.begin(), m_wanted.end(), [](const QString &name) {
                return name.startsWith(QLatin1String("tune")) || name.startsWith(QLatin1String("conditions"));
            }))
            return;
        const auto window = open();
        window->session().open(QStringLiteral("resnet50"), QStringLiteral("A2"));
        settle(*window);
        SessionState next = window->session().state();
        next.workers = next.servers = 8;
        next.bandwidthGbits = 10;
        next.sides = {SideState{Built{"PSLoadBalancing"}, "bytescheduler(hash=mxnet)"},
                      SideState{Built{"AllReduce(chunk_size=1)"}, "bytescheduler"}};
        window->session().change(next, QStringLiteral("Tune"));
        settle(*window);
        window->action(QStringLiteral("tune"))->trigger();
        auto &tune = *window->findChild<TunePreset *>();
        wait([&] { return tune.run() && tune.run()->complete; });
        take(QStringLiteral("tune-coarse"), *window);
        tune.start();
        wait([&] { return !tune.run()->plan.coarse && tune.run()->complete; });
        window->runs().setView(RunsPanel::View::Both);
        take(QStringLiteral("tune"), *window);
        tune.table().select(TuneModel::tunerRow);
        window->runs().setView(RunsPanel::View::Plot);
        take(QStringLiteral("tune-path"), *window);
        window->action(QStringLiteral("conditions"))->trigger();
        auto &conditions = *window->findChild<ConditionsPreset *>();
        conditions.start();
        wait([&] { return conditions.run() && conditions.run()->complete; });
        conditions.setIteration(25);
        window->runs().setView(RunsPanel::View::Both);
        take(QStringLiteral("conditions"), *window);
        window->runs().setView(RunsPanel::View::Plot);
        take(QStringLiteral("conditions-plot"), *window);
    }

    void throughput() {
        const QDir profiles(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/profiles"));
        const QStringList recorded = profiles.entryList({QStringLiteral("resnet50*1.0gbits*off*")}, QDir::Dirs);
        if (recorded.isEmpty()) {
            m_fine = false;
            return;
        }
        const auto window = open();
        window->session().open(profiles.filePath(recorded.first()),
                               QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/cluster.yml"));
        settle(*window);
        window->action(QStringLiteral("throughput"))->trigger();
        ThroughputPanel &panel = window->throughput();
        const auto predicted = [&] {
            QTest::qWait(300);
            wait([&] { return panel.predictor().status() == Predictor::Status::Done && !panel.isOutdated(); });
        };
        panel.sheet().sharingBox().setCurrentIndex(1);
        predicted();
        panel.keepCurve();
        panel.sheet().sharingBox().setCurrentIndex(0);
        predicted();
        panel.importMeasured(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/async_grpc/runs.csv"));
        QTest::qWait(500);
        for (QComboBox *box : panel.findChildren<QComboBox *>()) // the runs of this profile
            for (int i = 0; i < box->count(); ++i)
                if (const QString text = box->itemText(i); text.contains(QLatin1String("resnet50")) &&
                                                           text.contains(QLatin1String("off")) &&
                                                           !text.contains(QLatin1String("0.5"))) {
                    box->setCurrentIndex(i);
                    Q_EMIT box->activated(i);
                }
        QTest::qWait(300);
        take(QStringLiteral("throughput"), *window);
        panel.tabs().setCurrentIndex(1);
        take(QStringLiteral("overhead"), *window);
        panel.tabs().setCurrentIndex(0);
        for (QScrollArea *scroll : panel.findChildren<QScrollArea *>()) // down to the last knobs
            if (scroll->widget() == &panel.sheet())
                scroll->ensureWidgetVisible(&panel.sheet().cynthiaBox());
        take(QStringLiteral("throughput-knobs"), *window);
    }

    void tutorial() {
        const auto window = open();
        window->action(QStringLiteral("tutorial"))->trigger();
        m_fine =
            QTest::qWaitFor([&] { return window->findChild<Tour *>() && window->findChild<Tour *>()->isVisible(); }, patience) &&
            m_fine;
        settle(*window);
        take(QStringLiteral("tutorial"), *window);
    }

    QString m_folder, m_suffix;
    QSize m_size;
    QStringList m_wanted, m_seen; ///< names of pictures: to be taken, and come by
    Theme m_theme;
    bool m_fine = true;
};

} // namespace

int main(int argc, char **argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("SyncopatePictures"));
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 3) {
        std::fputs("usage: screens FOLDER dark|light[:LANGUAGE] [WIDTHxHEIGHT [NAME...]]\n", stderr);
        return 2;
    }
    const QStringList look = arguments[2].split(QLatin1Char(':'));
    if (look.size() > 1 && !syncopate::ui::languages().contains(look[1])) {
        std::fprintf(stderr, "screens: there is no language \"%s\"; use one of %s\n", qUtf8Printable(look[1]),
                     qUtf8Printable(syncopate::ui::languages().join(QStringLiteral(", "))));
        return 2;
    }
    syncopate::ui::speak({look.value(1)});
    if (!QDir().mkpath(arguments[1])) {
        std::fprintf(stderr, "screens: %s: no folder can be made there; name another\n", qUtf8Printable(arguments[1]));
        return 2;
    }
    const QStringList size = arguments.value(3, QStringLiteral("1440x900")).split(QLatin1Char('x'));
    return Photographer(arguments[1], look.front(), {size.value(0).toInt(), size.value(1).toInt()}, arguments.mid(4)).takeAll()
               ? 0
               : 1;
}
