// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <QColor>
#include <QObject>
#include <QPalette>

namespace syncopate::ui {

/// The meaning of a colour. Widgets name meanings, never colours.
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
    Host,
    Copy,
    Better,
    Worse,
    Warning,
    WarningSurface,
};

/// The colours of one theme, independent of the one the explorer shows: pictures for paper are light.
struct ThemeColors {
    bool dark = false;
    [[nodiscard]] QColor color(ColorId id) const;
    [[nodiscard]] QColor categoryColor(Category category) const;
};

/// Opacity of drawings that belong to an older state, while the present one is being simulated.
inline constexpr double staleOpacity = 0.5;

/// The explorer's colours in dark and light, as one palette for Fusion. Categories of simulated runs are distinguishable for
/// colour-blind readers (CIEDE2000 >= 17.6 under deuteranopia, protanopia and tritanopia): compute is cool, communication warm,
/// waiting hatched. Contrast: text 4.5, marks 3 (WCAG 2.1); tests/ui/tst_theme.cpp checks all three.
class Theme final : public QObject {
    Q_OBJECT
public:
    enum class Setting : std::uint8_t { System, Dark, Light };

    explicit Theme(QObject *parent = nullptr);

    [[nodiscard]] Setting setting() const { return m_setting; }
    void setSetting(Setting setting);
    [[nodiscard]] bool isDark() const { return m_dark; }
    /// Switches the colours to those of `dark` while a widget is drawn in the other theme, without the application's palette,
    /// which every widget would re-evaluate. The caller sets palette() on the widget for that time, and reverts both.
    void switchColors(bool dark);
    [[nodiscard]] QPalette palette() const { return makePalette(); }

    [[nodiscard]] ThemeColors colors() const { return {m_dark}; }
    [[nodiscard]] QColor color(ColorId id) const { return colors().color(id); }
    [[nodiscard]] QColor categoryColor(Category category) const { return colors().categoryColor(category); }
    /// Black or white, whichever has more contrast on `background`.
    [[nodiscard]] static QColor inkOn(const QColor &background);
    /// The name of a setting in files and on the command line: "system", "dark", "light".
    [[nodiscard]] static QString nameOf(Setting setting);
    [[nodiscard]] static Setting settingFromName(const QString &name);

Q_SIGNALS:
    void themeChanged();

private:
    [[nodiscard]] bool wantsDark() const; ///< according to the setting
    void apply();
    [[nodiscard]] QPalette makePalette() const;

    QPalette m_systemPalette; ///< as it was before ours replaced it; System is derived from it
    Setting m_setting = Setting::System;
    bool m_dark = true;
};

} // namespace syncopate::ui
