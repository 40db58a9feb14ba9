// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <QColor>
#include <QObject>
#include <QPalette>

namespace syncopate::ui {

/// What a colour means. Widgets name meanings, never colours.
enum class ColorId : std::uint8_t {
    Surface,
    Raised,
    Control,
    Text,
    DimText,
    Accent,
    AccentText,
    Border,
    TimelineBackground,
    Grid,
    Hatch,
    Forward,
    Backward,
    Update,
    AllReduce,
    Push,
    Pull,
    OtherCompute,
    OtherComm,
    Better,
    Worse,
    Warning,
    WarningSurface,
};

/// The colours of one theme, whatever the explorer itself shows: pictures for paper are light.
struct ThemeColors {
    bool dark = false;
    [[nodiscard]] QColor color(ColorId id) const;
    [[nodiscard]] QColor categoryColor(Category category) const;
};

/// The explorer's colours in dark and light. Fusion and one palette; the categories of simulated runs stay apart for colour-blind
/// readers (CIEDE2000 >= 17.6 under deuteranopia, protanopia and tritanopia): compute is cool, communication warm, waiting a
/// hatch. Text has a contrast of 4.5 to its ground and marks of 3 (WCAG 2.1); tests/ui/tst_theme.cpp checks all three.
class Theme final : public QObject {
    Q_OBJECT
public:
    enum class Setting : std::uint8_t { System, Dark, Light };

    explicit Theme(QObject *parent = nullptr);

    [[nodiscard]] Setting setting() const { return m_setting; }
    void setSetting(Setting setting);
    [[nodiscard]] bool isDark() const { return m_dark; }
    /// For the moment of drawing a widget in the other theme: colours are those of `dark`, but the application's palette, which
    /// every widget would look at again, stays. Whoever draws gives the widget palette() meanwhile, and takes both back.
    void wear(bool dark);
    [[nodiscard]] QPalette palette() const { return makePalette(); }

    [[nodiscard]] ThemeColors colors() const { return {m_dark}; }
    [[nodiscard]] QColor color(ColorId id) const { return colors().color(id); }
    [[nodiscard]] QColor categoryColor(Category category) const { return colors().categoryColor(category); }
    /// Black or white, whichever reads better on `background`.
    [[nodiscard]] static QColor inkOn(const QColor &background);
    /// The name a setting has in files and on the command line: "system", "dark", "light".
    [[nodiscard]] static QString nameOf(Setting setting);
    [[nodiscard]] static Setting settingFromName(const QString &name);

Q_SIGNALS:
    void themeChanged();

private:
    [[nodiscard]] bool wantsDark() const; ///< by the setting
    void apply();
    [[nodiscard]] QPalette makePalette() const;

    QPalette m_systemPalette; ///< before ours replaced it: what System is guessed from
    Setting m_setting = Setting::System;
    bool m_dark = true;
};

} // namespace syncopate::ui
