// SPDX-License-Identifier: GPL-3.0-or-later
// Every tab of the export sheet: its files are read back and compared with the engine.
#include "engine/cluster/cluster.h"
#include "engine/export/launcher_settings.h"
#include "engine/export/timeline_svg.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/profile/tiny_trace.h"
#include "tests/ui/window_fixture.h"
#include "ui/export/export_sheet.h"
#include "ui/export/picture_file.h"
#include "ui/inspector/inspector.h"
#include "ui/theme/save_dialog.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPointer>
#include <QScopeGuard>
#include <QSemaphore>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QUndoStack>
#include <QXmlStreamReader>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void choose(const ExportSheet &sheet, const char *name, const QVariant &data) {
    QComboBox *box = sheet.choice(name);
    box->setCurrentIndex(box->findData(data));
}

} // namespace

class TestExportSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_window = std::make_unique<MainWindow>(m_theme);
        m_window->resize(1280, 720);
        m_window->show();
        m_window->session().open(QStringLiteral("resnet50"));
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().run(Side::B) && !m_window->session().isStale(); },
                                syncopate::testing::patience));
    }
    void cleanupTestCase() { m_window.reset(); }
    void init() { m_theme.setSetting(Theme::Setting::Dark); }

    void strategies() {
        for (const Side side : {Side::A, Side::B}) {
            const Strategy &wanted = *m_window->session().run(side)->simulation()->scenario.strategy;
            for (const char *format : {"pb", "json"}) {
                const QStringList paths = exported(ExportSheet::StrategyTab, [&](const ExportSheet &sheet) {
                    choose(sheet, "strategySide", static_cast<int>(side));
                    choose(sheet, "strategyFormat", QString::fromLatin1(format));
                });
                QCOMPARE(paths.size(), QLatin1String(format) == QLatin1String("pb") ? 2 : 1);
                const auto strategy = readStrategyFile(paths.first().toStdString());
                QVERIFY(strategy.has_value());
                QVERIFY(strategy->nodes == wanted.nodes);
                QVERIFY(strategy->replicas == wanted.replicas);
                QVERIFY(!strategy->id.empty());
                if (paths.size() == 2)
                    QVERIFY(contentOf(paths[1]).contains(QFileInfo(paths[0]).fileName().toUtf8()));
            }
        }
    }

    /// The next export, from any panel, begins in the folder of the last one.
    void exportsRememberTheirFolder() {
        const QTemporaryDir folder;
        rememberExportFolder(folder.filePath(QStringLiteral("query.csv")));
        QCOMPARE(exportFolder(), QFileInfo(folder.path()).absoluteFilePath());
        QString begins;
        QTimer closer; // closes any question: a modal window left open would keep this test waiting
        connect(&closer, &QTimer::timeout, m_window.get(), [&begins] {
            QWidget *asked = QApplication::activeModalWidget();
            if (const auto *dialog = qobject_cast<const QFileDialog *>(asked))
                begins = dialog->directory().absolutePath();
            if (asked)
                asked->close();
        });
        closer.start(10);
        QVERIFY(askWhereToExport(m_window.get(), QStringLiteral("Export"), QStringLiteral("table.csv")).isEmpty());
        QCOMPARE(begins, exportFolder());
    }

    void returnExports() {
        const QTemporaryDir folder;
        m_window->action(QStringLiteral("export"))->trigger();
        ExportSheet *sheet = nullptr;
        for (ExportSheet *one : m_window->findChildren<ExportSheet *>())
            if (one->isVisible())
                sheet = one;
        QVERIFY(sheet);
        sheet->setFolder(folder.path());
        QTRY_VERIFY(sheet->content());
        auto *tabs = sheet->findChild<QTabWidget *>();
        tabs->setFocus();
        QTest::keyClick(tabs, Qt::Key_Return);
        QTRY_VERIFY(QDir(folder.path()).entryList(QDir::Files).size() == 2);
    }

    void traceAndTables() {
        const QStringList trace = exported(ExportSheet::TraceTab, [](const ExportSheet &) {});
        QCOMPARE(trace.size(), 1);
        const Run &run = *m_window->session().run(Side::A)->simulation();
        QVERIFY(QJsonDocument::fromJson(contentOf(trace.first())).object()[QStringLiteral("traceEvents")].toArray().size() >=
                static_cast<int>(run.timeline.spanCount()));
        const QStringList picture = exported(ExportSheet::TraceTab, [](const ExportSheet &sheet) {
            choose(sheet, "traceSide", static_cast<int>(Side::B));
            choose(sheet, "traceFormat", QStringLiteral("svg"));
        });
        QCOMPARE(picture.size(), 1);
        QVERIFY2(picture.first().endsWith(QStringLiteral("-b.svg")), qPrintable(picture.first()));
        const SideState &b = m_window->session().state().side(Side::B);
        QCOMPARE(contentOf(picture.first()).toStdString(),
                 writeTimelineSvg(m_window->session().run(Side::B)->recording(), {.title = strategyTitle(b) + ", " + b.policy}));
        const auto variables = static_cast<qsizetype>(run.scenario.job->variables.size());
        for (const auto &[format, extra] : {std::pair{"csv", 1}, {"tsv", 1}, {"md", 2}}) {
            const QStringList table = exported(ExportSheet::TableTab, [format = format](const ExportSheet &sheet) {
                choose(sheet, "tableFormat", QString::fromLatin1(format));
            });
            QVERIFY(table.first().endsWith(QLatin1Char('.') + QString::fromLatin1(format)));
            QCOMPARE(contentOf(table.first()).count('\n'), variables + extra);
        }
        // A panel's table, as shown.
        const QStringList inspector = exported(ExportSheet::TableTab, [](const ExportSheet &sheet) {
            sheet.choice("table")->setCurrentIndex(sheet.choice("table")->findText(QStringLiteral("Inspector")));
        });
        QCOMPARE(inspector.size(), 1);
        QCOMPARE(contentOf(inspector.first()).count('\n'), m_window->inspector().model()->rowCount() + 1);
    }

    /// A floating panel is open, too.
    void tablesOfFloatingPanels() {
        auto *dock = m_window->findChild<QDockWidget *>(QStringLiteral("inspector"));
        dock->setFloating(true);
        const auto back = qScopeGuard([dock] { dock->setFloating(false); });
        QTRY_VERIFY(dock->isWindow() && dock->isVisible());
        int place = -1;
        const QStringList table = exported(ExportSheet::TableTab, [&place](const ExportSheet &sheet) {
            place = sheet.choice("table")->findText(QStringLiteral("Inspector"));
            sheet.choice("table")->setCurrentIndex(place);
        });
        QVERIFY(place >= 0);
        QCOMPARE(table.size(), 1);
        QCOMPARE(contentOf(table.first()).count('\n'), m_window->inspector().model()->rowCount() + 1);
    }

    void pictures() {
        const Picture timelines = m_window->timelinePicture(false);
        const QStringList png =
            exported(ExportSheet::PictureTab, [](const ExportSheet &sheet) { choose(sheet, "pictureScale", 3); });
        const QImage image(png.first());
        QCOMPARE(image.size(), timelines.size * 3);
        COMPARE_ABOVE(image.pixelColor(3, 3).lightness(), 200); // light, although the explorer is dark
        QVERIFY(m_theme.isDark());
        const QStringList svg = exported(ExportSheet::PictureTab, [](const ExportSheet &sheet) {
            choose(sheet, "pictureFormat", static_cast<int>(PictureFormat::Svg));
            choose(sheet, "pictureArea", true);
        });
        QXmlStreamReader xml(contentOf(svg.first()));
        int paths = 0, texts = 0, images = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            paths += xml.isStartElement() && xml.name() == QLatin1String("path");
            texts += xml.isStartElement() && xml.name() == QLatin1String("text");
            images += xml.isStartElement() && xml.name() == QLatin1String("image");
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(paths > 10 && texts > 10);
        QCOMPARE(images, 0);
        const QStringList pdf = exported(ExportSheet::PictureTab, [](const ExportSheet &sheet) {
            choose(sheet, "pictureFormat", static_cast<int>(PictureFormat::Pdf));
        });
        QVERIFY(contentOf(pdf.first()).startsWith("%PDF-"));
        QVERIFY(!contentOf(pdf.first()).contains("/Subtype /Image")); // it contains no pixel images
    }

    void panelsAsPictures() {
        auto *dock = m_window->findChild<QDockWidget *>(QStringLiteral("runs"));
        dock->show();
        dock->raise();
        QTRY_VERIFY(dock->widget()->isVisible());
        QSize shown;
        const auto pick = [&](const ExportSheet &sheet) {
            shown = dock->widget()->size(); // the message on a finished export takes some of it
            sheet.choice("picture")->setCurrentIndex(sheet.choice("picture")->findText(QStringLiteral("Runs")));
        };
        const QStringList png = exported(ExportSheet::PictureTab, [&](const ExportSheet &sheet) {
            pick(sheet);
            choose(sheet, "pictureScale", 1);
        });
        QCOMPARE(png.size(), 1);
        QVERIFY(png.first().endsWith(QStringLiteral("-runs.png")));
        const QImage image(png.first());
        QCOMPARE(image.size(), shown);
        COMPARE_ABOVE(image.pixelColor(1, 1).lightness(), 200);
        QVERIFY(m_theme.isDark() && m_theme.setting() == Theme::Setting::Dark);
        const QStringList svg = exported(ExportSheet::PictureTab, [&](const ExportSheet &sheet) {
            pick(sheet);
            choose(sheet, "pictureFormat", static_cast<int>(PictureFormat::Svg));
        });
        QXmlStreamReader xml(contentOf(svg.first()));
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    }

    /// The first 16 KiB end inside a character in two of three tables: it is left out, not spoilt.
    void previewsEndBetweenCharacters() {
        std::string dashes;
        for (int i = 0; i < 10000; ++i)
            dashes += "\u2013"; // three bytes
        for (const char *heading : {"a", "aa", "aaa"}) {
            NamedTable table{QStringLiteral("Dashes"), {}};
            table.table.columns.push_back({heading});
            table.table.rows.push_back({dashes});
            ExportSheet sheet(m_window->session(),
                              {[](bool) { return std::vector<Picture>(); }, [table] { return std::vector<NamedTable>{table}; }});
            sheet.setTab(ExportSheet::TableTab);
            choose(sheet, "table", 2);
            QTRY_VERIFY(sheet.content() && sheet.content()->has_value());
            const ExportContent &content = sheet.content()->value();
            const QByteArray shown = content.previewText.toUtf8(), more = QStringLiteral("\n…").toUtf8();
            QVERIFY(shown.endsWith(more));
            QVERIFY2(content.files.front().bytes.startsWith(shown.chopped(more.size())), heading);
            COMPARE_ABOVE(shown.size() - more.size(), qsizetype(16384 - 3));
        }
    }

    void aStrategysCutPreviewSaysSo() {
        const Strategy &strategy = *m_window->session().run(Side::B)->simulation()->scenario.strategy;
        COMPARE_ABOVE(writeStrategyJson(strategy).size(), std::size_t(16384));
        ExportSheet sheet(m_window->session(),
                          {[](bool) { return std::vector<Picture>(); }, [] { return std::vector<NamedTable>(); }});
        choose(sheet, "strategySide", static_cast<int>(Side::B));
        for (const char *format : {"json", "pb"}) {
            choose(sheet, "strategyFormat", QString::fromLatin1(format));
            QTRY_VERIFY(sheet.content() && sheet.content()->has_value());
            QVERIFY2(sheet.content()->value().previewText.endsWith(QStringLiteral("\n…")), format);
        }
    }

    /// While a strategy that was just chosen is simulated, the run before it is not exported under its name.
    void anOlderRunIsNotExported() {
        Session &session = m_window->session();
        const auto usesServers = [](const Strategy &strategy) { return writeStrategyJson(strategy).find("PSSynchronizer"); };
        QCOMPARE(usesServers(*session.run(Side::A)->simulation()->scenario.strategy), std::string::npos); // A all-reduces
        SessionState next = session.state();
        next.side(Side::A).source = Built{"PS"};
        next.side(Side::A).policy = "fifo";
        session.change(std::move(next), QStringLiteral("Servers"));
        const auto back = qScopeGuard([this, &session] {
            session.undoStack()->undo();
            QTRY_VERIFY(!session.isStale());
        });
        QVERIFY(session.isStale(Side::A));
        ExportSheet sheet(session, {[](bool) { return std::vector<Picture>(); }, [] { return std::vector<NamedTable>(); }});
        choose(sheet, "strategySide", static_cast<int>(Side::A));
        choose(sheet, "strategyFormat", QStringLiteral("json"));
        const auto timeOfA = [&session] { return std::to_string(session.run(Side::A)->recording().iterationSeconds); };
        const std::string older = timeOfA();
        int reads = 0;
        ExportSheet tables(session, {[](bool) { return std::vector<Picture>(); },
                                     [timeOfA, &reads] {
                                         ++reads;
                                         NamedTable table{QStringLiteral("Panel"), {}};
                                         table.table.columns.push_back({"seconds"});
                                         table.table.rows.push_back({timeOfA()});
                                         return std::vector<NamedTable>{table};
                                     }});
        tables.setTab(ExportSheet::TableTab);
        choose(tables, "table", 2);
        QTRY_VERIFY(!session.isStale() && sheet.content() && sheet.content()->has_value());
        const QByteArray json = sheet.content()->value().files.front().bytes;
        QVERIFY2(json.contains("PSSynchronizer") && !json.contains("AllReduceSynchronizer"), json.left(500).constData());
        QTRY_VERIFY(tables.content() && tables.content()->has_value());
        QVERIFY(timeOfA() != older);
        QVERIFY(tables.content()->value().files.front().bytes.contains(timeOfA().c_str()));
        // A name is typed without reading the panels again on this thread.
        const int before = reads;
        for (QLineEdit *line : tables.findChildren<QLineEdit *>())
            if (line->accessibleName() == QStringLiteral("Name"))
                line->setText(QStringLiteral("other"));
        QTRY_VERIFY(tables.content() && tables.content()->value().files.front().name.startsWith(QStringLiteral("other-")));
        QVERIFY(tables.content()->value().files.front().bytes.contains(timeOfA().c_str()));
        QCOMPARE(reads, before);
    }

    /// Of a side with its own cluster.
    void picturesAndReportsNameTheShownCluster() {
        MainWindow window(m_theme);
        window.show();
        QVERIFY(openAndSettle(window, QStringLiteral("resnet50"), QStringLiteral("A1")));
        const auto headline = [&window] { return encodePicture(window.timelinePicture(false), PictureFormat::Svg, false, 1); };
        QVERIFY(headline().contains("resnet50 on cluster A1"));
        SessionState next = window.session().state();
        next.compare = false;
        next.side(Side::A).cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        next.side(Side::A).clusterSource = "A2";
        window.session().change(std::move(next), QStringLiteral("A alone on A2"));
        QVERIFY(settle(window));
        QVERIFY(headline().contains("resnet50 on cluster A2"));
        ExportSheet sheet(window.session(), {[&window](bool) { return std::vector<Picture>{window.timelinePicture(false)}; },
                                             [] { return std::vector<NamedTable>(); }});
        sheet.setTab(ExportSheet::ReportTab);
        QTRY_VERIFY(sheet.content() && sheet.content()->has_value() &&
                    sheet.content()->value().files.front().name.endsWith(QStringLiteral(".html")));
        const QByteArray html = sheet.content()->value().files.front().bytes;
        QVERIFY(html.contains(", from A2.") && !html.contains(", from A1."));
    }

    /// Beside a measurement, which has no cluster, that of the simulation is named.
    void picturesNameTheClusterOfTheSimulation() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("tiny.json"));
        syncopate::testing::writeFile(path, tiny::trace());
        MainWindow window(m_theme);
        window.show();
        QVERIFY(openAndSettle(window, path, QStringLiteral("A1")));
        QVERIFY(window.session().state().compare && !window.session().run(Side::A)->simulation());
        const auto headline = [&window] { return encodePicture(window.timelinePicture(false), PictureFormat::Svg, false, 1); };
        QVERIFY(headline().contains("tiny.json on cluster A1"));
        SessionState next = window.session().state();
        next.side(Side::B).cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        next.side(Side::B).clusterSource = "A2";
        window.session().change(std::move(next), QStringLiteral("B on A2"));
        QVERIFY(settle(window));
        QVERIFY(headline().contains("tiny.json on cluster A2"));
    }

    /// A measured side has no variables to list: the sheet begins with the side that has.
    void beginsWithTheSimulatedSide() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("tiny.json"));
        syncopate::testing::writeFile(path, tiny::trace());
        MainWindow window(m_theme);
        window.show();
        QVERIFY(openAndSettle(window, path));
        QVERIFY(!window.session().run(Side::A)->simulation() && window.session().run(Side::B)->simulation());
        ExportSheet sheet(window.session(),
                          {[](bool) { return std::vector<Picture>(); }, [] { return std::vector<NamedTable>(); }});
        for (const char *box : {"strategySide", "settingsSide", "table"})
            QCOMPARE(sheet.choice(box)->currentData().toInt(), static_cast<int>(Side::B));
        sheet.setTab(ExportSheet::TableTab);
        QTRY_VERIFY(sheet.content());
        QVERIFY(sheet.content()->has_value());
        sheet.setTab(ExportSheet::TraceTab); // a measurement has no policy to be named
        choose(sheet, "traceSide", static_cast<int>(Side::A));
        choose(sheet, "traceFormat", QStringLiteral("svg"));
        QTRY_VERIFY(sheet.content() && sheet.content()->has_value() &&
                    sheet.content()->value().files.front().name.endsWith(QStringLiteral("-a.svg")));
        const QString svg = sheet.content()->value().previewText;
        QVERIFY2(svg.contains(QStringLiteral("measured")) && !svg.contains(QStringLiteral("measured, ")),
                 qPrintable(svg.left(500)));
    }

    void aPreviewThatIsBeingMadeSaysSo() {
        QSemaphore gate;
        const Picture slow{QStringLiteral("Timelines"),
                           {200, 100},
                           [&gate](QPainter &, const PaintTarget &) {
                               gate.acquire();
                               gate.release();
                           },
                           true};
        ExportSheet sheet(m_window->session(),
                          {[slow](bool) { return std::vector<Picture>{slow}; }, [] { return std::vector<NamedTable>(); }});
        const auto open = qScopeGuard([&gate] { gate.release(); }); // the sheet waits for its running task
        sheet.open();
        QTRY_VERIFY(sheet.content());
        QVERIFY(!sheet.saysThatItIsMaking());
        sheet.setTab(ExportSheet::PictureTab);
        QTRY_VERIFY(sheet.saysThatItIsMaking());
        QVERIFY(!sheet.content());
        gate.release();
        QTRY_VERIFY(sheet.content());
        QVERIFY(!sheet.saysThatItIsMaking());
        sheet.setTab(ExportSheet::StrategyTab);
        QTRY_VERIFY(sheet.content() && !sheet.saysThatItIsMaking());
    }

    /// Closing the sheet during an export does not block.
    void leavesBehindWhatIsBeingMade() {
        QSemaphore begun, gate;
        const Picture slow{QStringLiteral("Timelines"),
                           {200, 100},
                           [&](QPainter &, const PaintTarget &) {
                               begun.release();
                               gate.acquire(); // once open, it stays open
                               gate.release();
                           },
                           true};
        const QPointer<ExportSheet> sheet = new ExportSheet(
            m_window->session(), {[slow](bool) { return std::vector<Picture>{slow}; }, [] { return std::vector<NamedTable>(); }},
            m_window.get());
        connect(sheet, &QDialog::rejected, sheet, &ExportSheet::goWhenIdle);
        sheet->open();
        sheet->setTab(ExportSheet::PictureTab);
        begun.acquire();
        sheet->reject();
        QVERIFY(sheet->isHidden());
        QTest::qWait(50);
        QVERIFY(sheet); // otherwise it would have waited for the picture
        gate.release();
        QTRY_VERIFY(!sheet);
    }

    /// A long export is cancelled when another choice makes it obsolete, and when the sheet is closed.
    void stopsWhatNobodyWaitsFor() {
        QSemaphore begun, stopped;
        const Picture endless{QStringLiteral("Timelines"),
                              {200, 100},
                              [&](QPainter &, const PaintTarget &target) {
                                  if (target.stop.stop_requested())
                                      return;
                                  begun.release();
                                  while (!target.stop.stop_requested())
                                      QThread::msleep(1);
                                  stopped.release();
                              },
                              true};
        const QPointer<ExportSheet> sheet =
            new ExportSheet(m_window->session(),
                            {[endless](bool) { return std::vector<Picture>{endless}; }, [] { return std::vector<NamedTable>(); }},
                            m_window.get());
        connect(sheet, &QDialog::rejected, sheet, &ExportSheet::goWhenIdle);
        sheet->open();
        sheet->setTab(ExportSheet::PictureTab);
        begun.acquire();
        sheet->setTab(ExportSheet::TraceTab);
        QVERIFY(stopped.tryAcquire(1, 5000));
        QTRY_VERIFY(sheet->content() && sheet->content()->has_value());
        const ExportFile &trace = sheet->content()->value().files.front();
        QVERIFY(trace.bytes.isEmpty()); // not kept in memory
        QCOMPARE(trace.size(), static_cast<qint64>(writeChromeTrace(*m_window->session().run(Side::A)->simulation()).size()));
        sheet->setTab(ExportSheet::PictureTab);
        begun.acquire();
        sheet->reject();
        sheet->setTab(ExportSheet::StrategyTab); // by an event that was in flight
        QVERIFY(stopped.tryAcquire(1, 5000));
        QTRY_VERIFY(!sheet);
    }

    void settingsAndRefusals() {
        // A starts as DDP.
        const QStringList ddp = exported(
            ExportSheet::SettingsTab, [](const ExportSheet &sheet) { choose(sheet, "settingsSystem", QStringLiteral("ddp")); });
        QCOMPARE(QFileInfo(ddp.first()).fileName(), QStringLiteral("resnet50_a_ddp.py"));
        QVERIFY(contentOf(ddp.first()).contains("_DEFAULT_FIRST_BUCKET_BYTES = 1048576"));
        const QStringList named = exported(ExportSheet::SettingsTab, [](const ExportSheet &sheet) {
            choose(sheet, "settingsSystem", QStringLiteral("ddp"));
            for (QLineEdit *field : sheet.findChildren<QLineEdit *>())
                if (field->accessibleName() == QStringLiteral("Name"))
                    field->setText(QStringLiteral("3-layers"));
        });
        QCOMPARE(QFileInfo(named.value(0)).fileName(),
                 QStringLiteral("_3_layers_a_ddp.py")); // Python's names begin with no digit
        const QStringList refused = exported(ExportSheet::SettingsTab, [](const ExportSheet &sheet) {
            choose(sheet, "settingsSystem", QStringLiteral("horovod"));
        });
        QVERIFY(refused.isEmpty());
        QVERIFY2(m_failure.contains(QStringLiteral("does not model Horovod")), qPrintable(m_failure));
    }

    void report() {
        const QStringList html = exported(ExportSheet::ReportTab, [](const ExportSheet &) {});
        const QString text = QString::fromUtf8(contentOf(html.first()));
        QVERIFY(text.startsWith(QStringLiteral("<!DOCTYPE html>")));
        for (const Side side : {Side::A, Side::B})
            QVERIFY(text.contains(QString::fromStdString(escapeXml(strategyTitle(m_window->session().state().side(side))))));
        QCOMPARE(text.count(QStringLiteral("<svg ")), 2);
        QVERIFY(text.contains(QStringLiteral(SYNCOPATE_VERSION)));
    }

    void aFolderThatCannotBeWrittenTo() {
        m_folder = QStringLiteral("/proc");
        const QStringList none = exported(ExportSheet::TraceTab, [](const ExportSheet &) {});
        m_folder.clear();
        QVERIFY(none.isEmpty());
        QVERIFY2(m_failure.contains(QStringLiteral("/proc/resnet50-a.trace.json")), qPrintable(m_failure));
        QVERIFY(m_window->messageBar().text().contains(QStringLiteral("/proc")));
    }

    void enginesPictureHasTheExplorersColors() {
        const std::string svg = writeTimelineSvg(m_window->session().run(Side::A)->recording(), {.title = "t"});
        const QString style = QString::fromStdString(svg.substr(0, svg.find("</style>")));
        for (std::size_t c = 0; c < categoryCount; ++c)
            for (const bool dark : {false, true}) {
                const QColor color = ThemeColors{dark}.categoryColor(static_cast<Category>(c));
                const QString ink = Theme::inkOn(color) == QColor(Qt::white) ? QStringLiteral("#fff") : QStringLiteral("#101215");
                const QString rule = QStringLiteral(".tl .c%1{fill:%2}.tl .t%1{fill:%3}").arg(c).arg(color.name(), ink);
                const auto media = style.indexOf(QStringLiteral("@media"));
                QVERIFY2(dark ? style.indexOf(rule, media) > 0 : (style.contains(rule) && style.indexOf(rule) < media),
                         qPrintable(rule));
            }
    }

    void rowsAreCopiedByKeyboard() {
        auto *table = m_window->inspector().findChild<QAbstractItemView *>();
        QVERIFY(table);
        table->setFocus();
        table->selectionModel()->select(table->model()->index(0, 0),
                                        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.startsWith(table->model()->index(0, 0).data().toString() + QLatin1Char('\t')), qPrintable(text));
        QCOMPARE(text.count(QLatin1Char('\n')), 1);
    }

