// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/simulate/run.h"

#include <QImage>
#include <QStringList>
#include <array>
#include <memory>

namespace syncopate::ui {

/// What to write, and where. Files are called <folder>/<name>-a.pb and so on.
struct ExportRequest {
    QString folder;
    QString name;
    std::array<std::shared_ptr<const Run>, 2> runs; ///< null: not wanted
    bool strategyProto = true;                      ///< .pb, and beside it the builder that AutoDist needs to load it
    bool strategyJson = false;
    bool trace = false;
    bool table = false;
    QImage picture; ///< null: not wanted
};

/// The paths that writeExports() would write.
[[nodiscard]] QStringList exportPaths(const ExportRequest &request);

/// Writes all files; the first failure ends it. Not for the GUI thread: traces and pictures take a while.
[[nodiscard]] Result<QStringList> writeExports(const ExportRequest &request);

} // namespace syncopate::ui
