// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/checks.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/window/main_window.h"

#include <QTest>
#include <memory>

namespace syncopate::ui {

/// Waits until every request is simulated and shown, or has failed.
[[nodiscard]] inline bool settle(MainWindow &window) {
    return QTest::qWaitFor([&window] { return !window.session().isStale() && !window.session().isLoading(); },
                           syncopate::testing::patience);
}

/// Loads a job of the catalogue (or a file) and waits for its pictures. False: it failed, or took too long.
[[nodiscard]] inline bool openAndSettle(MainWindow &window, const QString &nameOrPath = QStringLiteral("resnet50"),
                                        const QString &cluster = {}) {
    window.session().open(nameOrPath, cluster);
    return QTest::qWaitFor([&window] { return window.session().run(Side::B) != nullptr; }, syncopate::testing::patience) &&
           settle(window);
}

/// The common parts of tests that click through the explorer: a theme and, per test function, a window. A test class inherits it
/// beside QObject, calls start() in its init() and stop() in its cleanup().
class WindowFixture {
protected:
    WindowFixture() { speak({}); } // English, as the program starts
    ~WindowFixture() = default;
    Q_DISABLE_COPY_MOVE(WindowFixture)

    void start(QSize size = {1600, 900}) {
        if (!m_theme)
            m_theme = std::make_unique<Theme>();
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(size);
        m_window->show();
    }
    void stop() { m_window.reset(); }

    [[nodiscard]] MainWindow &window() { return *m_window; }
    [[nodiscard]] Theme &theme() { return *m_theme; }
    [[nodiscard]] Session &session() { return m_window->session(); }
    [[nodiscard]] bool settle() { return syncopate::ui::settle(*m_window); }
    [[nodiscard]] bool open(const QString &nameOrPath = QStringLiteral("resnet50"), const QString &cluster = {}) {
        return openAndSettle(*m_window, nameOrPath, cluster);
    }
    /// Opens a profile, or a job of the catalogue, and waits until both sides show it.
    [[nodiscard]] bool openProfile(const QString &path) {
        session().open(path);
        const auto isShown = [&] {
            return !session().isLoading() && session().state().source == path.toStdString() && session().run(Side::B) != nullptr;
        };
        return QTest::qWaitFor(isShown, syncopate::testing::patience) && settle();
    }

private:
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace syncopate::ui
