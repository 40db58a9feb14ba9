// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks that make the files of each tab. Tasks copy their inputs and run on the sheet's worker.
#include "ui/export/export_sheet.h"

#include "engine/export/html_report.h"
#include "engine/export/launcher_settings.h"
#include "engine/export/plan_export.h"
#include "engine/export/timeline_formats.h"
#include "engine/session/planned_work.h"
#include "engine/strategy/strategy_file.h"

#include <QComboBox>
#include <QDateTime>
#include <QRegularExpression>
#include <QStringDecoder>
#include <QTabWidget>
#include <algorithm>

namespace syncopate::ui {

namespace {

constexpr std::size_t previewBytes = 16384;
constexpr int previewWidth = 1400; ///< pixels: the widest preview, at a device pixel ratio of 2

QByteArray bytesOf(const std::string &text) { return {text.data(), static_cast<qsizetype>(text.size())}; }

/// The preview of a text of this many bytes that begins with `text`.
QString beginningOf(const std::string &text, qint64 bytes) {
    QStringDecoder decode(QStringDecoder::Utf8); // leaves out a character that the end cuts
    const QString shown = decode(QByteArrayView(text.data(), static_cast<qsizetype>(std::min(text.size(), previewBytes))));
    return bytes > static_cast<qint64>(previewBytes) ? shown + QStringLiteral("\n…") : shown;
}

ExportContent textContent(const QString &name, const std::string &text) {
    ExportContent content;
    content.files.push_back({name, bytesOf(text)});
    content.previewText = beginningOf(text, static_cast<qint64>(text.size()));
    return content;
}

QString withSide(const QString &base, Side side, const QString &ending) {
    return base + (side == Side::A ? QStringLiteral("-a") : QStringLiteral("-b")) + ending;
}

/// A title such as "Sweeps" as a part of a file name.
QString slug(const QString &title) {
    QString name;
    for (const QChar c : title.toLower())
        name += c.isLetterOrNumber() ? c : QLatin1Char('-');
    return name;
}

Unexpected notSimulated() {
    return fail(ExportSheet::tr("This side has not been simulated").toStdString(),
                ExportSheet::tr("Choose a scenario that can be simulated, then export").toStdString());
}

Unexpected stillSimulated() {
    return fail(ExportSheet::tr("What is to be exported is still being simulated").toStdString(),
                ExportSheet::tr("Wait until it is done: the preview follows").toStdString());
}

Unexpected onlyMeasured() {
    return fail(ExportSheet::tr("This side shows no strategy: measured, played and planned runs have none").toStdString(),
                ExportSheet::tr("Choose the other side, or a strategy for this one").toStdString());
}

} // namespace

bool ExportSheet::isOutdated() const {
    switch (static_cast<Tab>(m_tabs->currentIndex())) {
    case StrategyTab:
        return m_session.isStale(sideOf("strategySide")) && !m_session.state().side(sideOf("strategySide")).isPlanned();
    case TraceTab:
        return m_session.isStale(sideOf("traceSide"));
    case TableTab:
        return choice("table")->currentData().toInt() < 2 ? m_session.isStale(sideOf("table")) : m_session.isStale();
    case PictureTab:
        return m_session.isStale();
    case SettingsTab:
        return m_session.isStale(sideOf("settingsSide"));
    case ReportTab:
        break;
    }
    return m_session.isStale();
}

ExportSheet::Task ExportSheet::task() {
    if (isOutdated())
        return [](const std::stop_token &) { return stillSimulated(); };
    switch (static_cast<Tab>(m_tabs->currentIndex())) {
    case StrategyTab:
        return strategyTask();
    case TraceTab:
        return traceTask();
    case TableTab:
        return tableTask();
    case PictureTab:
        return pictureTask();
    case SettingsTab:
        return settingsTask();
    case ReportTab:
        break;
    }
    return reportTask();
}

ExportSheet::Task ExportSheet::strategyTask() {
    const Side side = sideOf("strategySide");
    const auto run = m_session.run(side);
    if (!run)
        return [](const std::stop_token &) { return notSimulated(); };
    if (const auto *planned = std::get_if<Planned>(&m_session.state().side(side).source))
        return planTask(planned->work, side);
    if (!run->simulation())
        return [](const std::stop_token &) { return onlyMeasured(); };
    const bool json = choice("strategyFormat")->currentData().toString() == QLatin1String("json");
    return [run, json, name = withSide(baseName(), side, json ? QStringLiteral(".strategy.json") : QStringLiteral(".pb"))](
               const std::stop_token &) -> Result<ExportContent> {
        // AutoDist's strategies carry an id; a builder's result gets one when it is exported.
        Strategy strategy = *run->simulation()->scenario.strategy;
        TRY(json ? checkWritable(strategy) : checkForAutoDist(strategy));
        if (strategy.id.empty())
            strategy.id = newStrategyId();
        if (json)
            return textContent(name, writeStrategyJson(strategy));
        ExportContent content;
        content.files.push_back({name, bytesOf(writeStrategyProto(strategy))});
        const std::string stub = writeAutoDistStub(name.toStdString());
        content.files.push_back({QString::fromStdString(autoDistStubName(name.toStdString())), bytesOf(stub)});
        const std::string text = writeStrategyJson(strategy);
        content.previewText =
            QString::fromStdString(stub) + QLatin1Char('\n') + beginningOf(text, static_cast<qint64>(text.size()));
        return content;
    };
}

ExportSheet::Task ExportSheet::planTask(const std::shared_ptr<const PlannedWork> &work, Side side) {
    const auto &formats = planFormats();
    const QComboBox *const box = choice("planFormat"), *const op = choice("planOp"); // none: the plan came after the sheet
    const std::string wanted = box ? box->currentData().toString().toStdString() : std::string();
    const auto found = std::find_if(formats.begin(), formats.end(), [&](const PlanFormat &each) { return each.name == wanted; });
    const PlanFormat format = found == formats.end() ? formats.front() : *found;
    const SessionState &state = m_session.state();
    const QString name =
        withSide(baseName(), side, QString::fromUtf8(format.suffix.data(), static_cast<qsizetype>(format.suffix.size())));
    return [work, format, name, job = state.job, cluster = effectiveCluster(state, side),
            op = op ? op->currentText().toStdString() : std::string()](const std::stop_token &stop) -> Result<ExportContent> {
        if (format.name == "json") // as it was made, whatever the cluster is at present
            return textContent(name, writeExecutionPlan(work->plan, work->dag));
        const PresentPlan present = TRY(presentPlan(*work, *job, cluster));
        PlannedRun run;
        if (format.hasTimes)
            run = TRY(playPlan(withSubmission(present.dag, work->plan.enforced), present.plan, present.costs, stop));
        const ExportedPlan written = TRY(exportPlan(format.name, {present.plan, present.dag, present.costs, op, &run, stop}));
        ExportContent content = textContent(name, written.text);
        if (!format.isText)
            content.previewText = tr("The trace has %1 bytes; it is binary and has no preview.").arg(written.text.size());
        if (!written.refused.empty()) {
            QStringList refused;
            for (const std::string &each : written.refused)
                refused.push_back(tr("Not in the file: %1").arg(QString::fromStdString(each)));
            content.previewText.prepend(refused.join(QLatin1Char('\n')) + QStringLiteral("\n\n"));
        }
        return content;
    };
}

ExportSheet::Task ExportSheet::traceTask() {
    const Side side = sideOf("traceSide");
    const auto run = m_session.run(side);
    if (!run)
        return [](const std::stop_token &) { return notSimulated(); };
    const TimelineFormat &format = *findTimelineFormat(choice("traceFormat")->currentData().toString().toStdString());
    const SideState &shown = m_session.state().side(side);
    return [run, &format, title = strategyTitle(shown) + (shown.hasScenario() ? ", " + shown.policy : std::string()),
            name = withSide(baseName(), side, QString::fromUtf8(format.suffix))](
               const std::stop_token &stop) -> Result<ExportContent> {
        // A run of millions of spans fills gigabytes: only its beginning is kept for the preview.
        ExportFile file{name, {}, [run, &format, title](const TextSink &sink) {
                            return format.write({run->recording(), run->simulation(), title}, sink);
                        }};
        std::string beginning;
        file.text([&](std::string_view piece) {
            beginning += piece.substr(0, previewBytes - std::min<std::size_t>(beginning.size(), previewBytes));
            file.textBytes += static_cast<qint64>(piece.size());
            return !stop.stop_requested();
        });
        ExportContent content;
        content.previewText = beginningOf(beginning, file.textBytes);
        content.files.push_back(std::move(file));
        return content;
    };
}

ExportSheet::Task ExportSheet::tableTask() {
    const QString suffix = choice("tableFormat")->currentData().toString();
    const TableFormat format = suffix == QLatin1String("csv")   ? TableFormat::Csv
                               : suffix == QLatin1String("tsv") ? TableFormat::Tsv
                                                                : TableFormat::Markdown;
    const int which = choice("table")->currentData().toInt();
    const QString ending = QLatin1Char('.') + suffix;
    if (which >= 2) {
        const QString title = choice("table")->currentText();
        if (!m_keepsTable || !m_table || m_table->title != title) {
            m_table.reset();
            for (NamedTable &each : m_sources.tables()) // as they are now
                if (each.title == title)
                    m_table = std::make_shared<const NamedTable>(std::move(each));
        }
        if (!m_table)
            return [](const std::stop_token &) -> Result<ExportContent> {
                return fail(tr("This table is no longer on screen").toStdString(),
                            tr("Show it, then export again").toStdString());
            };
        return [table = m_table, format, base = baseName(), ending](const std::stop_token &) -> Result<ExportContent> {
            return textContent(base + QLatin1Char('-') + slug(table->title) + ending, writeTable(table->table, format));
        };
    }
    const Side side = static_cast<Side>(which);
    const auto run = m_session.run(side);
    if (!run)
        return [](const std::stop_token &) { return notSimulated(); };
    if (!run->simulation())
        return [](const std::stop_token &) { return onlyMeasured(); };
    return [run, format, name = withSide(baseName(), side, ending)](const std::stop_token &) -> Result<ExportContent> {
        return textContent(name, writeTable(variableTable(*run->simulation()), format));
    };
}

ExportSheet::Task ExportSheet::pictureTask() {
    const auto which = static_cast<std::size_t>(std::max(0, choice("picture")->currentIndex()));
    const std::vector<Picture> pictures = m_sources.pictures(choice("pictureArea")->currentData().toBool());
    if (which >= pictures.size())
        return [](const std::stop_token &) -> Result<ExportContent> {
            return fail(tr("This panel was closed").toStdString(), tr("Open it, then export again").toStdString());
        };
    const Picture &picture = pictures[which];
    const auto format = static_cast<PictureFormat>(choice("pictureFormat")->currentData().toInt());
    const bool dark = choice("pictureTheme")->currentData().toBool();
    const int scale = choice("pictureScale")->currentData().toInt();
    const QString name =
        baseName() + (which == 0 ? QString() : QLatin1Char('-') + slug(picture.title)) + QLatin1Char('.') + suffixOf(format);
    const auto content = [name](const QByteArray &bytes, const QImage &preview) -> Result<ExportContent> {
        if (bytes.isEmpty())
            return fail(tr("The picture cannot be drawn at this size").toStdString(), tr("Choose a smaller scale").toStdString());
        ExportContent fileContent;
        fileContent.files.push_back({name, bytes});
        fileContent.previewImage = preview;
        return fileContent;
    };
    if (picture.anyThread)
        return [=](const std::stop_token &stop) {
            const QByteArray bytes = encodePicture(picture, format, dark, scale, stop);
            return content(bytes, drawImage(picture, dark, 1, stop));
        };
    // Widgets must be drawn here, on the GUI thread; encoding the pixels takes longer and runs on the worker.
    if (format == PictureFormat::Png)
        return [=, pixels = drawImage(picture, dark, scale)](const std::stop_token &) {
            QImage preview =
                pixels.width() > previewWidth ? pixels.scaledToWidth(previewWidth, Qt::SmoothTransformation) : pixels;
            preview.setDevicePixelRatio(1);
            return content(pngOf(pixels), preview);
        };
    if (format == PictureFormat::Svg)
        return [=, size = picture.size, bytes = encodePicture(picture, format, dark, scale)](const std::stop_token &) {
            return content(bytes, imageOfSvg(bytes, size));
        };
    const auto prepared = picture.prepare ? picture.prepare(dark) : nullptr;
    return [=, preview = drawImage(picture, dark, 1),
            bytes = encodePicture(picture, format, dark, scale)](const std::stop_token &) { return content(bytes, preview); };
}

ExportSheet::Task ExportSheet::settingsTask() {
    const Side side = sideOf("settingsSide");
    const auto run = m_session.run(side);
    if (!run)
        return [](const std::stop_token &) { return notSimulated(); };
    if (!run->simulation())
        return [](const std::stop_token &) { return onlyMeasured(); };
    const Launcher &launcher = *launchers()[static_cast<std::size_t>(std::max(0, choice("settingsSystem")->currentIndex()))];
    QString name =
        withSide(baseName(), side, QLatin1Char('-') + QString::fromUtf8(launcher.format) + QString::fromUtf8(launcher.suffix));
    if (std::string_view(launcher.suffix) == ".py") { // a module, whose name Python can import
        name = QString(name.chopped(3)).replace(QRegularExpression(QStringLiteral("\\W")), QStringLiteral("_")) +
               QStringLiteral(".py");
        if (name.front().isDigit())
            name.prepend(QLatin1Char('_'));
    }
    return [run, &launcher, name](const std::stop_token &) -> Result<ExportContent> {
        const auto text = TRY(writeLauncherSettings(launcher, run->simulation()->scenario));
        return textContent(name, text);
    };
}

ExportSheet::Task ExportSheet::reportTask() {
    ReportInput input;
    const SessionState &state = m_session.state();
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side); run && (side == Side::A || state.compare)) {
            if (!run->simulation())
                return [](const std::stop_token &) { return onlyMeasured(); };
            if (input.sides.empty())
                input.firstSide = indexOf(side); // B, where A could not be simulated
            input.sides.push_back({strategyTitle(state.side(side)), {run, run->simulation()}});
        }
    if (input.sides.empty())
        return [](const std::stop_token &) { return notSimulated(); };
    input.title =
        tr("%1 on %2").arg(baseName(), QString::fromStdString(input.sides.front().run->scenario.cluster->name)).toStdString();
    input.jobSource = state.source;
    const std::string &ownCluster = state.sides[input.firstSide].clusterSource;
    input.clusterSource = ownCluster.empty() ? state.clusterSource : ownCluster;
    input.programVersion = SYNCOPATE_VERSION;
    input.date = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'")).toStdString();
    if (m_sources.notes)
        input.notes = m_sources.notes();
    const Picture picture = m_sources.pictures(false).front();
    return [input, picture, name = baseName() + QStringLiteral(".html")](const std::stop_token &stop) -> Result<ExportContent> {
        ExportContent content;
        content.files.push_back({name, bytesOf(writeHtmlReport(input))});
        content.previewImage = drawImage(picture, false, 1, stop);
        return content;
    };
}

} // namespace syncopate::ui
