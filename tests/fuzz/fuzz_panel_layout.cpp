// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_layout.h"

#include <QApplication>
#include <QDockWidget>
#include <QToolBar>
#include <cstdint>
#include <cstdlib>

/// Ignores leaks in the font libraries.
extern "C" const char *__lsan_default_suppressions() { return "leak:libfontconfig"; } // NOLINT: the sanitizer's name

/// Layouts of panels as in project files: real ones with changes. Four bytes encode one change: the kind, the position (two
/// bytes), the value. Qt arranges any bytes that pass as a layout; others change nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static int argc = 1;
    static char name[] = "fuzz_panel_layout", *argv[] = {name, nullptr};
    static const bool offscreen = qputenv("QT_QPA_PLATFORM", "offscreen");
    // Never destroyed: at exit, objects that its destructor needs are already gone.
    static const auto *app = new QApplication(argc, argv);
    static QMainWindow &window = *new QMainWindow;
    static const QByteArray layout = [] {
        window.setDockOptions(QMainWindow::AllowTabbedDocks);
        window.setCentralWidget(new QWidget);
        window.addToolBar(QStringLiteral("bar"))->setObjectName(QStringLiteral("bar"));
        QDockWidget *before = nullptr;
        for (const auto &[title, area] : {std::pair{"a", Qt::LeftDockWidgetArea}, std::pair{"b", Qt::RightDockWidgetArea},
                                          std::pair{"c", Qt::BottomDockWidgetArea}, std::pair{"d", Qt::BottomDockWidgetArea}}) {
            auto *panel = new QDockWidget(QString::fromLatin1(title));
            panel->setObjectName(panel->windowTitle());
            window.addDockWidget(area, panel);
            if (before && area == Qt::BottomDockWidgetArea)
                window.tabifyDockWidget(before, panel);
            before = area == Qt::BottomDockWidgetArea ? panel : nullptr;
            if (area == Qt::RightDockWidgetArea)
                panel->setFloating(true);
        }
        window.show();
        return window.saveState();
    }();
    if (!offscreen || !app || !syncopate::ui::isPanelLayout(layout))
        std::abort();
    QByteArray changed = layout;
    for (std::size_t n = 0; n + 4 <= size && n < 64; n += 4) {
        const qsizetype at = (data[n + 1] | data[n + 2] << 8) % std::max<qsizetype>(1, changed.size());
        const char value = static_cast<char>(data[n + 3]);
        switch (data[n] % 5) {
        case 0:
            changed[at] = value;
            break;
        case 1:
            changed.insert(at, value);
            break;
        case 2:
            changed.remove(at, data[n + 3]);
            break;
        case 3:
            changed.insert(at, changed.mid(data[n + 3], 32));
            break;
        default:
            changed.truncate(at);
            break;
        }
        if (changed.isEmpty())
            return 0;
    }
    if (!syncopate::ui::restorePanels(window, changed) && !syncopate::ui::restorePanels(window, layout))
        std::abort();
    QCoreApplication::processEvents();
    return 0;
}
