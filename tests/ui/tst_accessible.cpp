// SPDX-License-Identifier: GPL-3.0-or-later
// Users of keyboards and screen readers can reach and understand every control: visits all of them, in all panels and dialogs.
#include "tests/checks.h"
#include "ui/export/export_sheet.h"
#include "ui/help/shortcut_sheet.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/command_palette.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QToolBar>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Parts of Qt's own controls and standard buttons, which are described by the control that contains them.
bool isPart(const QWidget &widget) {
    const QWidget *parent = widget.parentWidget();
    if (widget.inherits("QScrollBar") || widget.inherits("QHeaderView") || widget.inherits("QTabBar") ||
        widget.inherits("QMenuBar") || widget.inherits("QMenu") || widget.inherits("QTableCornerButton") ||
        widget.inherits("QDockWidgetTitleButton") || widget.objectName() == QLatin1String("qt_toolbar_ext_button") ||
        widget.inherits("QComboBoxListView"))
        return true;
    return parent &&
           (parent->inherits("QTabBar") || parent->inherits("QDialogButtonBox") || parent->inherits("QAbstractSpinBox") ||
            parent->inherits("QComboBox") || parent->inherits("QLineEdit") || parent->inherits("QComboBoxPrivateContainer"));
}

/// A sentence for every focusable control in `root` without an accessible name or, in a tooltip, a description.
QStringList silent(const QWidget &root) {
    QStringList found;
    for (const QWidget *widget : root.findChildren<QWidget *>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || isPart(*widget))
            continue;
        QString path;
        for (const QWidget *w = widget; w && w != &root; w = w->parentWidget())
            path.prepend(QLatin1Char('/') + QString::fromLatin1(w->metaObject()->className()) +
                         (w->objectName().isEmpty() ? QString() : QLatin1Char('#') + w->objectName()));
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        if (widget->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
            found += path + QStringLiteral(" has no name");
        // A view whose tooltip is about the item under the pointer describes itself.
        if (widget->toolTip().isEmpty() && widget->accessibleDescription().isEmpty())
            found += path + QStringLiteral(" has no tooltip");
    }
    found.sort();
    found.removeDuplicates();
    return found;
}

bool speaks(const QWidget &root) {
    const QStringList found = silent(root);
    for (const QString &line : found)
        qWarning("%s", qUtf8Printable(line));
    return found.isEmpty();
}

} // namespace

