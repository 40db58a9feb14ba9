// SPDX-License-Identifier: GPL-3.0-or-later
// Guarantees of the explorer's colours and drawings: contrast, colours distinguishable for colour-blind readers, icons in both
// themes.
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/theme/glyph.h"

#include <QAction>
#include <QDir>
#include <QToolBar>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace syncopate;
using namespace syncopate::ui;
using namespace syncopate::testing;

namespace {

using Linear = std::array<double, 3>;

Linear linearOf(const QColor &color) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

/// WCAG 2.1, contrast ratio: (L1 + 0.05) / (L2 + 0.05), L1 being the lighter one's relative luminance.
double contrast(const QColor &a, const QColor &b) {
    const auto luminance = [](const QColor &color) {
        const Linear c = linearOf(color);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    };
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

struct Lab {
    double l, a, b;
};

/// A colour as seen through `sight`, in CIELAB under D65.
Lab labOf(const QColor &color, const std::array<Linear, 3> &sight) {
    const Linear in = linearOf(color);
    Linear c{};
    for (std::size_t i = 0; i < 3; ++i)
        c[i] = std::clamp(sight[i][0] * in[0] + sight[i][1] * in[1] + sight[i][2] * in[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
    const double y = f(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
    const double z = f((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// CIEDE2000 (Sharma, Wu and Dalal 2005).
double difference(const Lab &p, const Lab &q) {
    constexpr double degrees = 180 / M_PI, far = 6103515625; // 25^7
    const auto share = [](double c) { return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + far)); };
    const double stretch = 1 + 0.5 * (1 - share((std::hypot(p.a, p.b) + std::hypot(q.a, q.b)) / 2));
    const double c1 = std::hypot(p.a * stretch, p.b), c2 = std::hypot(q.a * stretch, q.b);
    const auto hue = [&](const Lab &o) { return std::fmod(std::atan2(o.b, o.a * stretch) * degrees + 360, 360); };
    const double h1 = hue(p), h2 = hue(q);
    const double turn = std::remainder(h2 - h1, 360);
    const double mean = std::fmod(h1 + turn / 2 + 360, 360), c = (c1 + c2) / 2, l = (p.l + q.l) / 2;
    const auto cosine = [&](double of, double from) { return std::cos((of * mean - from) / degrees); };
    const double t = 1 - 0.17 * cosine(1, 30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, -6) - 0.2 * cosine(4, 63);
    const double dl = (q.l - p.l) / (1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50)));
    const double dc = (c2 - c1) / (1 + 0.045 * c);
    const double dh = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 / degrees) / (1 + 0.015 * c * t);
    const double rotation = -2 * share(c) * std::sin(60 / degrees * std::exp(-((mean - 275) / 25) * ((mean - 275) / 25)));
    return std::sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

/// How colours look to people who lack one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
const std::vector<std::pair<const char *, std::array<Linear, 3>>> sights{
    {"all cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia", {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia", {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia", {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

struct Named {
    ColorId id;
    const char *name;
};
const std::vector<Named> grounds{
    {ColorId::Surface, "surface"}, {ColorId::Raised, "raised"}, {ColorId::TimelineBackground, "timeline"}};
const std::vector<Named> inks{{ColorId::Text, "text"},     {ColorId::DimText, "dim text"}, {ColorId::Accent, "accent"},
                              {ColorId::Better, "better"}, {ColorId::Worse, "worse"},      {ColorId::Warning, "warning"}};
const std::vector<Named> categories{{ColorId::Forward, "forward"}, {ColorId::Backward, "backward"},
                                    {ColorId::Update, "update"},   {ColorId::AllReduce, "all-reduce"},
                                    {ColorId::Push, "push"},       {ColorId::Pull, "pull"}};
const std::vector<Named> otherMarks{{ColorId::OtherCompute, "other compute"},
                                    {ColorId::OtherComm, "other communication"},
                                    {ColorId::Host, "host"},
                                    {ColorId::Copy, "copy"},
                                    {ColorId::Hatch, "hatch"}};

/// Counts the pixels mostly covered with `ink`.
int inkIn(const QImage &image, const QColor &ink) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor color = image.pixelColor(x, y);
            const auto isClose = [](int a, int b) { return std::abs(a - b) <= 4; }; // premultiplied colours are rounded
            count += color.alpha() >= 128 && isClose(color.red(), ink.red()) && isClose(color.green(), ink.green()) &&
                             isClose(color.blue(), ink.blue())
                         ? 1
                         : 0;
        }
    return count;
}

constexpr double textContrast = 4.5, markContrast = 3; ///< WCAG 2.1, 1.4.3 (AA) and 1.4.11

} // namespace

class TestTheme : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void contrastOfTwoColours() {
        COMPARE_CLOSE(contrast(Qt::white, Qt::black), 21, 1e-9);
        COMPARE_CLOSE(contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.478, 1e-3); // the well-known grey that just fails
    }

    /// Pairs 1, 17 and 25 of the data that Sharma, Wu and Dalal published with the formula.
    void differenceOfTwoColours() {
        COMPARE_CLOSE(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
        COMPARE_CLOSE(difference({50, 2.5, 0}, {73, 25, -18}), 27.1492, 1e-4);
        COMPARE_CLOSE(difference({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
    }

    void textIsLegible_data() { themes(); }
    void textIsLegible() {
        QFETCH(bool, dark);
        const ThemeColors theme{dark};
        const auto check = [&](const QColor &ink, const QColor &ground, const std::string &what) {
            COMPARE_AT_LEAST(contrast(ink, ground), textContrast, what);
        };
        std::vector<Named> all = grounds;
        all.push_back({ColorId::Control, "control"});
        for (const Named &ground : all)
            for (const Named &ink : inks)
                check(theme.color(ink.id), theme.color(ground.id), std::string(ink.name) + " on " + ground.name);
        for (const Named &ink : {inks.front(), inks.back()})
            check(theme.color(ink.id), theme.color(ColorId::WarningSurface), std::string(ink.name) + " on a warning");
        check(theme.color(ColorId::AccentText), theme.color(ColorId::Accent), "selected text");
        for (const Named &mark : categories) // labels on spans
            check(Theme::inkOn(theme.color(mark.id)), theme.color(mark.id), std::string("a label on ") + mark.name);
    }

    void marksAreSeen_data() { themes(); }
    void marksAreSeen() {
        QFETCH(bool, dark);
        const ThemeColors theme{dark};
        std::vector<Named> marks = categories;
        marks.insert(marks.end(), otherMarks.begin(), otherMarks.end());
        for (const Named &ground : grounds)
            for (const Named &mark : marks)
                COMPARE_AT_LEAST(contrast(theme.color(mark.id), theme.color(ground.id)), markContrast,
                                 std::string(mark.name) + " on " + ground.name);
    }

    void categoriesStayApart_data() { themes(); }
    void categoriesStayApart() {
        QFETCH(bool, dark);
        const ThemeColors theme{dark};
        for (const auto &[sight, matrix] : sights)
            for (std::size_t i = 0; i < categories.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    COMPARE_AT_LEAST(
                        difference(labOf(theme.color(categories[i].id), matrix), labOf(theme.color(categories[j].id), matrix)),
                        17.6, std::string(categories[j].name) + " and " + categories[i].name + ", " + sight);
    }

    /// Each drawing contains the theme's text colour, at scale 1 and 2.
    void drawingsFollowTheTheme_data() { themes(); }
    void drawingsFollowTheTheme() {
        QFETCH(bool, dark);
        Theme theme;
        theme.setSetting(dark ? Theme::Setting::Dark : Theme::Setting::Light);
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")});
        QVERIFY2(files.size() >= 10, qPrintable(QStringLiteral("%1 drawings").arg(files.size())));
        for (const QString &file : files)
            for (const int scale : {1, 2}) {
                const QImage image = glyph(theme, file.chopped(4)).pixmap(QSize(16, 16), scale).toImage();
                QCOMPARE(image.width(), 16 * scale);
                COMPARE_AT_LEAST(inkIn(image, theme.color(ColorId::Text)), 10 * scale, file);
            }
        QVERIFY(glyph(theme, QStringLiteral("no such drawing")).isNull());
    }

    void theToolBarHasDrawings() {
        start();
        auto *tools = window().findChild<QToolBar *>(QStringLiteral("tools"));
        QVERIFY(tools);
        int buttons = 0;
        for (const QToolButton *button : tools->findChildren<QToolButton *>())
            if (!button->text().isEmpty()) {
                ++buttons;
                QVERIFY2(!button->icon().isNull(), qPrintable(button->text()));
            }
        COMPARE_AT_LEAST(buttons, 10);
        stop();
    }

private:
    static void themes() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
