// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/curve_entry.h"

#include "engine/base/units.h"
#include "engine/job/batch.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace syncopate::ui {

namespace {
QString tr(const char *text, const char *comment = nullptr, int count = -1) {
    return QCoreApplication::translate("CurveEntry", text, comment, count);
}
} // namespace

bool countsSamples(const Forecast &forecast) {
    return forecast.setting.batchSize > 0 || !forecast.state.job || statesBatch(*forecast.state.job);
}

bool haveSameSteps(const Job &a, const Job &b) {
    return std::ranges::equal(a.layers, b.layers, [](const Layer &one, const Layer &other) {
        return one.name == other.name && one.forwardSeconds == other.forwardSeconds &&
               one.backwardSeconds == other.backwardSeconds;
    });
}

bool hasComparablePoints(const CurveEntry &entry) {
    return entry.forecast && !entry.measured.points.empty() && (entry.measured.inSteps || countsSamples(*entry.forecast));
}

QColor curveColor(const Theme &theme, int color) {
    constexpr std::array<ColorId, curveColors> ids{ColorId::Accent, ColorId::Worse, ColorId::Update,  ColorId::AllReduce,
                                                   ColorId::Pull,   ColorId::Push,  ColorId::Forward, ColorId::OtherComm};
    return theme.color(ids[static_cast<std::size_t>(color % curveColors)]);
}

QString describe(const Forecast &forecast) {
    const double window = forecast.facts.windowBytes;
    QStringList parts{QString::fromStdString(forecast.state.job->name),
                      QString::fromStdString(formatBandwidth(forecast.facts.bytesPerSecond))};
    if (forecast.setting.recordedGbits > 0)
        parts += tr("recorded at %1")
                     .arg(QString::fromStdString(formatBandwidth(bytesPerSecondFromGbits(forecast.setting.recordedGbits))));
    parts += tr("%n servers", nullptr, forecast.servers());
    parts += std::isinf(window) ? tr("window off") : tr("window %1").arg(bytesText(window));
    switch (forecast.setting.order) {
    case TransferOrder::Recorded:
        break;
    case TransferOrder::Reverse:
        parts += tr("reverse");
        break;
    case TransferOrder::Random:
        parts += tr("random");
        break;
    case TransferOrder::Tic:
        parts += QStringLiteral("TIC");
        break;
    case TransferOrder::Tac:
        parts += QStringLiteral("TAC");
        break;
    }
    if (forecast.setting.sharing == LinkSharing::Equal)
        parts += tr("equal shares"); // chosen: recorded transfers are shared by TCP windows otherwise
    if (forecast.setting.sharing == LinkSharing::Uneven)
        parts += tr("uneven");
    if (forecast.setting.sharing == LinkSharing::Tcp)
        parts += tr("TCP windows");
    if (forecast.setting.staleness >= 0)
        parts += forecast.setting.staleness == 0 ? tr("synchronous") : tr("staleness %1").arg(forecast.setting.staleness);
    if (forecast.setting.perLayer)
        parts += tr("per layer");
    if (forecast.setting.overhead)
        parts += *forecast.setting.overhead == ParsingOverhead() ? tr("no parsing") : tr("parsing given");
    if (!forecast.setting.background.empty())
        parts += tr("background traffic");
    if (forecast.setting.batchSize > 0)
        parts += tr("batch %1").arg(forecast.setting.batchSize);
    return parts.join(QStringLiteral(", "));
}

} // namespace syncopate::ui
