// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/ui/slow_side.h"
#include "tests/ui/window_fixture.h"
#include "ui/tables/filter_line.h"
#include "ui/variables/load_bars.h"
#include "ui/variables/node_edit_sheet.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/message_bar.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <numeric>
#include <set>

using namespace syncopate;
using namespace syncopate::ui;

class TestVariables : public QObject, private WindowFixture {
    Q_OBJECT

    VariablesPanel &panel() { return window().variables(); }
    void select(const std::vector<int> &rows) {
        panel().table()->clearSelection();
        for (const int row : rows)
            panel().table()->selectionModel()->select(panel().table()->model()->index(row, 0),
                                                      QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    /// The first cell of each line that Ctrl+C copies.
    QStringList copiedNames(const std::vector<int> &rows) {
        select(rows);
        QTest::keyClick(panel().table(), Qt::Key_C, Qt::ControlModifier);
        QStringList names;
        for (const QString &line : QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            names << line.section(QLatin1Char('\t'), 0, 0);
        return names;
    }
    [[nodiscard]] const Strategy &strategy(Side side) { return *session().run(side)->simulation()->scenario.strategy; }

private Q_SLOTS:
    void init() {
        start();
        session().startWith({SideState{Built{"PSLoadBalancing"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "fifo"}},
                            true);
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
    }
    void cleanup() { stop(); }

    void severalAtOnce() {
        const QAbstractItemModelTester tester(panel().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const Strategy before = strategy(Side::A);
        select({0, 2, 3});
        panel().table()->setFocus();
        QTest::keyClick(panel().table(), Qt::Key_E);
        QPointer<NodeEditSheet> sheet = panel().findChild<NodeEditSheet *>();
        QVERIFY(sheet);
        sheet->box(QStringLiteral("kind"))->setCurrentIndex(2);
        sheet->field(QStringLiteral("group"))->setText(QStringLiteral("7"));
        sheet->field(QStringLiteral("parts"))->setText(QStringLiteral("2"));
        sheet->accept();
        QVERIFY(settle());
        QTRY_VERIFY(sheet.isNull());
        NodeEdit edit;
        edit.kind = SynchronizerKind::AllReduce;
        edit.group = 7;
        edit.parts = 2;
        const Strategy expected = *editNodes(before, *session().state().job, {0, 2, 3}, edit, {});
        QCOMPARE(strategy(Side::A).nodes, expected.nodes);
        QCOMPARE(panel().model()->index(0, VariablesModel::SynchroniserA).data().toString(), QStringLiteral("AllReduce"));
        QCOMPARE(panel().model()->index(1, VariablesModel::SynchroniserA).data().toString(), QStringLiteral("PS"));
        // Undo and redo, and back to the builder's strategy.
        session().undoStack()->undo();
        QVERIFY(settle());
        QCOMPARE(strategy(Side::A).nodes, before.nodes);
        session().undoStack()->redo();
        QVERIFY(settle());
        QCOMPARE(strategy(Side::A).nodes, expected.nodes);
        panel().takeEditsBack(Side::A);
        QVERIFY(settle());
        QCOMPARE(strategy(Side::A).nodes, before.nodes);
    }

    /// Parts of one variable may be reduced in several groups: all are named.
    void everyGroupOfAVariableIsNamed() {
        SessionState next = session().state();
        next.side(Side::B).source = Built{"PartitionedAR(chunk_size=1)"};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        const std::int32_t parts = panel().model()->index(0, VariablesModel::PartsB).data().toInt();
        COMPARE_ABOVE(parts, 1);
        QCOMPARE(panel().model()->index(0, VariablesModel::WhereB).data().toString(),
                 QStringLiteral("group 0..%1").arg(parts - 1));
    }

    /// Groups that the policy does not fuse are grey and say why; a policy that fuses shows its own buckets instead.
    void ignoredGroupsAreGrey() {
        const auto whereB = [&](const char *policy) {
            SessionState next = session().state();
            next.side(Side::B).policy = policy;
            session().change(next, QStringLiteral("test"));
            return settle() ? panel().model()->index(0, VariablesModel::WhereB) : QModelIndex();
        };
        const QModelIndex joined = whereB("fifo");
        QVERIFY2(joined.data().toString().startsWith(QLatin1String("group")), qPrintable(joined.data().toString()));
        QVERIFY(!joined.data(Qt::ForegroundRole).isValid());
        const QModelIndex alone = whereB("p3");
        QVERIFY(alone.data(Qt::ForegroundRole).isValid());
        const QString why = alone.data(Qt::ToolTipRole).toString();
        QVERIFY2(why.contains(QLatin1String("p3 sends every variable by itself")), qPrintable(why));
        const QModelIndex fused = whereB("ddp");
        QVERIFY2(fused.data().toString().startsWith(QLatin1String("bucket")), qPrintable(fused.data().toString()));
        QVERIFY(!fused.data(Qt::ForegroundRole).isValid());
        QVERIFY(fused.data(Qt::ToolTipRole).toString().contains(QLatin1String("rules of its own")));
    }

    void whatCannotBeIsSaid() {
        select({});
        QVERIFY(!panel().editSelected(Side::A));
        QVERIFY(window().messageBar().text().contains(QStringLiteral("no variable is selected")));
        select({0});
        NodeEditSheet *sheet = panel().editSelected(Side::A);
        QVERIFY(sheet);
        QVERIFY(sheet->edit()->isEmpty());
        sheet->field(QStringLiteral("parts"))->setText(QStringLiteral("many"));
        QVERIFY(!sheet->edit().has_value());
        sheet->field(QStringLiteral("parts"))->setText(QStringLiteral("%3"));
        const std::string what = sheet->edit().error().what;
        QVERIFY2(what.find("“%3” is not a number from 1 to") != std::string::npos, what.c_str());
        sheet->field(QStringLiteral("parts"))->setText(QStringLiteral("1000000"));
        const SessionState before = session().state();
        sheet->accept();
        QVERIFY(sheet->isVisible()); // still open, saying why
        QVERIFY(session().state() == before);
    }

    /// Rows are copied in the order of the table, however they were selected, and several under a header.
    void rowsAreCopiedInTheirOrder() {
        const std::vector<Variable> &variables = session().state().job->variables;
        const QString header = panel().model()->headerData(VariablesModel::Name, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString first = QString::fromStdString(variables[1].name), second = QString::fromStdString(variables[3].name);
        QCOMPARE(copiedNames({3, 1}), (QStringList{header, first, second}));
        QCOMPARE(copiedNames({3}), QStringList{second});
        QCOMPARE(copiedNames({}), QStringList{second}); // nothing is selected: the clipboard stays
        const QString copied = QApplication::clipboard()->text();
        Q_EMIT panel().copyWanted(); // from the menu
        QCOMPARE(QApplication::clipboard()->text(), copied);
        select({1});
        Q_EMIT panel().copyWanted();
        QCOMPARE(QApplication::clipboard()->text().section(QLatin1Char('\t'), 0, 0), first);
    }

    /// A spreadsheet neither runs a name as a formula nor takes its tab for the next column.
    void copiedNamesAreInert() {
        Job job = *session().state().job;
        job.variables[1].name = "=HYPERLINK(\"x\")\tkernel";
        SessionState next = session().state();
        next.job = std::make_shared<const Job>(std::move(job));
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        QCOMPARE(copiedNames({0, 1}).value(2), QStringLiteral("'=HYPERLINK(\"x\")\\tkernel"));
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        for (const QString &line : lines)
            QCOMPARE(line.count(QLatin1Char('\t')), int(VariablesModel::ColumnCount) - 1); // both sides are shown
    }

    void aSideIsEditedWhileTheOtherIsSimulated() {
        session().change(slowB(), QStringLiteral("slow"));
        QVERIFY(
            QTest::qWaitFor([&] { return session().run(Side::A) && !session().isStale(Side::A); }, syncopate::testing::patience));
        select({0});
        NodeEditSheet *sheet = panel().editSelected(Side::A);
        QVERIFY(sheet);
        sheet->box(QStringLiteral("kind"))->setCurrentIndex(2);
        sheet->field(QStringLiteral("group"))->setText(QStringLiteral("7"));
        sheet->accept();
        QVERIFY(session().isStale(Side::B));
        QVERIFY(std::holds_alternative<Edited>(session().state().side(Side::A).source));
    }

    /// The sheet closes when a job that was being loaded takes the place of the one whose variables were selected: it would
    /// change the variables of the same numbers.
    void anotherJobClosesTheSheet() {
        select({1, 3});
        const QPointer<NodeEditSheet> sheet = panel().editSelected(Side::A);
        QVERIFY(sheet);
        sheet->box(QStringLiteral("kind"))->setCurrentIndex(2);
        SessionState knobs = session().state(); // the job's own knobs do not close it
        knobs.bandwidthGbits = 5;
        session().change(knobs, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(sheet && sheet->isVisible());
        QVERIFY(open(QStringLiteral("resnet50"), QStringLiteral("B7")));
        QVERIFY(settle());
        QTRY_VERIFY(sheet.isNull());
        QVERIFY(!std::holds_alternative<Edited>(session().state().side(Side::A).source));
    }

    /// While another job is simulated for the first time the table has the rows of the one before, which cannot be edited.
    void rowsOfTheJobBeforeAreNotEdited() {
        select({0});
        session().change(slowB(), QStringLiteral("slow"));
        QVERIFY(session().run(Side::A)->recording().job != session().state().job);
        QVERIFY(!panel().editSelected(Side::A));
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("this side is not simulated")),
                 qPrintable(window().messageBar().text()));
    }

    /// B has a builder: what keeps it from being simulated is that it is hidden.
    void aHiddenSideIsToBeShownFirst() {
        SessionState alone = session().state();
        alone.compare = false;
        session().change(alone, QStringLiteral("A alone"));
        QVERIFY(settle());
        select({0});
        QVERIFY(!panel().editSelected(Side::B));
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("compare A and B")),
                 qPrintable(window().messageBar().text()));
    }

    /// The bars show the bytes that the servers reduce; a click filters that server's variables.
    void serversLoad() {
        const std::vector<double> bytes = panel().loadBars(Side::A)->bytes();
        QCOMPARE(bytes.size(), session().run(Side::A)->simulation()->scenario.cluster->reductionDevices().size());
        QCOMPARE(std::accumulate(bytes.begin(), bytes.end(), 0.0), static_cast<double>(session().state().job->parameterBytes()));
        QVERIFY(panel().loadBars(Side::B)->bytes().empty());
        QVERIFY(!panel().loadBars(Side::B)->isVisible());
        // The first bar begins behind the text, which is 132 pixels wide.
        QTest::mouseClick(panel().loadBars(Side::A), Qt::LeftButton, {}, {133, 17});
        const std::string server = session().run(Side::A)->simulation()->scenario.cluster->nodes[0].address + ":";
        int there = 0;
        for (const VariableRow &row : session().run(Side::A)->variables())
            there += row.destination.starts_with(server) ? 1 : 0;
        COMPARE_ABOVE(there, 0);
        COMPARE_BELOW(there, panel().model()->rowCount());
        QCOMPARE(panel().table()->model()->rowCount(), there);
    }

    /// An expression leaves exactly the matching rows, and a click on a server's bar leaves its variables.
    void filters() {
        const auto shown = [&] { return panel().table()->model()->rowCount(); };
        const int all = shown();
        panel().filter()->setText(QStringLiteral("size>1MiB"));
        int large = 0;
        for (const Variable &variable : session().state().job->variables)
            large += variable.sizeBytes() > 1 << 20 ? 1 : 0;
        QVERIFY(large > 0 && large < all);
        QCOMPARE(shown(), large);
        panel().filter()->setText(QStringLiteral("size>1MiB or !size>1MiB"));
        QCOMPARE(shown(), all);
        panel().filter()->setText(QStringLiteral("b=AllReduce a=AllReduce"));
        QCOMPARE(shown(), 0);
        panel().filter()->setText(QStringLiteral("size>"));
        QVERIFY(panel().filter()->error());
        QCOMPARE(shown(), 0); // the last valid one stays in force
        const std::string server = session().run(Side::A)->simulation()->scenario.cluster->nodes[0].address;
        Q_EMIT panel().loadBars(Side::A)->serverClicked(QString::fromStdString(server));
        QVERIFY(!panel().filter()->error());
        int there = 0;
        for (const VariableRow &row : session().run(Side::A)->variables())
            there += row.destination.starts_with(server + ":") ? 1 : 0;
        QVERIFY(there > 0 && there < all);
        QCOMPARE(shown(), there);
        panel().filter()->clear();
        QCOMPARE(shown(), all);
    }

    /// A click on a server's bar leaves out the variables of a server whose address only ends like it.
    void aServerIsNotAnotherOfASimilarAddress() {
        Cluster alike = *session().state().cluster;
        const std::string first = alike.nodes[0].address + ":";
        alike.nodes[1].address = "1" + alike.nodes[0].address;
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(alike);
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        int there = 0, alsoAlike = 0;
        for (const VariableRow &row : session().run(Side::A)->variables()) {
            const QString servers = QString::fromStdString(row.destination);
            for (const QString &server : servers.split(QLatin1Char(' ')))
                there += server.startsWith(QString::fromStdString(first)) ? 1 : 0;
            alsoAlike += servers.contains(QString::fromStdString(first)) ? 1 : 0;
        }
        COMPARE_ABOVE(there, 0);
        COMPARE_BELOW(there, alsoAlike); // else this would prove nothing
        Q_EMIT panel().loadBars(Side::A)->serverClicked(QString::fromStdString(alike.nodes[0].address));
        QVERIFY(!panel().filter()->error());
        QCOMPARE(panel().table()->model()->rowCount(), there);
    }

    /// Cells of a side without a simulation show a dash, which is no value: they satisfy no comparison.
    void aDashIsNoValue() {
        VariablesModel model;
        model.set(session().state().job, session().run(Side::A), nullptr);
        const std::vector<FilterField> fields = VariablesModel::filterFields();
        const auto matching = [&](const QString &text) {
            const FilterExpression expression = syncopate::testing::must(FilterExpression::parse(text, fields));
            int count = 0;
            for (int row = 0; row < model.rowCount(); ++row)
                count += expression.matches([&](std::size_t field) { return model.filterValue(row, field); }) ? 1 : 0;
            return count;
        };
        const int all = model.rowCount();
        COMPARE_ABOVE(all, 0);
        QCOMPARE(matching(QStringLiteral("a=PS")), all);
        QCOMPARE(matching(QStringLiteral("a_parts!=9")), all);
        for (const char *none : {"b=PS", "b!=PS", "b_where~\"–\"", "b_marks!=x", "b_parts!=9", "b_exposed<1s"})
            QCOMPARE(std::pair(none, matching(QString::fromUtf8(none))), std::pair(none, 0));
        QCOMPARE(matching(QStringLiteral("!b!=PS")), all);
    }

    /// While bandwidth is dragged only times are drawn again; with another policy, all cells of its side.
    void onlyWhatDiffersIsDrawnAgain() {
        QSignalSpy told(panel().model(), &QAbstractItemModel::dataChanged);
        const auto columnsAfter = [&](const SessionState &next) {
            told.clear();
            session().change(next, QStringLiteral("test"));
            std::set<int> columns;
            if (settle())
                for (const QList<QVariant> &signal : told)
                    for (int c = signal[0].toModelIndex().column(); c <= signal[1].toModelIndex().column(); ++c)
                        columns.insert(c);
            return columns;
        };
        using enum VariablesModel::Column;
        SessionState next = session().state();
        next.bandwidthGbits = 7;
        QCOMPARE(columnsAfter(next), (std::set<int>{TimeA, ExposedA, TimeB, ExposedB, Delta}));
        next.side(Side::B).policy = "p3";
        QCOMPARE(columnsAfter(next), (std::set<int>{SynchroniserB, WhereB, PartsB, TimeB, ExposedB, MarksB, Delta}));
    }

    /// Word, token type and position embeddings all read "bert/embeddin…_embeddings:0".
    void namesReadApart() {
        window().resize(1920, 1080);
        QVERIFY(open(QStringLiteral("bert_large"), QStringLiteral("B7")));
        QTableView &table = *panel().table();
        const int longest = static_cast<QAbstractItemView &>(table).sizeHintForColumn(VariablesModel::Name);
        QCOMPARE(table.columnWidth(VariablesModel::Name), std::clamp(longest, 210, table.width() / 4));
        table.setColumnWidth(VariablesModel::Name, 210);
        table.setAlternatingRowColors(false);
        table.setFixedSize(table.width(), std::max(200, table.height()));
        QCOMPARE(table.columnWidth(VariablesModel::Name), 210); // the user's stays
        std::vector<QImage> cells;
        for (int row = 0; row < 3; ++row) {
            const QModelIndex index = table.model()->index(row, VariablesModel::Name);
            QVERIFY(index.data().toString().endsWith(QStringLiteral("_embeddings:0")));
            cells.push_back(table.viewport()->grab(table.visualRect(index)).toImage());
        }
        QVERIFY(cells[0] != cells[1] && cells[1] != cells[2] && cells[0] != cells[2]);
    }

    /// Marks are lint's, per variable.
    void marks() {
        SessionState next = session().state();
        next.side(Side::A).source = Built{"PartitionedPS"};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        const Scenario &scenario = session().run(Side::A)->simulation()->scenario;
        const std::vector<LintMark> marks = lint(*scenario.job, *scenario.cluster, *scenario.strategy);
        std::size_t shown = 0, ofVariables = 0;
        for (int row = 0; row < panel().model()->rowCount(); ++row)
            shown += static_cast<std::size_t>(panel().model()->index(row, VariablesModel::MarksA).data(Qt::UserRole).toInt());
        for (const LintMark &mark : marks)
            ofVariables += mark.variable.empty() ? 0 : 1;
        COMPARE_ABOVE(ofVariables, 0U);
        QCOMPARE(shown, ofVariables);
        QCOMPARE(panel().marksText(Side::A).isEmpty(), marks.empty());
    }
};

QTEST_MAIN(TestVariables)
#include "tst_variables.moc"
