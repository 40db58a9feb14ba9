// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/write_file.h"
#include "engine/session/dag_job.h"
#include "ui/session/sample.h"
#include "ui/theme/motion.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/window/app_icon.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
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

/// Draws the window (PNG), or only its timelines in `panes` format, as soon as its first runs are on screen (at once for the
/// start page), saves the picture, and quits.
void shoot(MainWindow &window, const QString &path, bool waits, std::optional<PictureFormat> panes, bool dark) {
    const auto save = [&window, path, panes, dark] {
        // By then the event loop has laid out and painted.
        QTimer::singleShot(0, &window, [&window, path, panes, dark] {
            constexpr int pictureScale = 2; // the export sheet's default
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
            return; // settled() follows: the requested picture then shows the message
        std::fprintf(stderr, "error: %s\n", error.toString().c_str());
        QCoreApplication::exit(2);
    });
    QObject::connect(&window.session(), &Session::remarked, &window, [&window] {
        if (window.session().state().job)
            return;
        std::fprintf(stderr, "error: a cluster alone has nothing to draw; name a job, and the cluster with --cluster\n");
        QCoreApplication::exit(2);
    });
}

/// Scripts that ask for a picture do not want messages of the platform plugin on stderr.
void silenceForPictures(int argc, char **argv) {
    const auto asks = [](std::string_view text) { return text.starts_with("--screenshot") || text.starts_with("--picture"); };
    if (std::none_of(argv, argv + argc, asks))
        return;
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &text) {
        if (type == QtCriticalMsg || type == QtFatalMsg)
            std::fprintf(stderr, "%s\n", qUtf8Printable(text));
    });
}

/// View > Scale, in percent. Qt reads it once, from the environment; a value set there by the user takes precedence.
int scalePercent() {
    return qEnvironmentVariableIsSet("QT_SCALE_FACTOR") ? 100 : QSettings().value(QStringLiteral("scalePercent"), 100).toInt();
}

/// Scales below 100 % shrink the text, and with it the widgets around it: with a factor below 1 Qt's raster engine clips wrongly.
void shrinkText(int percent) {
    if (percent < 80 || percent >= 100)
        return;
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * percent / 100.0);
    QApplication::setFont(font);
}

/// The value of --language, or "". Read before the other options, since their help is translated.
QString languageAsked(const QStringList &arguments) {
    const QString option = QStringLiteral("--language");
    for (qsizetype a = 1; a < arguments.size(); ++a) {
        if (arguments[a] == option)
            return arguments.value(a + 1);
        if (arguments[a].startsWith(option + QLatin1Char('=')))
            return arguments[a].mid(option.size() + 1);
    }
    return {};
}

/// Installs the requested translation, else the system's. Returns false, with the error printed, if there is none.
bool chooseLanguage(const QStringList &arguments) {
    const QString asked = languageAsked(arguments);
    if (!asked.isEmpty() && !languages().contains(asked)) {
        std::fprintf(stderr, "error: there is no translation into '%s'; give one of %s\n", qUtf8Printable(asked),
                     qUtf8Printable(languages().join(QStringLiteral(", "))));
        return false;
    }
    speak(asked.isEmpty() ? QLocale::system().uiLanguages() : QStringList{asked});
    return true;
}

QCommandLineOption valueOption(const char *name, const char *help, const char *value) {
    return {QString::fromLatin1(name), QApplication::translate("main", help), QString::fromLatin1(value)};
}

/// The explorer's command line options.
struct CommandLine {
    QCommandLineParser parser;
    QCommandLineOption sample{QStringLiteral("sample"), QApplication::translate("main", "Open the bundled sample.")};
    QCommandLineOption cluster =
        valueOption("cluster", QT_TRANSLATE_NOOP("main", "A cluster of the catalogue (B7) or a resource_spec.yml."), "C");
    QCommandLineOption strategyA = valueOption(
        "a",
        QT_TRANSLATE_NOOP("main",
                          "Strategy of A: a builder expression or a strategy file; of a training DAG a planner or a plan file."),
        "EXPR");
    QCommandLineOption policyA = valueOption("policy-a", QT_TRANSLATE_NOOP("main", "Policy of A."), "EXPR");
    QCommandLineOption strategyB =
        valueOption("b", QT_TRANSLATE_NOOP("main", "Strategy of B, likewise; without it, A alone."), "EXPR");
    QCommandLineOption policyB = valueOption("policy-b", QT_TRANSLATE_NOOP("main", "Policy of B."), "EXPR");
    QCommandLineOption screenshot =
        valueOption("screenshot", QT_TRANSLATE_NOOP("main", "Save a picture of the first simulated view, and end."), "FILE");
    QCommandLineOption picture =
        valueOption("picture", QT_TRANSLATE_NOOP("main", "Save a picture of the timelines, and end."), "FILE");
    QCommandLineOption pictureFormat = valueOption(
        "picture-format", QT_TRANSLATE_NOOP("main", "png, svg or pdf; without it, by the end of the picture's name."), "FORMAT");
    QCommandLineOption sharing = valueOption(
        "sharing", QT_TRANSLATE_NOOP("main", "Of a picture: how messages between nodes share links, fluid or tcp."), "SHARING");
    QCommandLineOption size = valueOption("size", QT_TRANSLATE_NOOP("main", "Size of the window."), "WxH");
    QCommandLineOption theme = valueOption("theme", QT_TRANSLATE_NOOP("main", "system, dark or light."), "THEME");
    QCommandLineOption language{QStringLiteral("language"),
                                QApplication::translate("main", "Language of all texts: %1; without it, the system's.")
                                    .arg(languages().join(QStringLiteral(", "))),
                                QStringLiteral("LANGUAGE")};

