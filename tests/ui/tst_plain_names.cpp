// SPDX-License-Identifier: GPL-3.0-or-later
// Names come from foreign files. Wherever the explorer shows one, it is plain text: a name that looks like HTML, which would open
// the file that it names, is shown with its brackets.
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "tests/ui/window_fixture.h"
#include "ui/project/project_keeper.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/timeline_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QHelpEvent>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolTip>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// As rich text it would look up a file; as plain text it has 27 characters.
constexpr const char *hostile = R"(<img src="no-such-picture">)";

/// Texts on screen that contain a hostile name: their number, and the texts that Qt would take for rich text.
struct Shown {
    int texts = 0;
    QStringList rich;

    void add(const QString &where, const QString &text, bool isRich) {
        if (text.contains(QLatin1String("no-such-picture")))
            ++texts;
        if (isRich && text.contains(QLatin1String("<img"), Qt::CaseInsensitive))
            rich += where + QStringLiteral(": ") + text;
    }
    void addTip(const QString &where, const QString &text) { add(where, text, Qt::mightBeRichText(text)); }
};

void addModel(Shown &shown, const QString &where, const QAbstractItemModel &model) {
    for (int column = 0; column < model.columnCount(); ++column) {
        shown.addTip(where, model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        for (int row = 0; row < std::min(model.rowCount(), 200); ++row)
            shown.addTip(where, model.index(row, column).data(Qt::ToolTipRole).toString());
    }
}

Shown collect(const QWidget &window) {
    Shown shown;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        const QString where = QString::fromLatin1(widget->metaObject()->className()) + u'#' + widget->objectName();
        shown.addTip(where, widget->toolTip());
        shown.addTip(where, widget->whatsThis());
        if (const auto *label = qobject_cast<const QLabel *>(widget))
            shown.add(where, label->text(),
                      label->textFormat() != Qt::PlainText &&
                          (label->textFormat() != Qt::AutoText || Qt::mightBeRichText(label->text())));
        if (const auto *browser = qobject_cast<const QTextBrowser *>(widget))
            shown.add(where, browser->toHtml(), true);
        if (const auto *view = qobject_cast<const QAbstractItemView *>(widget); view && view->model())
            addModel(shown, where, *view->model());
        if (const auto *box = qobject_cast<const QComboBox *>(widget))
            addModel(shown, where, *box->model());
    }
    for (const QAction *action : window.findChildren<QAction *>())
        shown.addTip(QStringLiteral("action ") + action->objectName(), action->toolTip());
    return shown;
}

/// The tooltip that the timeline shows at `position`.
QString tipAt(TimelineView &view, QPoint position) {
    QHelpEvent help(QEvent::ToolTip, position, view.mapToGlobal(position));
    QApplication::sendEvent(&view, &help);
    return QToolTip::text();
}

} // namespace

class TestPlainNames : public QObject, WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    void tipsShowWhatTheyAreGiven() {
        for (const char *text : {hostile, "a < b", "two\n  lines, 3 <= 4", "&lt;b&gt;", "<b>\n  x</b> & y"}) {
            QTextDocument document;
            const QString tip = plainTip(QString::fromUtf8(text));
            if (Qt::mightBeRichText(tip))
                document.setHtml(tip);
            else
                document.setPlainText(tip);
            QCOMPARE(document.toPlainText(), QString::fromUtf8(text));
        }
    }

    void hostileNamesAreShownAsTheyAre() {
        Job job = *catalogueJob("alexnet");
        job.name = hostile;
        job.notes = {hostile};
        for (Layer &layer : job.layers)
            layer.name = hostile + layer.name;
        for (Variable &variable : job.variables)
            variable.name = hostile + variable.name;
        QFile file(m_folder.filePath(QStringLiteral("<img src=\"no-such-picture\">.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(writeJobText(job)));
        file.close();
        QVERIFY(open(file.fileName(), QStringLiteral("A2")));
        SessionState next = session().state();
        auto cluster = std::make_shared<Cluster>(*next.cluster);
        cluster->name = hostile;
        cluster->notes = {hostile};
        for (Node &node : cluster->nodes)
            node.address = hostile + node.address;
        next.cluster = std::move(cluster);
        next.clusterSource = hostile;
        session().change(next, QString::fromUtf8(hostile));
        QVERIFY(settle());
        window().keeper().keepPresent(QString::fromUtf8(hostile));
        window().notes().add({0, 0, 1e9, hostile, hostile});
        for (QDockWidget *dock : window().findChildren<QDockWidget *>()) {
            dock->show();
            dock->raise();
            QApplication::processEvents();
        }
        QVERIFY(QTest::qWaitFor([this] { return collect(window()).texts >= 40; }, syncopate::testing::patience));
        const Shown shown = collect(window());
        QVERIFY2(shown.rich.isEmpty(), qPrintable(shown.rich.join('\n')));

        // Texts under the pointer: names of lanes, spans and notes.
        TimelineView &view = window().view(Side::A);
        Shown tips;
        for (int y = 2; y < view.height(); y += 9)
            for (int x = 4; x < view.width(); x += 37)
                tips.addTip(QStringLiteral("%1, %2").arg(x).arg(y), tipAt(view, {x, y}));
        QToolTip::hideText();
        QVERIFY2(tips.rich.isEmpty(), qPrintable(tips.rich.join('\n')));
        QVERIFY2(tips.texts >= 10, qPrintable(QStringLiteral("%1 tips with a name, expected at least 10").arg(tips.texts)));

        // Error messages of files that cannot be opened.
        session().open(m_folder.filePath(QStringLiteral("<img src=\"no-such-picture\">")));
        QVERIFY(settle());
        QVERIFY2(collect(window()).rich.isEmpty(), qPrintable(collect(window()).rich.join('\n')));
    }
};

QTEST_MAIN(TestPlainNames)
#include "tst_plain_names.moc"