private:
    /// Opens the sheet, makes a choice, exports; returns the paths written, or none and m_failure.
    QStringList exported(ExportSheet::Tab tab, const std::function<void(const ExportSheet &)> &choices) {
        if (m_folder.isEmpty())
            m_dir = std::make_unique<QTemporaryDir>();
        m_window->action(QStringLiteral("export"))->trigger();
        QPointer<ExportSheet> sheet;
        for (ExportSheet *one : m_window->findChildren<ExportSheet *>())
            if (one->isVisible())
                sheet = one;
        if (!sheet)
            return {};
        sheet->setFolder(m_folder.isEmpty() ? m_dir->path() : m_folder);
        sheet->setTab(tab);
        choices(*sheet);
        QStringList paths;
        m_failure.clear();
        connect(sheet, &ExportSheet::exported, this, [&paths](const QStringList &written) { paths = written; });
        connect(sheet, &ExportSheet::exportFailed, this,
                [this](const Error &error) { m_failure = QString::fromStdString(error.toString()); });
        sheet->accept();
        (void)QTest::qWaitFor([&] { return !paths.isEmpty() || !m_failure.isEmpty(); }, syncopate::testing::patience);
        if (sheet) // a finished one is already deleted
            disconnect(sheet, nullptr, this, nullptr);
        if (sheet && sheet->isVisible())
            sheet->reject();
        return paths;
    }

    Theme m_theme;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_folder, m_failure;
};

QTEST_MAIN(TestExportSheet)
#include "tst_export_sheet.moc"
