// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/window_fixture.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>
#include <QTimer>
#include <QUrl>

namespace syncopate::ui {

/// A user on the way to a goal: does the user's actions, counts them, and reports their number and time at the end.
///
/// An action is a click, a drag, a key with its modifiers, a text typed into a field with the Enter that ends it, a file dropped
/// onto the window, a path pasted into a file dialog, or the default button of a sheet; an entry of a menu or a list is two. The
/// seconds are the program's, from the first action to the last result, without the user's thinking and mouse movements.
class Journey {
public:
    Journey(const char *name, MainWindow &window) : m_name(name), m_window(window) {
        m_window.activateWindow();
        if (!QTest::qWaitFor([this] { return QApplication::activeWindow() == &m_window; }, syncopate::testing::patience))
            qWarning("the window is not active");
        m_clock.start();
    }

    void drop(const QString &path) { drop(QStringList{path}); }
    void drop(const QStringList &paths) {
        ++m_actions;
        QMimeData file;
        QList<QUrl> urls;
        for (const QString &path : paths)
            urls += QUrl::fromLocalFile(path);
        file.setUrls(urls);
        const QPoint at = m_window.rect().center();
        QDragEnterEvent enter(at, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier); // Qt drops where it was accepted
        QApplication::sendEvent(&m_window, &enter);
        QDropEvent drop(at, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&m_window, &drop);
    }
    void click(QWidget &widget) { click(widget, widget.rect().center()); }
    void click(QWidget &widget, const QPoint &at) {
        ++m_actions;
        QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    }
    void drag(QWidget &widget, const QPoint &from, const QPoint &to) {
        constexpr int steps = 10;
        ++m_actions;
        QTest::mousePress(&widget, Qt::LeftButton, {}, from);
        for (int step = 1; step <= steps; ++step) {
            QTest::mouseMove(&widget, from + (to - from) * step / steps);
            QTest::qWait(5);
        }
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { this->key(m_window, key, modifiers); }
    void key(QWidget &widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_actions;
        QTest::keyClick(&widget, key, modifiers);
    }
    /// Replaces the field's text.
    void type(QLineEdit &field, const QString &text) {
        click(field);
        field.selectAll(); // a combo box's field does so itself when it is clicked
        ++m_actions;
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }
    /// Opens a menu and chooses an entry: two clicks.
    void choose(QAction &entry) {
        m_actions += 2;
        entry.trigger();
    }
    void choose(QComboBox &box, int entry) {
        m_actions += 2;
        box.setCurrentIndex(entry);
        Q_EMIT box.activated(entry);
    }
    /// Pastes a path into the file dialog that the next action opens, with the Enter that ends it. A dialog that stays open
    /// nevertheless is cancelled in the end.
    void willAnswer(const QString &path) {
        auto *watch = new QTimer(&m_window);
        QObject::connect(watch, &QTimer::timeout, watch, [this, watch, path] {
            auto *const dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            auto *const field = dialog ? dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit")) : nullptr;
            if (!field || !field->isVisible())
                return;
            watch->stop();
            watch->deleteLater();
            QTimer::singleShot(syncopate::testing::patience, dialog, &QDialog::reject);
            ++m_actions;
            field->setText(path); // pasted: typed text opens a list of completions, which takes the Enter
            QTest::keyClick(field, Qt::Key_Return);
        });
        watch->start(10);
    }
    /// A sheet's default button.
    void accept(QDialog &sheet) {
        ++m_actions;
        sheet.accept();
    }

    [[nodiscard]] int actions() const { return m_actions; }
    /// Prints the line of the journey: the figures of docs/performance.md.
    void arrive() const {
        qInfo("journey: %s: %d actions, %.1f s", m_name, m_actions, static_cast<double>(m_clock.elapsed()) * 1e-3);
    }

private:
    const char *m_name;
    MainWindow &m_window;
    QElapsedTimer m_clock;
    int m_actions = 0;
};

} // namespace syncopate::ui
