// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/searcher.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <cstddef>
#include <memory>

namespace syncopate::ui {

/// The common parts of tests of searches in the explorer: a window with a job on slow links per test function, and a search in
/// it.
class SearchFixture {
protected:
    void start() {
        if (!m_theme)
            m_theme = std::make_unique<Theme>();
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1600, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->session().open(QStringLiteral("resnet50"));
        QVERIFY(QTest::qWaitFor([this] { return m_window->session().run(Side::B) != nullptr; }, syncopate::testing::patience));
        // So slow that no strategy hides its communication: searches end with their budget, not at the bound of the compute.
        SessionState slow = m_window->session().state();
        slow.bandwidthGbits = 1;
        m_window->session().change(slow, QStringLiteral("slow links"));
        QVERIFY(settle());
    }
    void stop() { m_window.reset(); }

    SearchPreset &begin(int budget) {
        m_window->action(QStringLiteral("search"))->trigger();
        m_window->search().budgetBox().setValue(budget);
        m_window->search().startButton().click();
        return m_window->search();
    }
    std::size_t trials() { return m_window->searcher().history().trials.size(); }
    bool ends() {
        return QTest::qWaitFor([this] { return m_window->searcher().status() != Searcher::Status::Running; },
                               syncopate::testing::patience);
    }
    /// The builders' tuned arguments are known, too.
    bool tuned() {
        return QTest::qWaitFor([this] { return m_window->searcher().isTuned(); }, syncopate::testing::patience);
    }
    bool settle() { return syncopate::ui::settle(*m_window); }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace syncopate::ui
