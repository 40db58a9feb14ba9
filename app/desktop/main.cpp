// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/export.h"
#include "ui/session/sample.h"
#include "ui/theme/theme.h"
#include "ui/window/app_icon.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QScreen>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Draws the window (PNG), or only its timelines in `panes` format, as soon as its first runs are on screen (or the start
/// page at once), saves the picture, and ends.
void shoot(MainWindow &window, const QString &path, bool waits, std::optional<PictureFormat> panes, bool dark) {
    const auto save = [&window, path, panes, dark] {
        // The event loop has laid out and painted by then.
        QTimer::singleShot(0, &window, [&window, path, panes, dark] {
            constexpr int pictureScale = 2; // as the export sheet proposes
            const QByteArray bytes =
                panes ? encodePicture(window.timelinePicture(true), *panes, dark, pictureScale) : pngOf(window.grab().toImage());
            const auto written =
                writeFile(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
            if (!written)
                std::fprintf(stderr, "error: %s\n", written.error().toString().c_str());
            QCoreApplication::exit(written ? 0 : 1);
        });
    };
    if (!waits) {
        save();
        return;
    }
    QObject::connect(&window, &MainWindow::settled, &window, save);
    QObject::connect(&window.session(), &Session::failed, &window, [](const Error &error, bool ofState) {
        if (ofState)
            return; // settled() follows: a picture of the message is what was asked for
        std::fprintf(stderr, "error: %s\n", error.toString().c_str());
        QCoreApplication::exit(2);
    });
}

} // namespace

int main(int argc, char **argv) {
    // A script that asks for a picture wants no chatter of the platform plugin on stderr.
    if (std::find(argv, argv + argc, std::string_view("--screenshot")) != argv + argc)
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &text) {
            if (type == QtCriticalMsg || type == QtFatalMsg)
                std::fprintf(stderr, "%s\n", qUtf8Printable(text));
        });
    QApplication::setApplicationName(QStringLiteral("Syncopate"));
    QApplication::setOrganizationName(QStringLiteral("Syncopate"));
    // View > Scale. Qt takes it from the environment, once, and what a user put there goes before. Below 100 % the text gets
    // smaller, and with it what holds text: with a factor below 1 Qt's raster engine clips wrongly.
    const int scalePercent =
        qEnvironmentVariableIsSet("QT_SCALE_FACTOR") ? 100 : QSettings().value(QStringLiteral("scalePercent"), 100).toInt();
    if (scalePercent > 100 && scalePercent <= 200)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(scalePercent / 100.0));
    QApplication app(argc, argv);
    if (scalePercent >= 80 && scalePercent < 100) {
        QFont font = QApplication::font();
        font.setPointSizeF(font.pointSizeF() * scalePercent / 100.0);
        QApplication::setFont(font);
    }
    QApplication::setApplicationVersion(QStringLiteral(SYNCOPATE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("syncopate"));
    QApplication::setWindowIcon(appIcon());

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("main", "An explorer of how distributed training synchronises variables."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("job"),
        QApplication::translate("main", "A PyTorch profile, a job file, a project, or a job of the catalogue (resnet50)."),
        QStringLiteral("[PROFILE|JOB|PROJECT|CATALOGUE]"));
    const QCommandLineOption sample(QStringLiteral("sample"), QApplication::translate("main", "Open the bundled sample."));
    const QCommandLineOption cluster(QStringLiteral("cluster"),
                                     QApplication::translate("main", "A cluster of the catalogue (B7) or a resource_spec.yml."),
                                     QStringLiteral("C"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
                                        QApplication::translate("main", "Save a picture of the first simulated view, and end."),
                                        QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"), QApplication::translate("main", "Size of the window."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption themeOption(QStringLiteral("theme"), QApplication::translate("main", "system, dark or light."),
                                         QStringLiteral("THEME"));
    const QString expression = QStringLiteral("EXPR");
    const QCommandLineOption strategyA(QStringLiteral("a"),
                                       QApplication::translate("main", "Strategy of A: a builder expression or a strategy file."),
                                       expression);
    const QCommandLineOption strategyB(QStringLiteral("b"),
                                       QApplication::translate("main", "Strategy of B; without it, A alone."), expression);
    const QCommandLineOption policyA(QStringLiteral("policy-a"), QApplication::translate("main", "Policy of A."), expression);
    const QCommandLineOption policyB(QStringLiteral("policy-b"), QApplication::translate("main", "Policy of B."), expression);
    const QCommandLineOption picture(QStringLiteral("picture"),
                                     QApplication::translate("main", "Save a picture of the timelines, and end."),
                                     QStringLiteral("FILE"));
    const QCommandLineOption pictureFormat(
        QStringLiteral("picture-format"),
        QApplication::translate("main", "png, svg or pdf; without it, by the end of the picture's name."),
        QStringLiteral("FORMAT"));
    parser.addOptions(
        {sample, cluster, strategyA, policyA, strategyB, policyB, screenshot, picture, pictureFormat, size, themeOption});
    parser.process(app);

    Theme theme;
    MainWindow window(theme);
    const bool shoots = parser.isSet(screenshot) || parser.isSet(picture);
    window.keeper().setKeepsSessions(!shoots);
    if (!shoots) {
        window.resize(window.size().boundedTo(window.screen()->availableSize())); // small, or enlarged
        window.restoreLayout();
    }
    if (parser.isSet(themeOption))
        theme.setSetting(Theme::settingFromName(parser.value(themeOption)));
    if (const QStringList sizes = parser.value(size).split(QLatin1Char('x')); sizes.size() == 2)
        window.resize(sizes[0].toInt(), sizes[1].toInt());
    window.show();

    const QStringList jobs = parser.positionalArguments();
    const bool loads = !jobs.isEmpty() || parser.isSet(sample);
    if (shoots)
        shoot(window, parser.value(parser.isSet(picture) ? picture : screenshot), loads,
              parser.isSet(picture) ? std::optional(pictureFormatOf(
                                          QLatin1Char('.') + parser.value(parser.isSet(pictureFormat) ? pictureFormat : picture)))
                                    : std::nullopt,
              theme.isDark());
    if (parser.isSet(strategyA)) {
        std::array<SideState, 2> sides = defaultSides();
        if (parser.isSet(policyA))
            sides[0].policy = parser.value(policyA).toStdString();
        if (parser.isSet(policyB))
            sides[1].policy = parser.value(policyB).toStdString();
        window.session().startWith(sides, parser.isSet(strategyB),
                                   {parser.value(strategyA).toStdString(), parser.value(strategyB).toStdString()});
    }
    if (!jobs.isEmpty())
        window.session().open(jobs.first(), parser.value(cluster));
    else if (parser.isSet(sample))
        window.session().openSample(parser.value(cluster));
    return QApplication::exec();
}