    explicit CommandLine(const QApplication &app) {
        parser.setApplicationDescription(
            QApplication::translate("main", "An explorer of how distributed training synchronises variables."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addPositionalArgument(
            QStringLiteral("job"),
            QApplication::translate("main", "A PyTorch profile, a job file, a training DAG, a project, or a job or DAG of the "
                                            "catalogue (resnet50, syndicate:a2)."),
            QStringLiteral("[PROFILE|JOB|PROJECT|CATALOGUE]"));
        parser.addOptions({sample, cluster, strategyA, policyA, strategyB, policyB, screenshot, picture, pictureFormat, sharing,
                           size, theme, language});
        if (parser.parse(QCoreApplication::arguments()))
            parser.process(app); // --help and --version; check() reports what is not understood
    }

    [[nodiscard]] bool has(const QCommandLineOption &option) const { return parser.isSet(option); }
    [[nodiscard]] QString value(const QCommandLineOption &option) const { return parser.value(option); }
    [[nodiscard]] QString job() const { return parser.positionalArguments().value(0); }
    [[nodiscard]] bool isProject() const { return QFileInfo(job()).suffix().toLower() == QLatin1String("syncopate"); }
    [[nodiscard]] bool loads() const { return !parser.positionalArguments().isEmpty() || has(sample); }
    [[nodiscard]] bool shoots() const { return has(screenshot) || has(picture); }
    /// Errors: an unknown name; an interactive window, since its project would not keep the model; TCP for pictures that know
    /// fluid links only: of a project, or of plans of a training DAG.
    [[nodiscard]] Result<LinkModel> linkModel() const {
        if (!has(sharing))
            return LinkModel::Fluid;
        if (!shoots())
            return fail("--sharing applies to pictures", "give --picture or --screenshot, too");
        const LinkModel model = TRY(linkModelNamed(value(sharing).toStdString()));
        if (model != LinkModel::Fluid && (isProject() || namesTrainingDag(job().toStdString())))
            return fail("projects and plans of training DAGs know fluid links only", "leave --sharing out", {}, "--sharing");
        return model;
    }
    /// Errors: an option that there is not, or that lacks its value; a size, theme or format of pictures that there is not, and a
    /// second job, each of which would be ignored.
    [[nodiscard]] Result<void> check() const {
        if (QString wrong = parser.errorText(); !wrong.isEmpty()) {
            if (wrong.endsWith(QLatin1Char('.')))
                wrong.chop(1);
            return fail(wrong.toStdString(), "see syncopate --help");
        }
        static const QRegularExpression sizes(QStringLiteral("^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$"));
        const auto isOneOf = [this](const QCommandLineOption &option, const QStringList &known) {
            return !has(option) || known.contains(value(option));
        };
        if (has(size) && !sizes.match(value(size)).hasMatch())
            return fail("'" + value(size).toStdString() + "' is no size",
                        "write width and height in pixels, at most 9999, such as 1600x900", "--size");
        if (!isOneOf(theme, {QStringLiteral("system"), QStringLiteral("dark"), QStringLiteral("light")}))
            return fail("there is no theme '" + value(theme).toStdString() + "'", "give system, dark or light", "--theme");
        const QStringList formats{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
        if (has(pictureFormat) && !formats.contains(value(pictureFormat), Qt::CaseInsensitive))
            return fail("there is no format '" + value(pictureFormat).toStdString() + "' of pictures", "give png, svg or pdf",
                        "--picture-format");
        if (const QStringList jobs = parser.positionalArguments(); jobs.size() > 1)
            return fail("a window opens one job", "start another one for it", jobs[1].toStdString());
        return checkTogether();
    }
    /// Errors: an option that would be ignored beside the others, or without one.
    [[nodiscard]] Result<void> checkTogether() const {
        if (has(sample) && !parser.positionalArguments().isEmpty())
            return fail("a window opens one job, and one is named", "leave it out, or the job", "--sample");
        if (has(screenshot) && has(picture))
            return fail("one picture is saved, and --picture names it", "leave one of them out", "--screenshot");
        if (has(pictureFormat) && !has(picture))
            return fail("it is the format of --picture, and there is none", "give --picture; a screenshot is a PNG",
                        "--picture-format");
        if (has(cluster) && !loads())
            return fail("it is the cluster of a job, and no job is named", "name a job, or give --sample", "--cluster");
        if (has(policyB) && has(strategyA) && !has(strategyB))
            return fail("it is the policy of B, and --a without --b shows A alone", "give --b, too, or leave it out",
                        "--policy-b");
        for (const auto &[option, name] : {std::pair(&cluster, "--cluster"),
                                           {&strategyA, "--a"},
                                           {&strategyB, "--b"},
                                           {&policyA, "--policy-a"},
                                           {&policyB, "--policy-b"}})
            if (has(*option) && isProject())
                return fail("a project has a cluster, strategies and policies of its own", "leave it out", name);
        return {};
    }
    [[nodiscard]] std::optional<PictureFormat> panes() const {
        if (!has(picture))
            return {};
        return pictureFormatOf(QLatin1Char('.') + value(has(pictureFormat) ? pictureFormat : picture));
    }
};

void showWindow(MainWindow &window, Theme &theme, const CommandLine &line) {
    window.keeper().setKeepsSessions(!line.shoots());
    if (!line.shoots()) {
        window.resize(window.size().boundedTo(window.screen()->availableSize())); // the screen is small, or the scale large
        window.restoreLayout();
    }
    if (line.has(line.theme))
        theme.setSetting(Theme::settingFromName(line.value(line.theme)));
    if (const QStringList sizes = line.value(line.size).split(QLatin1Char('x')); sizes.size() == 2)
        window.resize(sizes[0].toInt(), sizes[1].toInt());
    window.show();
}

/// Opens the files named on the command line, with the given strategies and policies.
void open(Session &session, const CommandLine &line) {
    if (line.has(line.strategyA) || line.has(line.policyA) || line.has(line.strategyB) || line.has(line.policyB)) {
        std::array<SideState, 2> sides = defaultSides(); // of a side that no option names
        if (line.has(line.policyA))
            sides[0].policy = line.value(line.policyA).toStdString();
        if (line.has(line.policyB))
            sides[1].policy = line.value(line.policyB).toStdString();
        session.startWith(sides, line.has(line.strategyB) || !line.has(line.strategyA), // "without it, A alone"
                          {line.value(line.strategyA).toStdString(), line.value(line.strategyB).toStdString()});
    }
    if (!line.parser.positionalArguments().isEmpty())
        session.open(QString::fromStdString(lastingJobName(line.job().toStdString())), line.value(line.cluster));
    else if (line.has(line.sample))
        session.openSample(line.value(line.cluster));
}

} // namespace

int main(int argc, char **argv) {
    ignoreFileSizeSignal();
    silenceForPictures(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Syncopate"));
    QApplication::setOrganizationName(QStringLiteral("Syncopate"));
    const int scale = scalePercent();
    if (scale > 100 && scale <= 200)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(scale / 100.0));
    const QApplication app(argc, argv);
    shrinkText(scale);
    QApplication::setApplicationVersion(QStringLiteral(SYNCOPATE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("syncopate"));
    QApplication::setWindowIcon(appIcon());

    if (!chooseLanguage(QCoreApplication::arguments()))
        return 2;
    const CommandLine line(app);
    const auto checked = line.check();
    const auto linkModel = checked ? line.linkModel() : Unexpected(checked.error());
    if (!linkModel) {
        std::fprintf(stderr, "error: %s\n", linkModel.error().toString().c_str());
        return 2;
    }
    allowMotion(!line.shoots());
    Theme theme;
    MainWindow window(theme);
    showWindow(window, theme, line);
    if (line.shoots())
        shoot(window, line.value(line.has(line.picture) ? line.picture : line.screenshot), line.loads(), line.panes(),
              theme.isDark());
    window.session().shareLinks(*linkModel);
    open(window.session(), line);
    return QApplication::exec();
}
