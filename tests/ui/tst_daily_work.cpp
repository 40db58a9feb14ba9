// SPDX-License-Identifier: GPL-3.0-or-later
// Obstacles for an engineer who keeps the explorer open all day.
#include "engine/base/units.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/ui/window_fixture.h"
#include "ui/export/export_sheet.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/inspector/inspector.h"
#include "ui/knobs/cluster_choice.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/runs/sweep_preset.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/notes_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/topology_panel.h"
#include "ui/topology/topology_view.h"
#include "ui/variables/node_edit_sheet.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/command_palette.h"
#include "ui/window/message_bar.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>
#include <algorithm>
#include <vector>

using namespace syncopate;
using namespace syncopate::ui;

class TestDailyWork : public QObject, WindowFixture {
    Q_OBJECT

    /// The rich text about the selected span.
    QString inspectedSpan() {
        for (const QLabel *label : window().inspector().findChildren<QLabel *>())
            if (label->textFormat() == Qt::RichText)
                return label->isHidden() ? QString() : label->text();
        return QStringLiteral("there is no such label");
    }
    void selectFirstSpan() { window().view(Side::A).selectSpan(SpanRef{0, 0}); }
    QStringList found(const QString &pattern) {
        window().action(QStringLiteral("palette"))->trigger();
        auto *palette = window().findChild<CommandPalette *>();
        palette->field()->setText(pattern);
        QStringList texts;
        for (int row = 0; row < palette->list()->count(); ++row)
            texts += palette->list()->item(row)->text();
        palette->close();
        QTest::qWait(20);
        return texts;
    }

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        start();
        QVERIFY(open());
        window().activateWindow();
        QTRY_VERIFY(QApplication::activeWindow() == &window());
    }
    void cleanup() { stop(); }

    void theInspectorForgetsTheJobBefore() {
        selectFirstSpan();
        QVERIFY(!inspectedSpan().isEmpty());
        QVERIFY(open(QStringLiteral("vgg16")));
        QTRY_VERIFY2(inspectedSpan().isEmpty(), qPrintable(inspectedSpan()));
        QVERIFY(!window().view(Side::A).selectedSpan());
    }

    void theInspectorForgetsALaneThatIsGone() {
        TimelineView &a = window().view(Side::A);
        a.selectSpan(SpanRef{a.data()->laneCount() - 1, 0});
        QVERIFY(!inspectedSpan().isEmpty());
        SessionState next = session().state();
        next.side(Side::A) = next.side(Side::B);
        next.workers = 1;
        session().change(next, QStringLiteral("one worker"));
        QVERIFY(settle());
        QCOMPARE(inspectedSpan().isEmpty(), !a.selectedSpan());
    }

    void anErrorGoesWithTheNextSuccess() {
        session().open(QStringLiteral("/nowhere/profile.json"));
        QTRY_VERIFY(window().messageBar().isVisible());
        SessionState next = session().state();
        next.bandwidthGbits = 10;
        session().change(next, QStringLiteral("knob")); // unrelated to files
        QVERIFY(settle());
        QVERIFY(window().messageBar().isVisible());
        QVERIFY(open(QStringLiteral("alexnet")));
        QTRY_VERIFY(session().state().source == "alexnet");
        QVERIFY(window().messageBar().isHidden());
        QVERIFY(!window().variables().editSelected(Side::A)); // nothing is selected
        QVERIFY(window().messageBar().isVisible());
        next = session().state();
        next.bandwidthGbits = 20;
        session().change(next, QStringLiteral("knob"));
        QVERIFY(window().messageBar().isHidden());
    }

    void enterKeepsANoteAndZoomsNothing() {
        selectFirstSpan();
        TimelineView &a = window().view(Side::A);
        a.setFocus();
        const auto shown = window().axis().window();
        a.writeNote();
        auto *editor = a.findChild<QLineEdit *>();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("here"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(window().notes().notes().size(), std::size_t(1));
        QCOMPARE(window().axis().window(), shown);
    }

    void notesAreUndone() {
        Notes &notes = window().notes();
        const int steps = session().undoStack()->count();
        notes.add({0, 1e6, 2e6, {}, "first"});
        notes.setText(0, "second");
        notes.remove(0);
        QCOMPARE(session().undoStack()->count(), steps + 3);
        QVERIFY(notes.notes().empty());
        session().undoStack()->undo();
        QCOMPARE(notes.notes().at(0).text, std::string("second"));
        session().undoStack()->undo();
        QCOMPARE(notes.notes().at(0).text, std::string("first"));
        session().undoStack()->undo();
        QVERIFY(notes.notes().empty());
        session().undoStack()->redo();
        QCOMPARE(notes.notes().at(0).text, std::string("first"));
        QVERIFY(session().run(Side::A)); // no scenario was touched
    }

    /// The note that is edited is changed, whichever number an undo gives it meanwhile.
    void anUndoDoesNotExchangeTheEditedNote() {
        Notes &notes = window().notes();
        notes.add({0, 1e6, 1e6, {}, "first"});
        notes.add({0, 2e6, 2e6, {}, "second"});
        notes.remove(0);
        TimelineView &a = window().view(Side::A);
        const std::vector<QRect> flags = a.rulerTexts();
        const auto flag = std::ranges::find_if(flags, [&](const QRect &box) { return a.noteAt(box.center()) == std::size_t{0}; });
        QVERIFY(flag != flags.end());
        QTest::mouseDClick(&a, Qt::LeftButton, {}, flag->center());
        QLineEdit *editor = a.noteEditor();
        QVERIFY(editor);
        QCOMPARE(editor->text(), QStringLiteral("second"));
        session().undoStack()->undo(); // of the removal: "first" is number 0 again
        editor->setText(QStringLiteral("changed"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(notes.notes().size(), std::size_t{2});
        QCOMPARE(notes.notes()[0].text, std::string("first"));
        QCOMPARE(notes.notes()[1].text, std::string("changed"));
    }

    /// A and B may have notes that are alike: the one that is edited is changed.
    void aNoteIsNotTakenForTheOtherSides() {
        Notes &notes = window().notes();
        notes.add({0, 1e6, 1e6, {}, "here"});
        notes.add({1, 1e6, 1e6, {}, "here"});
        TimelineView &b = window().view(Side::B);
        const std::vector<QRect> flags = b.rulerTexts();
        const auto flag = std::ranges::find_if(flags, [&](const QRect &box) { return b.noteAt(box.center()) == std::size_t{1}; });
        QVERIFY(flag != flags.end());
        QTest::mouseDClick(&b, Qt::LeftButton, {}, flag->center());
        QVERIFY(b.noteEditor());
        b.noteEditor()->setText(QStringLiteral("changed"));
        QTest::keyClick(b.noteEditor(), Qt::Key_Return);
        QCOMPARE(notes.notes()[0].text, std::string("here"));
        QCOMPARE(notes.notes()[1].text, std::string("changed"));
    }

    /// In the list of notes, Enter ends an edit without scrolling to the note, and shows the note's place otherwise.
    void enterEndsAnEditInTheListOfNotes() {
        window().notes().add({0, 1e6, 1e6, {}, "here"});
        auto *dock = window().findChild<QDockWidget *>(QStringLiteral("notes"));
        dock->show();
        dock->raise();
        QTableWidget &table = *window().notesPanel().table();
        QSignalSpy wanted(&window().notesPanel(), &NotesPanel::noteWanted);
        const int texts = table.columnCount() - 1;
        table.setCurrentCell(0, texts);
        table.editItem(table.item(0, texts));
        auto *editor = table.viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->setText(QStringLiteral("there"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(window().notes().notes().at(0).text, std::string("there"));
        QCOMPARE(wanted.size(), 0);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
    }

    void undoReachesTheModelFromAField() {
        for (const bool knob : {true, false}) {
            QLineEdit *field = knob ? window().knobs().knob(QStringLiteral("workers"))->field()
                                    : window().knobs().strategyBox(Side::B)->lineEdit();
            const SessionState before = session().state();
            field->setFocus();
            QTRY_VERIFY(field->hasFocus());
            field->selectAll();
            QTest::keyClicks(field, knob ? QStringLiteral("8") : QStringLiteral("PartitionedPS"));
            QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier); // undo of typing belongs to the field
            QVERIFY(session().state() == before);
            field->selectAll();
            QTest::keyClicks(field, knob ? QStringLiteral("8") : QStringLiteral("PartitionedPS"));
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(settle());
            QVERIFY(session().state() != before);
            field->setFocus();
            QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
            QVERIFY2(session().state() == before,
                     qPrintable(QStringLiteral("the field says %1, the next undo is %2, the next redo %3")
                                    .arg(field->text(), session().undoStack()->undoText(), session().undoStack()->redoText())));
            QVERIFY(settle());
        }
    }

    /// A project's name without its suffix means the file with it: the dialog asks before that one is replaced.
    void aNameWithoutSuffixReplacesNoProject_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << QStringLiteral("mine");
        QTest::newRow("with a dot") << QStringLiteral("mine.v2");
    }
    void aNameWithoutSuffixReplacesNoProject() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        QFile other(folder.filePath(name + QStringLiteral(".syncopate")));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("other") == 5);
        other.close();
        int typed = 0, asked = 0;
        QTimer watch;
        connect(&watch, &QTimer::timeout, &watch, [&] {
            QWidget *const modal = QApplication::activeModalWidget();
            if (auto *question = qobject_cast<QMessageBox *>(modal)) {
                ++asked;
                question->button(QMessageBox::No)->click();
            } else if (auto *dialog = qobject_cast<QFileDialog *>(modal)) {
                if (asked > 0)
                    return dialog->reject();
                if (typed++ == 0) // then it is the program that proposes a name
                    dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"))->setText(folder.filePath(name));
                QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection); // which may ask, in a loop of its own
            }
        });
        watch.start(20);
        window().action(QStringLiteral("saveAs"))->trigger();
        watch.stop();
        QCOMPARE(asked, 1);
        QVERIFY(window().keeper().path().isEmpty());
        QVERIFY(other.open(QIODevice::ReadOnly));
        QCOMPARE(other.readAll(), QByteArray("other"));
    }

    /// Every kind of file that can be opened is offered, PipeDream's graph.txt and archives of ranks included.
    void theDialogOffersWhatCanBeOpened() {
        QString offered;
        QTimer watch;
        connect(&watch, &QTimer::timeout, &watch, [&] {
            if (auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget())) {
                offered = dialog->nameFilters().value(0);
                dialog->reject();
            }
        });
        watch.start(20);
        window().action(QStringLiteral("open"))->trigger();
        watch.stop();
        for (const char *kind : {"json", "json.gz", "tar", "tgz", "zip", "sqlite", "pb", "et", "txt", "dag", "yml", "syncopate"})
            QVERIFY2(offered.contains(QRegularExpression(QStringLiteral("[( ]\\*\\.%1[) ]").arg(QLatin1String(kind)))),
                     qPrintable(offered));
    }

    void closeIsOneWindowAndQuitIsAll() {
        QPointer<MainWindow> other = window().openWindow();
        QTRY_VERIFY(other && other->isVisible());
        other->action(QStringLiteral("close"))->trigger();
        QTRY_VERIFY(!other || !other->isVisible());
        QVERIFY(window().isVisible());
        other = window().openWindow();
        QTRY_VERIFY(other && other->isVisible());
        other->action(QStringLiteral("quit"))->trigger();
        QTRY_VERIFY((!other || !other->isVisible()) && !window().isVisible());
    }

    /// Qt lists what screen readers know: a dock that stayed there after its window would be taken for the next one at its
    /// address, which ended the program.
    void aClosedWindowsDocksAreForgotten() {
        QPointer<MainWindow> other = window().openWindow();
        QTRY_VERIFY(other && other->isVisible());
        std::vector<QAccessible::Id> known;
        for (QDockWidget *dock : other->findChildren<QDockWidget *>())
            known.push_back(QAccessible::uniqueId(QAccessible::queryAccessibleInterface(dock)));
        COMPARE_ABOVE(known.size(), 5U);
        for (const QAccessible::Id id : known)
            QVERIFY(QAccessible::accessibleInterface(id));
        other->action(QStringLiteral("close"))->trigger();
        QTRY_VERIFY(!other);
        for (const QAccessible::Id id : known)
            QVERIFY(!QAccessible::accessibleInterface(id));
    }

    /// A knob that covers several nodes shows that they differ; turning it makes them equal.
    void aKnobSaysWhereNodesDiffer() {
        Knob *knob = window().knobs().knob(QStringLiteral("bandwidth"));
        const QString equal = knob->field()->text();
        SessionState next = session().state();
        Cluster uneven = *next.cluster;
        uneven.nodes[0].bandwidthBytesPerSecond /= 5;
        next.cluster = std::make_shared<const Cluster>(uneven);
        session().change(next, QStringLiteral("one node"));
        QCOMPARE(equal, QStringLiteral("50 Gbit/s"));
        QCOMPARE(knob->field()->text(), QStringLiteral("10–50 Gbit/s"));
        for (std::size_t n = 0; n < uneven.nodes.size(); ++n)
            uneven.nodes[n].bandwidthBytesPerSecond = bytesPerSecondFromGbits(n == 0 ? 1600 : 3200);
        next.cluster = std::make_shared<const Cluster>(uneven);
        session().change(next, QStringLiteral("fast ones"));
        QCOMPARE(knob->field()->text(), QStringLiteral("1600–3200 Gbit/s"));
        next.bandwidthGbits = 25;
        session().change(next, QStringLiteral("all"));
        QCOMPARE(knob->field()->text(), QStringLiteral("25 Gbit/s"));
        QVERIFY(settle());
    }

    void exportsRememberTheirFolder() {
        const QTemporaryDir folder;
        for (const bool first : {true, false}) {
            window().action(QStringLiteral("export"))->trigger();
            const QPointer<ExportSheet> sheet = window().findChild<ExportSheet *>();
            QVERIFY(sheet);
            bool named = false;
            for (const QLineEdit *field : sheet->findChildren<QLineEdit *>())
                named = named || field->text() == folder.path();
            QCOMPARE(named, !first);
            sheet->setFolder(folder.path());
            sheet->accept();
            QTRY_VERIFY_WITH_TIMEOUT(!sheet, syncopate::testing::patience);
        }
        QSettings().remove(QStringLiteral("exportFolder"));
    }

    void anEditSaysWhichSideItChanges() {
        window().variables().table()->selectRow(0);
        for (const Side side : {Side::A, Side::B}) {
            const QPointer<NodeEditSheet> sheet = window().variables().editSelected(side);
            const QString text = sheet->findChild<QLabel *>(QStringLiteral("what"))->text();
            QVERIFY2(text.contains(side == Side::A ? QStringLiteral("Changes A, AllReduce") : QStringLiteral("Changes B, PS")),
                     qPrintable(text));
            sheet->reject();
        }
    }

    void theTopologyFormStaysWhereItIs() {
        window().action(QStringLiteral("topology"))->trigger();
        TopologyPanel &panel = window().topology();
        QTRY_VERIFY(panel.field(QStringLiteral("nodeBandwidth"))->isVisible());
        QTest::qWait(200);
        const int before = panel.field(QStringLiteral("nodeBandwidth"))->y();
        panel.view().select(0);
        QTest::qWait(50);
        QCOMPARE(panel.field(QStringLiteral("nodeBandwidth"))->y(), before);
    }

    void shortcutNamesAreWhole() {
        window().action(QStringLiteral("keys"))->trigger();
        auto *sheet = window().findChild<ShortcutSheet *>();
        QTest::qWait(50);
        const auto *list = sheet->findChild<QTreeWidget *>();
        for (QTreeWidgetItemIterator it(const_cast<QTreeWidget *>(list)); *it; ++it) {
            const QRect cell = list->visualItemRect(*it);
            const int room = list->columnWidth(0) - (cell.isValid() ? list->indentation() * ((*it)->parent() ? 2 : 1) : 0);
            const int wanted = QFontMetrics((*it)->font(0)).horizontalAdvance((*it)->text(0));
            QVERIFY2(wanted <= room, qPrintable(QStringLiteral("%1: %2 of %3 pixels").arg((*it)->text(0)).arg(room).arg(wanted)));
        }
        sheet->close();
    }

    void noKnobIsSweptAgainstItself() {
        window().action(QStringLiteral("sweep"))->trigger();
        QComboBox *first = nullptr, *second = nullptr;
        for (QComboBox *box : window().findChildren<QComboBox *>()) {
            if (box->accessibleName() == QStringLiteral("Swept knob"))
                first = box;
            else if (box->accessibleName() == QStringLiteral("Second swept knob"))
                second = box;
        }
        QVERIFY(first && second);
        const auto *choices = qobject_cast<QStandardItemModel *>(second->model());
        for (int knob = 0; knob < first->count(); ++knob) {
            first->setCurrentIndex(knob);
            for (int other = 1; other < second->count(); ++other)
                QCOMPARE(choices->item(other)->isEnabled(), second->itemData(other) != first->itemData(knob));
        }
        first->setCurrentIndex(0);
        second->setCurrentIndex(2);
        first->setCurrentIndex(1); // the one it is swept against
        QCOMPARE(second->currentIndex(), 0);
    }

    void clustersAreListedWithTheirDescription() {
        QComboBox *box = nullptr;
        for (QComboBox *one : window().knobs().findChildren<QComboBox *>())
            if (one->accessibleName() == QStringLiteral("Cluster"))
                box = one;
        QVERIFY(box);
        for (const CatalogueCluster &cluster : catalogueClusters()) {
            const int item = box->findText(QString::fromStdString(cluster.name));
            QCOMPARE(box->itemData(item, clusterDescriptionRole).toString(), QString::fromStdString(cluster.description));
        }
        box->showPopup();
        QTest::qWait(50);
        const QString longest = QStringLiteral("B7   –   4 x g4dn.12xlarge, 4 T4 each");
        COMPARE_ABOVE(box->view()->width(), QFontMetrics(box->font()).horizontalAdvance(longest));
        box->hidePopup();
        QCOMPARE(box->currentText(), QStringLiteral("B7")); // the closed box has no room for it
    }

    void theLogTellsUndoFromChange() {
        auto *log = window().findChild<QDockWidget *>(QStringLiteral("log"))->findChild<QPlainTextEdit *>();
        const auto lines = [log] {
            QStringList texts;
            for (const QString &line : log->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
                texts << line.section(QStringLiteral("  "), 1); // after the time
            return texts.filter(QRegularExpression(QStringLiteral("first$|second$|third$")));
        };
        const auto change = [this](double gbits, const char *what) {
            SessionState next = session().state();
            next.bandwidthGbits = gbits;
            session().change(next, QLatin1String(what));
        };
        change(3, "first");
        change(4, "second");
        session().undoStack()->undo();
        session().undoStack()->undo();
        session().undoStack()->redo();
        change(5, "third"); // in place of the second
        QVERIFY(settle());
        QCOMPARE(lines(), (QStringList{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("Undo: second"),
                                       QStringLiteral("Undo: first"), QStringLiteral("first"), QStringLiteral("third")}));
    }

    /// One worker whose step of one sample takes 30 s: 1/30 of a sample a second, not 0.0.
    void slowStepsHaveARate() {
        const QTemporaryDir folder;
        const QString job = folder.filePath(QStringLiteral("slow.json")), cluster = folder.filePath(QStringLiteral("one.yml"));
        syncopate::testing::writeFile(job, "{\"name\": \"slow\", \"batch_size\": 1, \"layers\": [{\"name\": \"l\", "
                                           "\"forward_seconds\": 10, \"backward_seconds\": 20, \"variables\": "
                                           "[{\"name\": \"l/w\", \"shape\": [4], \"dtype\": \"float32\"}]}]}");
        syncopate::testing::writeFile(cluster, "nodes:\n  - address: 10.0.0.1\n    gpus: [0]\n    chief: true\n");
        session().open(job, cluster);
        QTRY_COMPARE(session().state().source, job.toStdString());
        QVERIFY(settle());
        const QString title = window().view(Side::A).accessibleDescription();
        QVERIFY2(title.contains(QStringLiteral("  0.03333 samples/s")), qPrintable(title));
    }

    /// The dialog offers them all.
    void openingAClusterNamesTheFormats() {
        const QString tip = window().action(QStringLiteral("cluster"))->toolTip();
        for (const char *format : {"resource_spec.yml", "nvidia-smi topo -m", "NCCL XML", "ASTRA-sim", "InfraGraph"})
            QVERIFY2(tip.contains(QLatin1String(format)), qPrintable(tip));
    }

    void thePaletteFindsIdsAndDescriptions() {
        QCOMPARE(found(QStringLiteral("perspective_tune")).value(0), QStringLiteral("Tune"));
        QVERIFY(found(QStringLiteral("nvswitch syndicate")).contains(QStringLiteral("syndicate")));
        QVERIFY(found(QStringLiteral("bert_large")).value(0).contains(QStringLiteral("BERT")));
        QVERIFY(!found(QStringLiteral("qqqq")).size());
        COMPARE_ABOVE(found(QStringLiteral("resource_spec")).size(), 0);
    }
};

QTEST_MAIN(TestDailyWork)
#include "tst_daily_work.moc"