class TestAccessible : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_window = std::make_unique<MainWindow>(m_theme);
        m_window->resize(1600, 900);
        m_window->show();
        m_window->session().open(QStringLiteral("alexnet"));
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().run(Side::B) && !m_window->session().isStale(); },
                                syncopate::testing::patience));
    }
    void cleanupTestCase() { m_window.reset(); }

    void everyControlSpeaks() {
        for (QDockWidget *dock : m_window->findChildren<QDockWidget *>()) {
            dock->show();
            dock->raise();
            QTest::qWait(20);
        }
        QVERIFY(speaks(*m_window));
    }

    void tablesCopyNothingWithoutACell() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        int views = 0;
        for (QAbstractItemView *view : m_window->findChildren<QAbstractItemView *>()) {
            if (!view->model() || !view->selectionModel())
                continue;
            view->selectionModel()->clear();
            QKeyEvent copy(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
            QApplication::sendEvent(view, &copy);
            ++views;
        }
        COMPARE_ABOVE(views, 5);
    }

    /// A panel that needs more room than a small window has would overlap its neighbours.
    void panelsFitASmallWindow() {
        const QSize before = m_window->size();
        m_window->resize(1280, 720);
        const auto docks = m_window->findChildren<QDockWidget *>();
        for (QDockWidget *raised : docks) {
            raised->show();
            raised->raise();
            QTest::qWait(20);
            for (const QDockWidget *other : docks)
                if (other != raised && !other->isFloating() && !other->visibleRegion().isEmpty())
                    QVERIFY2(!raised->geometry().intersects(other->geometry()),
                             qPrintable(raised->objectName() + QStringLiteral(" over ") + other->objectName()));
        }
        m_window->resize(before);
    }

    void everyDialogSpeaks() {
        m_window->action(QStringLiteral("export"))->trigger();
        m_window->action(QStringLiteral("keys"))->trigger();
        m_window->action(QStringLiteral("palette"))->trigger();
        bool fine = true;
        for (QDialog *dialog : m_window->findChildren<QDialog *>()) {
            fine = speaks(*dialog) && fine;
            dialog->close();
        }
        QVERIFY(fine);
    }

    void everyActionSaysWhatItDoes() {
        for (const QAction *action : m_window->findChildren<QAction *>()) {
            if (action->text().isEmpty() || action->menu() || action->isSeparator() || action->objectName().isEmpty())
                continue;
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
        }
    }

    /// A disabled action is listed in the palette, with the reason.
    void thePaletteSaysWhyNot() {
        const auto reasons = [](MainWindow &window) {
            window.action(QStringLiteral("palette"))->trigger();
            auto *palette = window.findChild<CommandPalette *>();
            QMap<QString, QString> found;
            for (const QString &word : {QStringLiteral("search"), QStringLiteral("undo"), QStringLiteral("redo"),
                                        QStringLiteral("export"), QStringLiteral("save"), QStringLiteral("swap")}) {
                palette->field()->setText(word);
                for (int row = 0; row < palette->list()->count(); ++row)
                    if (const QListWidgetItem *item = palette->list()->item(row); !item->flags().testFlag(Qt::ItemIsEnabled))
                        found.insert(item->text(), item->toolTip());
            }
            palette->close();
            QTest::qWait(20);
            return found;
        };
        MainWindow fresh(m_theme);
        fresh.show();
        QMap<QString, QString> found = reasons(fresh);
        QCOMPARE(found.value(QStringLiteral("Export…")), QStringLiteral("nothing is loaded yet"));
        QCOMPARE(found.value(QStringLiteral("Save project")), QStringLiteral("nothing is loaded yet"));
        QCOMPARE(found.value(QStringLiteral("Swap A and B")), QStringLiteral("nothing is loaded yet"));
        QCOMPARE(found.value(QStringLiteral("Undo")), QStringLiteral("nothing was changed yet"));
        found = reasons(*m_window);
        QCOMPARE(found.value(QStringLiteral("Stop search")), QStringLiteral("no search is running"));
        QCOMPARE(found.value(QStringLiteral("Resume search")), QStringLiteral("no search was stopped"));
        QCOMPARE(found.value(QStringLiteral("Redo")), QStringLiteral("nothing was undone"));
        QVERIFY(!found.contains(QStringLiteral("Export…")));
        for (const QString &why : found)
            QVERIFY(!why.isEmpty());
    }

    /// Pinned lanes first, then worker 0's in order; only the first lane of a collapsed worker.
    void theOverviewFollowsTheLanes() {
        TimelineView &view = m_window->view(Side::B);
        const OverviewStrip &overview = m_window->overview();
        QVERIFY(view.data()->strip(overview.lanes(1)[1])); // strips, as in the pane
        QVERIFY(!overview.strips(1).empty() && overview.strips(1)[0] == overview.lanes(1)[1]);
        view.setAllExpanded(true);
        QVERIFY(overview.strips(1).empty());
        QCOMPARE(overview.lanes(1), (std::vector<std::size_t>{0, 1, 2, 3}));
        std::size_t other = 0;
        while (view.data()->lane(other).worker == 0)
            ++other;
        view.setPinned(other, true);
        QCOMPARE(overview.lanes(1), (std::vector<std::size_t>{other, 0, 1, 2}));
        view.moveLaneBefore(2, 1);
        QCOMPARE(overview.lanes(1), (std::vector<std::size_t>{other, 0, 2, 1}));
        view.setCollapsed(0, true);
        QCOMPARE(overview.lanes(1), (std::vector<std::size_t>{other, 0}));
        view.setArrangement({});
        view.setAllExpanded(true);
        QCOMPARE(overview.lanes(1), (std::vector<std::size_t>{0, 1, 2, 3}));
    }

private:
    Theme m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestAccessible)
#include "tst_accessible.moc"
