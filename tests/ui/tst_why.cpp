// SPDX-License-Identifier: GPL-3.0-or-later
// The Why panel, used like a user would: explain, read, try a remedy, undo, ask about a wait, turn a knob from the tornado.
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/ui/slow_side.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/searcher.h"
#include "ui/theme/format.h"
#include "ui/theme/qcustomplot.h"
#include "ui/timeline/timeline_view.h"
#include "ui/why/cause_bar.h"
#include "ui/why/cause_table.h"
#include "ui/why/link_table.h"
#include "ui/why/no_answer.h"
#include "ui/why/remedy_table.h"
#include "ui/why/tornado.h"
#include "ui/why/why_bounds.h"
#include "ui/why/why_panel.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

using namespace syncopate;
using namespace syncopate::ui;

class TestWhy : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open());
    }
    void cleanup() { stop(); }

    void worksOnlyWhileItIsSeen() {
        QTest::qWait(400);
        QVERIFY(!window().why().isSeen());
        QVERIFY(!window().why().answer());
    }

    void explainsTheIteration() {
        explain();
        const auto answer = window().why().answer();
        double sum = 0;
        for (const CauseRow &row : answer->causes)
            sum += row.endSeconds - row.startSeconds;
        COMPARE_CLOSE(sum, answer->run->recording().iterationSeconds, 1e-9);
        // All pieces of a short chain; only the longest of a long one.
        constexpr std::size_t most = 100;
        QCOMPARE(window().why().causes().rowCount(), static_cast<int>(std::min(most, answer->causes.size())));
        COMPARE_AT_MOST(answer->bounds.largest(), answer->run->recording().iterationSeconds * (1 + 1e-9));
        // A row of the table shows its stretch.
        window().why().causes().setCurrentCell(0, 0);
        Q_EMIT window().why().causes().cellClicked(0, 0);
        QVERIFY(window().axis().selection().has_value());
        QVERIFY(window().view(Side::A).selectedSpan().has_value());
    }

    /// A shorter answer may take the current row away; the row that becomes current is not chosen by that.
    void aRowThatGoesChoosesNoOther() {
        explain();
        const auto answer = window().why().answer();
        COMPARE_ABOVE(answer->causes.size(), std::size_t{1});
        auto &table = dynamic_cast<CauseTable &>(window().why().causes());
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        table.setFocus();
        QTRY_VERIFY(table.hasFocus());
        int wanted = 0;
        const QObject scope; // of the connection
        connect(&table, &CauseTable::stretchWanted, &scope, [&wanted] { ++wanted; });
        table.setCurrentCell(table.rowCount() - 1, 0);
        QCOMPARE(wanted, 1); // by the user
        auto shorter = std::make_shared<WhyAnswer>(*answer);
        shorter->causes.resize(1);
        table.fill(shorter);
        QCOMPARE(table.rowCount(), 1);
        QCOMPARE(wanted, 1);
    }

    /// The column has the width that its texts need and causes leave; where their first figures have no room, it is not shown.
    void howIsReadable() {
        explain();
        QTableWidget &table = window().why().causes();
        const QFontMetrics metrics = table.fontMetrics();
        int shown = 0, hidden = 0;
        for (int width = 240; width < 1000; width += 20) {
            table.parentWidget()->setFixedWidth(width);
            QTRY_VERIFY(std::abs(table.width() - width) < 4);
            ++(table.isColumnHidden(3) ? hidden : shown);
            for (int r = 0; r < table.rowCount() && !table.isColumnHidden(3); ++r) {
                const QString how = table.item(r, 3)->text(), first = how.section(QStringLiteral("; "), 0, 0);
                COMPARE_AT_LEAST(table.columnWidth(3) - 8, metrics.horizontalAdvance(first));
                QCOMPARE(table.item(r, 3)->toolTip(), how);
            }
        }
        QVERIFY2(shown > 10 && hidden > 0, qPrintable(QStringLiteral("%1, %2").arg(shown).arg(hidden)));
        const auto needs = [&](int row) { return metrics.horizontalAdvance(table.item(row, 3)->text()) + 8; };
        int most = 0;
        for (int r = 0; r < table.rowCount(); ++r)
            most = std::max(most, needs(r));
        table.parentWidget()->setFixedWidth(1100);
        QTRY_VERIFY(std::abs(table.width() - 1100) < 4);
        COMPARE_AT_LEAST(table.columnWidth(3), most);
    }

    /// `syncopate-cli why` for the same scenario has the panel's numbers, to the last bit.
    void theCommandLineSaysTheSame() {
        explain();
        const auto answer = window().why().answer();
        const SessionState &state = session().state();
        const SideState &side = state.side(Side::A);
        const syncopate::testing::ProcessResult told = syncopate::testing::cli(
            {QStringLiteral("why"), QStringLiteral("--json"), QStringLiteral("--job"), QString::fromStdString(state.source),
             QStringLiteral("--cluster"), QString::fromStdString(state.clusterSource), QStringLiteral("--strategy"),
             QString::fromStdString(textOf(side.source)), QStringLiteral("--policy"), QString::fromStdString(side.policy)});
        QVERIFY2(told.exitCode == 0, told.err.constData());
        const QJsonObject json = told.json();
        const auto is = [](const QJsonValue &got, double want) {
            QVERIFY2(got.toDouble() == want,
                     qPrintable(QStringLiteral("got %1, want %2").arg(got.toDouble(), 0, 'g', 17).arg(want, 0, 'g', 17)));
        };
        is(json[QStringLiteral("iteration_seconds")], answer->run->recording().iterationSeconds);
        const QJsonObject bounds = json[QStringLiteral("bounds")].toObject();
        is(bounds[QStringLiteral("compute_seconds")], answer->bounds.computeSeconds);
        is(bounds[QStringLiteral("network_seconds")], answer->bounds.networkSeconds);
        is(bounds[QStringLiteral("dependency_seconds")], answer->bounds.dependencySeconds);
        const QJsonArray causes = json[QStringLiteral("causes")].toArray();
        QCOMPARE(static_cast<std::size_t>(causes.size()), answer->causes.size());
        for (std::size_t c = 0; c < answer->causes.size(); ++c) {
            const QJsonObject cause = causes[static_cast<qsizetype>(c)].toObject();
            QCOMPARE(cause[QStringLiteral("what")].toString().toStdString(), answer->causes[c].what.english());
            is(cause[QStringLiteral("start_seconds")], answer->causes[c].startSeconds);
        }
        const QJsonArray remedies = json[QStringLiteral("remedies")].toArray();
        QCOMPARE(static_cast<std::size_t>(remedies.size()), answer->remedies.size());
        for (std::size_t r = 0; r < answer->remedies.size(); ++r) {
            const QJsonObject remedy = remedies[static_cast<qsizetype>(r)].toObject();
            QCOMPARE(remedy[QStringLiteral("what")].toString().toStdString(), answer->remedies[r].remedy.text.english());
            QCOMPARE(remedy.contains(QStringLiteral("error")), !answer->remedies[r].iterationSeconds.has_value());
            if (answer->remedies[r].iterationSeconds)
                is(remedy[QStringLiteral("iteration_seconds")], *answer->remedies[r].iterationSeconds);
        }
        const QJsonArray knobs = json[QStringLiteral("sensitivities")].toArray();
        QCOMPARE(static_cast<std::size_t>(knobs.size()), answer->sensitivities.size());
        for (std::size_t s = 0; s < answer->sensitivities.size(); ++s) {
            const QJsonObject knob = knobs[static_cast<qsizetype>(s)].toObject();
            const Sensitivity &row = answer->sensitivities[s];
            QCOMPARE(knob[QStringLiteral("knob")].toString().toStdString(), scenarioSpace()[row.dimension].id);
            for (const auto &[end, seconds] : {std::pair("low", row.lowSeconds), {"high", row.highSeconds}}) {
                const QJsonValue at = knob[QLatin1String(end)];
                QCOMPARE(at.isNull(), !seconds.has_value());
                if (seconds)
                    is(at.toObject()[QStringLiteral("iteration_seconds")], *seconds);
            }
        }
    }

    void remediesDoWhatTheyPromise() {
        explain();
        const auto answer = window().why().answer();
        QVERIFY(!answer->remedies.empty());
        const SessionState before = session().state();
        window().why().unfold(true);
        std::set<RemedyKind> kinds; // the best of each kind, and any that cannot be simulated
        for (int r = 0; r < window().why().remedies().rowCount(); ++r) {
            const auto index = window().why().remedyAt(r);
            if (!index)
                continue; // the fold's row
            const RemedyRow row = answer->remedies[*index];
            QCOMPARE(window().why().remedies().cellWidget(r, 3)->isEnabled(), row.iterationSeconds.has_value());
            if (!row.iterationSeconds || !kinds.insert(row.remedy.kind).second)
                continue;
            qobject_cast<QPushButton *>(window().why().remedies().cellWidget(r, 3))->click();
            QVERIFY(session().state() != before);
            QVERIFY(settle());
            QCOMPARE(session().run(Side::A)->recording().iterationSeconds, *row.iterationSeconds);
            session().undoStack()->undo();
            QVERIFY(session().state() == before);
            QVERIFY(settle());
            QVERIFY(waitForAnswer());
        }
        QVERIFY(kinds.contains(RemedyKind::Builder) && kinds.contains(RemedyKind::TunedBuilder) &&
                kinds.contains(RemedyKind::Policy) && kinds.contains(RemedyKind::Knob));
    }

    /// Remedies for A only concern A's scenario: they can be tried after B has changed, and B stays unchanged.
    void theOtherSideMayChange() {
        explain();
        const auto answer = window().why().answer();
        const RemedyRow row = answer->remedies.front();
        QVERIFY(row.iterationSeconds.has_value());
        SessionState other = session().state();
        other.side(Side::B).source = Built{"PartitionedPS"};
        QVERIFY(other != session().state());
        session().change(other, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(window().why().answer() == answer);
        const int step = session().undoStack()->index();
        window().why().tryRemedy(0);
        QCOMPARE(session().undoStack()->index(), step + 1);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().iterationSeconds, *row.iterationSeconds);
        QVERIFY(session().state().side(Side::B).source == other.side(Side::B).source);
        session().undoStack()->undo();
        QVERIFY(session().state() == other);
    }

    /// Rows move while more is simulated: the button that was pressed is tried, wherever it is released.
    void whatWasPressedIsTried() {
        explain();
        QTableWidget &table = window().why().remedies();
        const auto &remedies = window().why().answer()->remedies;
        QVERIFY(remedies[0].helps() && remedies[1].helps());
        const QString wanted = QString::fromStdString(remedies[1].remedy.text.english());
        const auto button = [&](int row) { return qobject_cast<QPushButton *>(table.cellWidget(row, 3)); };
        Q_EMIT button(1)->pressed();
        Q_EMIT button(0)->clicked();
        QCOMPARE(session().undoStack()->undoText(), wanted);
    }

    /// Winners of two searches may have one name, "trial 3 of random()", and one time: the one that was pressed is tried.
    void remediesOfOneNameAreToldApart() {
        explain();
        auto answer = std::make_shared<WhyAnswer>(*window().why().answer());
        answer->remedies.erase(answer->remedies.begin() + 2, answer->remedies.end());
        QVERIFY(answer->remedies[1].helps());
        answer->remedies[1].remedy.text = answer->remedies[0].remedy.text;
        answer->remedies[1].iterationSeconds = answer->remedies[0].iterationSeconds;
        RemedyTable table(theme());
        table.fill(answer);
        std::optional<std::size_t> tried;
        connect(&table, &RemedyTable::tried, &table, [&tried](std::size_t index) { tried = index; });
        for (const int row : {1, 0}) {
            qobject_cast<QPushButton *>(table.cellWidget(row, 3))->click();
            QCOMPARE(static_cast<int>(tried.value()), row);
        }
    }

    /// Behind the last computation nothing waits, and no cause is known: the panel claims none.
    void nothingIsClaimedBehindTheLastComputation() {
        explain();
        window().why().askWait(Side::A, 0, 1e6);
        QVERIFY(waitForAnswer());
        QVERIFY(window().why().answer()->causes.empty());
        QStringList texts;
        for (const QLabel *label : window().why().findChildren<QLabel *>())
            texts += label->text();
        const QString all = texts.join(QLatin1Char('\n'));
        QVERIFY2(all.contains(QStringLiteral("never computes again")), qPrintable(all));
        QVERIFY2(!all.contains(QStringLiteral("Compute alone")), qPrintable(all));
        QCOMPARE(window().why().remedies().rowCount(), 0);
    }

    /// Each bound of the line, and what "update" covers, is explained in a tooltip.
    void boundsAndUpdatesAreExplained() {
        explain();
        const auto answer = window().why().answer();
        const BoundsText bounds = boundsText(*answer);
        for (const QString &name :
             {QStringLiteral("compute"), QStringLiteral("network"), QStringLiteral("queues"), QStringLiteral("dependencies")}) {
            QVERIFY2(bounds.sentence.contains(name + QLatin1Char(' ')), qPrintable(bounds.sentence));
            QVERIFY2(bounds.toolTip.contains(QLatin1Char('\n') + name + QLatin1Char(':')), qPrintable(bounds.toolTip));
        }
        CauseBar bar(theme());
        bar.set(answer->chain);
        QVERIFY2(bar.toolTip().contains(QStringLiteral("host copies")), qPrintable(bar.toolTip()));
    }

    /// Helpful remedies are visible; the rest is in a fold that a click or Enter opens.
    void theRestIsFolded() {
        explain();
        const auto &remedies = window().why().answer()->remedies;
        const auto helpful = static_cast<int>(std::ranges::count_if(remedies, &RemedyRow::helps));
        QTableWidget &table = window().why().remedies();
        QVERIFY(helpful < static_cast<int>(remedies.size()));
        QCOMPARE(table.rowCount(), helpful + 1);
        QVERIFY(!window().why().remedyAt(helpful));
        QVERIFY2(table.item(helpful, 0)->text().contains(QString::number(std::ssize(remedies) - helpful)),
                 qPrintable(table.item(helpful, 0)->text()));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualItemRect(table.item(helpful, 0)).center());
        QCOMPARE(table.rowCount(), static_cast<int>(remedies.size()) + 1);
        for (int r = 0; r < table.rowCount(); ++r)
            if (const auto index = window().why().remedyAt(r))
                QCOMPARE(table.item(r, 0)->text().toStdString(), remedies[*index].remedy.text.english());
        table.setFocus();
        table.setCurrentCell(helpful, 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(table.rowCount(), helpful + 1);
    }

    /// If a search ends while the panel is visible, its winner is among the remedies, under its own name; trying it puts it on
    /// the side as the search's own button does.
    void winnersOfSearchesAreRemedies() {
        explain();
        SearchPlan plan;
        plan.state = session().state();
        plan.trials = 30;
        window().searcher().start(plan);
        QVERIFY(QTest::qWaitFor([&] { return window().searcher().status() == Searcher::Status::Done; },
                                syncopate::testing::patience));
        const auto winner = [&] {
            const auto answer = window().why().answer();
            if (!answer || !answer->complete)
                return -1;
            const auto row =
                std::ranges::find_if(answer->remedies, [](const RemedyRow &r) { return r.remedy.kind == RemedyKind::Winner; });
            return row == answer->remedies.end() ? -1 : static_cast<int>(row - answer->remedies.begin());
        };
        QVERIFY(QTest::qWaitFor([&] { return winner() >= 0; }, syncopate::testing::patience));
        const RemedyRow row = window().why().answer()->remedies[static_cast<std::size_t>(winner())];
        const SearchHistory &history = window().searcher().history();
        const SearchTrial &best = history.trials[static_cast<std::size_t>(history.bestTrial(plan.objective))];
        QCOMPARE(*row.iterationSeconds, best.metrics.iterationSeconds);
        window().why().tryRemedy(static_cast<std::size_t>(winner()));
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().iterationSeconds, best.metrics.iterationSeconds);
        const auto *edited = std::get_if<Edited>(&session().state().side(Side::A).source);
        QVERIFY(edited != nullptr);
        QCOMPARE(edited->name, std::string("trial ") + std::to_string(best.trial) + " of random()");
    }

    /// The other side may take long: this one is explained in the meantime, and the question stays when that arrives.
    void aSideIsExplainedWhileTheOtherIsSimulated() {
        session().change(slowB(), QStringLiteral("slow"));
        QVERIFY(
            QTest::qWaitFor([&] { return session().run(Side::A) && !session().isStale(Side::A); }, syncopate::testing::patience));
        window().action(QStringLiteral("explain"))->trigger();
        const auto run = session().run(Side::A);
        window().why().askWait(Side::A, 0, run->recording().windowStartSeconds + run->recording().iterationSeconds / 2);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto answer = window().why().answer();
                return answer && answer->run == run && answer->question.wait.has_value();
            },
            syncopate::testing::patience));
        QVERIFY(session().isStale(Side::B));
        SessionState next = session().state();
        next.side(Side::B) = next.side(Side::A);
        session().change(next, QStringLiteral("quick"));
        QVERIFY(settle());
        QVERIFY(session().run(Side::A) == run);
        QVERIFY(QTest::qWaitFor([&] { return window().why().answer()->complete; }, syncopate::testing::patience));
        QVERIFY(window().why().answer()->run == run && window().why().answer()->question.wait.has_value());
    }

    /// The view Links has the engine's slopes, which are the command line's.
    void fasterLinksHaveTheirWorth() {
        SessionState slow = session().state(); // below a connection's limit
        slow.bandwidthGbits = 5;
        slow.side(Side::A) = {Built{"PSLoadBalancing"}, "fifo"};
        session().change(slow, QStringLiteral("test"));
        QVERIFY(settle());
        explain();
        const auto answer = window().why().answer();
        QTableWidget &table = window().why().links();
        QVERIFY(!table.isVisible());
        auto *views = window().why().findChild<QComboBox *>(QStringLiteral("whyView"));
        QVERIFY(views);
        views->setCurrentIndex(views->findText(QStringLiteral("Links")));
        QVERIFY(table.isVisible() && !window().why().tornado().isVisible());
        QVERIFY(!answer->links.empty());
        QCOMPARE(table.rowCount(), static_cast<int>(answer->links.size()));
        for (int row = 0; row < table.rowCount(); ++row) {
            const LinkSlope &slope = answer->links[static_cast<std::size_t>(row)];
            QCOMPARE(table.item(row, LinkTable::Link)->text().toStdString(),
                     answer->run->simulation()->graph.links[slope.link.index()].name);
            QCOMPARE(table.item(row, LinkTable::Limits)->text(), secondsText(slope.limitedSeconds));
            QVERIFY(slope.savedSeconds);
            QCOMPARE(table.item(row, LinkTable::Worth)->text(), savingText(*slope.savedSeconds));
        }
    }

    /// A link that was not simulated has no figure once the answer is complete, and says why.
    void linksThatWereNotSimulatedSaySo() {
        explain();
        auto answer = std::make_shared<WhyAnswer>(*window().why().answer());
        const LinkId link(std::size_t{0});
        answer->links = {{.link = link, .savedSeconds = 0.0}};
        answer->links.resize(maxSimulatedLinks + 1, {.link = link});
        LinkTable table;
        const int last = static_cast<int>(maxSimulatedLinks);
        for (const bool complete : {false, true}) {
            answer->complete = complete;
            table.fill(answer);
            QCOMPARE(table.item(0, LinkTable::Worth)->text(), QStringLiteral("0"));
            QCOMPARE(table.item(last, LinkTable::Worth)->text(), complete ? QStringLiteral("–") : QStringLiteral("…"));
        }
        QVERIFY(table.item(last, LinkTable::Worth)->toolTip().contains(QStringLiteral("only the first 16 links")));
        QVERIFY(table.item(last - 1, LinkTable::Worth)->toolTip().contains(QStringLiteral("failed")));
    }

    void knobsTurnFromTheTornado() {
        SessionState slow = session().state(); // below a connection's limit, so that halving it has an effect
        slow.bandwidthGbits = 8;
        session().change(std::move(slow), QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        explain();
        const auto answer = window().why().answer();
        // The bandwidth at half its value: predicted, then clicked, then simulated.
        const auto &rows = answer->sensitivities;
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [](const Sensitivity &s) { return scenarioSpace()[s.dimension].id == "bandwidth"; });
        QVERIFY(row != rows.end() && row->lowSeconds && row->highSeconds);
        COMPARE_ABOVE(*row->lowSeconds, answer->run->recording().iterationSeconds);
        auto *plot = window().why().tornado().findChild<QCustomPlot *>();
        plot->replot();
        const double middle = (*row->lowSeconds - answer->run->recording().iterationSeconds) * 1e3 / 2;
        const QPointF bar(plot->xAxis->coordToPixel(middle),
                          plot->yAxis->coordToPixel(static_cast<double>(row - rows.begin()) + 1));
        QTest::mouseClick(plot, Qt::LeftButton, {}, bar.toPoint());
        QVERIFY(settle());
        QCOMPARE(session().state().bandwidthGbits.value_or(0), row->lowValue);
        QCOMPARE(session().run(Side::A)->recording().iterationSeconds, *row->lowSeconds);
    }

    /// The bounds' lines pass behind all texts, their own names included.
    void textsStandAboveTheTornadosLines() {
        explain();
        const QCustomPlot &plot = window().why().tornado().plot();
        int lines = 0, texts = 0;
        for (int i = 0; i < plot.itemCount(); ++i) {
            const bool isLine = qobject_cast<QCPItemStraightLine *>(plot.item(i)) != nullptr;
            ++(isLine ? lines : texts);
            QCOMPARE(plot.item(i)->layer()->name(), isLine ? QStringLiteral("main") : QStringLiteral("axes"));
        }
        COMPARE_ABOVE(lines, 0);
        COMPARE_ABOVE(texts, lines);
    }

    /// Rows of the tornado are as high as their names, however low the panel is; rows with the smallest effect are left out.
    void lowTornadosHaveFewerRows() {
        explain();
        const std::size_t all = window().why().answer()->sensitivities.size();
        const QCustomPlot &plot = window().why().tornado().plot();
        QTest::qWait(300); // the panel has got its room
        COMPARE_CLOSE(plot.yAxis->range().size() - 1.1, static_cast<double>(all), 1e-9);
        for (const QSize size : {QSize(1280, 720), QSize(1280, 560)}) {
            window().resize(size);
            QTest::qWait(200);
            const double height = plot.axisRect()->height() / plot.yAxis->range().size();
            QVERIFY2(height >= 12, qPrintable(QStringLiteral("%1 pixels a row").arg(height)));
        }
        COMPARE_BELOW(plot.yAxis->range().size() - 1.1, static_cast<double>(all));
    }

    /// Asked about a side that shows a measured run, the panel says why there is no explanation and keeps saying so, no matter
    /// what was in progress for the other side.
    void whatIsNotSimulatedIsNotExplained() {
        explain();
        QVERIFY(open(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz")));
        SessionState state = session().state();
        QVERIFY(state.profile != nullptr);
        state.compare = true;
        state.side(Side::A) = {Measured{}, {}};
        state.side(Side::B) = {Built{"AllReduce(chunk_size=128)"}, "ddp"};
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(session().run(Side::B) && session().run(Side::B)->simulation());
        window().why().askIteration(Side::B);
        window().why().askIteration(Side::A);
        QTest::qWait(400);
        QVERIFY(window().why().isSeen() && !window().why().answer());
        QCOMPARE(window().why().remedies().rowCount(), 0);
        // It states the measured figures, and leads to the side that is simulated or makes this one so.
        const auto button = [this](const QString &text) -> QToolButton * {
            for (QToolButton *one : window().why().findChildren<QToolButton *>())
                if (one->text() == text && one->isVisible())
                    return one;
            return nullptr;
        };
        bool says = false;
        for (const QLabel *label : window().why().findChildren<QLabel *>())
            says = says || label->text().contains(QStringLiteral("waits"));
        QVERIFY(says);
        // Where remedies and knobs would be it says why there are none; one button leads there.
        for (NoAnswer *none : {&window().why().noRemedies(), &window().why().noneBeside()}) {
            QVERIFY(none->isVisible());
            QVERIFY2(none->reason().contains(QStringLiteral("This side is measured")), qPrintable(none->reason()));
            QVERIFY(none->findChildren<QAbstractButton *>().isEmpty());
        }
        QVERIFY(!window().why().tornado().isVisible() && !window().why().remedies().isVisible());
        QVERIFY(button(QStringLiteral("Explain B")));
        QTest::mouseClick(button(QStringLiteral("Explain B")), Qt::LeftButton);
        QVERIFY(waitForAnswer());
        QVERIFY(window().why().answer()->question.side == Side::B);
        QVERIFY(window().why().tornado().isVisible() && window().why().remedies().isVisible());
        QVERIFY(!window().why().noneBeside().isVisible() && !window().why().noRemedies().isVisible());
        window().why().askIteration(Side::A);
        QVERIFY(!window().why().answer() && window().why().noneBeside().isVisible());
        QVERIFY(button(QStringLiteral("Explain B")));
        button(QStringLiteral("Explain B"))->click();
        QVERIFY(waitForAnswer());
        QVERIFY(window().why().answer()->question.side == Side::B && !button(QStringLiteral("Explain B")));
        state.compare = false;
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        window().why().askIteration(Side::A);
        QVERIFY(button(QStringLiteral("Simulate this side")));
        QTest::mouseClick(button(QStringLiteral("Simulate this side")), Qt::LeftButton);
        QVERIFY(waitForAnswer());
        QVERIFY(window().why().answer()->question.side == Side::A && session().run(Side::A)->simulation());
    }

    /// A job whose device mostly waits for its host: causes, bounds and remedies name that wait, with the same time as the
    /// Inspector does.
    void waitingForTheHostIsNamed() {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("launches.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"name": "launches", "batch_size": 1, "layers": [{"name": "a", "forward_seconds": 0.1,
                       "forward_host_seconds": 0.08, "backward_seconds": 0.1, "backward_host_seconds": 0.09,
                       "variables": [{"name": "a/w", "shape": [10], "dtype": "float32"}]}]})");
        file.close();
        QVERIFY(open(file.fileName(), QStringLiteral("A2")));
        SessionState alone = session().state();
        alone.workers = 1; // nothing is communicated
        session().change(alone, QStringLiteral("Workers"));
        QVERIFY(settle());
        explain();
        const auto answer = window().why().answer();
        COMPARE_WITHIN(answer->chain.seconds(CauseKind::HostWait), session().run(Side::A)->window().hostWaitSeconds, 1e-8);
        COMPARE_WITHIN(answer->bounds.hostWaitSeconds, 0.17, 1e-9);
        QStringList texts;
        for (const QLabel *label : window().why().findChildren<QLabel *>())
            texts += label->text();
        const QString all = texts.join(QLatin1Char('\n'));
        QVERIFY2(all.contains(QStringLiteral("170 ms of it waiting for the host")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("The device waits 170 ms for its host")), qPrintable(all));
    }

    void gapsAreExplained() {
        // Synchronous: everything waits for everything, leaving a gap before every iteration.
        SessionState state = session().state();
        state.side(Side::A) = {Built{"PSLoadBalancing"}, "fifo"};
        state.bandwidthGbits = 2;
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        explain();
        TimelineView &view = window().view(Side::A);
        const auto run = session().run(Side::A);
        const auto &starts = run->recording().timeline.iterationStart;
        const auto iteration = static_cast<double>(starts.back() - starts[starts.size() - 2]); // iterations differ slightly
        const QPoint gap(static_cast<int>(view.xOf(iteration * 0.98)), view.plotRect().top() + 8);
        QVERIFY(!view.spanAt(gap));
        QTest::mouseClick(&view, Qt::LeftButton, {}, gap);
        QVERIFY(waitForAnswer());
        const auto answer = window().why().answer();
        QVERIFY(answer->question.wait.has_value());
        QVERIFY(!answer->causes.empty());
        const double asked = run->recording().windowStartSeconds + view.timeAt(gap.x()) * 1e-9;
        COMPARE_AT_MOST(answer->chain.fromSeconds, asked);
        COMPARE_AT_MOST(asked, answer->chain.toSeconds);
        QVERIFY(answer->chain.seconds(CauseKind::Forward) == 0);
        COMPARE_ABOVE(answer->chain.seconds(CauseKind::Transfer) + answer->chain.seconds(CauseKind::Sharing), 0);
    }

private:
    bool waitForAnswer() {
        return QTest::qWaitFor(
            [this] {
                const auto answer = window().why().answer();
                return answer && answer->complete && answer->run == session().run(answer->question.side);
            },
            syncopate::testing::patience);
    }
    void explain() {
        window().action(QStringLiteral("explain"))->trigger();
        QVERIFY(waitForAnswer());
    }
};

QTEST_MAIN(TestWhy)
#include "tst_why.moc"
