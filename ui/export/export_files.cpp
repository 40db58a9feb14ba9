// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_files.h"

#include "engine/export/export.h"
#include "engine/strategy/strategy_file.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <functional>

namespace syncopate::ui {

namespace {

struct File {
    QString path;
    std::function<std::string()> bytes;
};

std::string pngOf(const QImage &image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes.toStdString();
}

/// AutoDist's strategies carry their id and path; a builder's result gets both when it is written.
Strategy named(const Strategy &strategy, const QString &path) {
    Strategy copy = strategy;
    if (copy.id.empty())
        copy.id = newStrategyId();
    copy.path = path.toStdString();
    return copy;
}

std::vector<File> files(const ExportRequest &request) {
    std::vector<File> list;
    const QDir folder(request.folder);
    for (std::size_t s = 0; s < request.runs.size(); ++s) {
        const auto &run = request.runs[s];
        if (!run)
            continue;
        const QString base = request.name + (s == 0 ? QStringLiteral("-a") : QStringLiteral("-b"));
        if (request.strategyProto && !run->isMeasured()) {
            const QString file = base + QStringLiteral(".pb");
            const QString path = folder.filePath(file);
            list.push_back({path, [run, path] { return writeStrategyProto(named(*run->scenario.strategy, path)); }});
            // A Python module's name allows no dash.
            list.push_back(
                {folder.filePath(QString(base).replace(QLatin1Char('-'), QLatin1Char('_')) + QStringLiteral("_builder.py")),
                 [file] { return writeAutoDistStub(file.toStdString()); }});
        }
        if (request.strategyJson && !run->isMeasured()) {
            const QString path = folder.filePath(base + QStringLiteral(".strategy.json"));
            list.push_back({path, [run, path] { return writeStrategyJson(named(*run->scenario.strategy, path)); }});
        }
        if (request.trace)
            list.push_back({folder.filePath(base + QStringLiteral(".trace.json")), [run] { return writeChromeTrace(*run); }});
        if (request.table)
            list.push_back({folder.filePath(base + QStringLiteral(".csv")), [run] { return writeTableCsv(*run); }});
    }
    if (!request.picture.isNull())
        list.push_back(
            {folder.filePath(request.name + QStringLiteral(".png")), [picture = request.picture] { return pngOf(picture); }});
    return list;
}

} // namespace

QStringList exportPaths(const ExportRequest &request) {
    QStringList paths;
    for (const File &file : files(request))
        paths.push_back(file.path);
    return paths;
}

Result<QStringList> writeExports(const ExportRequest &request) {
    QStringList written;
    for (const File &file : files(request)) {
        const Result<void> done = writeFile(file.path.toStdString(), file.bytes());
        if (!done)
            return Unexpected(done.error());
        written.push_back(file.path);
    }
    return written;
}

} // namespace syncopate::ui
