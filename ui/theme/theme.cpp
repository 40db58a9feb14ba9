// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QTabBar>
#include <QToolTip>
#include <array>
#include <utility>

namespace syncopate::ui {

namespace {

struct Pair {
    QRgb dark, light;
};

/// In the order of ColorId.
constexpr std::array<Pair, 25> pairs{{
    {0xff1b1e23, 0xfff8f9fb}, // Surface
    {0xff22262c, 0xffffffff}, // Raised
    {0xff2b3037, 0xffe9ecf0}, // Control
    {0xffe6e9ed, 0xff1a1d21}, // Text
    {0xff9aa3ae, 0xff5b6470}, // DimText
    {0xff4c9be8, 0xff1f5fa8}, // Accent
    {0xff0b1016, 0xffffffff}, // AccentText
    {0xff3a414a, 0xffcdd3da}, // Border
    {0xff1b1e23, 0xffffffff}, // TimelineBackground
    {0xff2d333b, 0xffe3e7ec}, // Grid
    {0xff66717d, 0xff88919c}, // Hatch
    {0xff2f69e3, 0xff173bba}, // Forward
    {0xff80ebfe, 0xff3493ed}, // Backward
    {0xff84b083, 0xff1b7c59}, // Update
    {0xffa95b2c, 0xffb12a08}, // AllReduce
    {0xfffbde54, 0xffcb7e11}, // Push
    {0xffac88a2, 0xff8f6e90}, // Pull
    {0xff7689a0, 0xff71859c}, // OtherCompute
    {0xff8a7f70, 0xff857a6b}, // OtherComm
    {0xffa3a8b0, 0xff5a6068}, // Host
    {0xffd2f0c3, 0xff2f3d22}, // Copy
    {0xff5fa8f0, 0xff1f5fa8}, // Better
    {0xfff0a04b, 0xffa85400}, // Worse
    {0xfff0b35a, 0xff9a5b00}, // Warning
    {0xff3a3122, 0xfffdf1dc}, // WarningSurface
}};

double luminance(const QColor &c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

/// Fusion, whose selected tab is hardly lighter than the others, with a bar along the selected tab's outer edge. Rows are
/// activated by a double click on every desktop, as tooltips say, even where files open with a single click (KDE).
class MarkedTabs final : public QProxyStyle {
public:
    MarkedTabs() : QProxyStyle(QStringLiteral("Fusion")) {}

    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override {
        QProxyStyle::drawControl(element, option, painter, widget);
        const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option);
        if (element != CE_TabBarTabShape || !tab || !tab->state.testFlag(State_Selected))
            return;
        constexpr int thickness = 2;
        QRect edge = tab->rect.adjusted(2, 0, -2, 0);
        if (tab->shape == QTabBar::RoundedSouth || tab->shape == QTabBar::TriangularSouth)
            edge.setTop(edge.bottom() - thickness + 1);
        else if (tab->shape == QTabBar::RoundedNorth || tab->shape == QTabBar::TriangularNorth)
            edge.setHeight(thickness);
        else
            return;
        painter->fillRect(edge, tab->palette.highlight());
    }

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override {
        constexpr int besideText = 16; // both sides together; Fusion's 24 cut the panels' names in a window of 960 pixels
        return metric == PM_TabBarTabHSpace ? besideText : QProxyStyle::pixelMetric(metric, option, widget);
    }

    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override {
        return hint == SH_ItemView_ActivateItemOnSingleClick ? 0 : QProxyStyle::styleHint(hint, option, widget, returnData);
    }
};

} // namespace

Theme::Theme(QObject *parent) : QObject(parent), m_systemPalette(QApplication::palette()) {
    QApplication::setStyle(new MarkedTabs);
    m_dark = wantsDark();
    apply();
}

void Theme::setSetting(Setting setting) {
    const Setting before = std::exchange(m_setting, setting);
    const bool wasDark = std::exchange(m_dark, wantsDark());
    // A palette change makes every widget re-evaluate its palette: avoid it if nothing changed.
    if (m_dark != wasDark)
        apply();
    else if (m_setting != before)
        Q_EMIT themeChanged();
}

void Theme::switchColors(bool dark) {
    if (std::exchange(m_dark, dark) != dark)
        Q_EMIT themeChanged();
}

bool Theme::wantsDark() const {
    return m_setting == Setting::Dark ||
           (m_setting == Setting::System && m_systemPalette.color(QPalette::Window).lightness() < 128);
}

void Theme::apply() {
    QApplication::setPalette(makePalette());
    QToolTip::setPalette(QApplication::palette());
    Q_EMIT themeChanged();
}

QColor ThemeColors::color(ColorId id) const {
    const Pair &pair = pairs[static_cast<std::size_t>(id)];
    return QColor::fromRgb(dark ? pair.dark : pair.light);
}

QColor ThemeColors::categoryColor(Category category) const {
    switch (category) {
    case Category::Forward:
        return color(ColorId::Forward);
    case Category::Backward:
        return color(ColorId::Backward);
    case Category::Update:
        return color(ColorId::Update);
    case Category::AllReduce:
        return color(ColorId::AllReduce);
    case Category::Push:
        return color(ColorId::Push);
    case Category::Pull:
        return color(ColorId::Pull);
    case Category::OtherCompute:
        return color(ColorId::OtherCompute);
    case Category::OtherComm:
        return color(ColorId::OtherComm);
    case Category::Host:
        return color(ColorId::Host);
    case Category::Copy:
        return color(ColorId::Copy);
    }
    return color(ColorId::OtherCompute);
}

QColor Theme::inkOn(const QColor &background) {
    // Contrast with white is 1.05/(L+0.05), with black (L+0.05)/0.05; they are equal at L = 0.179.
    return QColor(luminance(background) > 0.179 ? Qt::black : Qt::white);
}

QString Theme::nameOf(Setting setting) {
    switch (setting) {
    case Setting::System:
        return QStringLiteral("system");
    case Setting::Dark:
        return QStringLiteral("dark");
    case Setting::Light:
        return QStringLiteral("light");
    }
    return {};
}

Theme::Setting Theme::settingFromName(const QString &name) {
    if (name == QLatin1String("dark"))
        return Setting::Dark;
    return name == QLatin1String("light") ? Setting::Light : Setting::System;
}

QPalette Theme::makePalette() const {
    QPalette palette;
    const QColor text = color(ColorId::Text), dim = color(ColorId::DimText);
    palette.setColor(QPalette::Window, color(ColorId::Surface));
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, color(ColorId::Raised));
    palette.setColor(QPalette::AlternateBase, color(ColorId::Surface));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, dim);
    palette.setColor(QPalette::Button, color(ColorId::Control));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, color(ColorId::Warning));
    palette.setColor(QPalette::ToolTipBase, color(ColorId::Control));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, color(ColorId::Accent));
    palette.setColor(QPalette::HighlightedText, color(ColorId::AccentText));
    palette.setColor(QPalette::Link, color(ColorId::Accent));
    palette.setColor(QPalette::LinkVisited, color(ColorId::Accent));
    // Fusion draws its bevels with these; kept close to the surface colour they become flat 1 px borders.
    palette.setColor(QPalette::Light, color(ColorId::Control));
    palette.setColor(QPalette::Midlight, color(ColorId::Control));
    palette.setColor(QPalette::Mid, color(ColorId::Border));
    palette.setColor(QPalette::Dark, color(ColorId::Border));
    palette.setColor(QPalette::Shadow, color(ColorId::Border));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        QColor disabled = dim;
        disabled.setAlphaF(0.65F);
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, color(ColorId::Border));
    return palette;
}

} // namespace syncopate::ui
