// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_text.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

namespace syncopate::ui {

QString samplesText(double samplesPerSecond) {
    return samplesPerSecond < 1 ? figureText(samplesPerSecond)
                                : QString::number(samplesPerSecond, 'f', samplesPerSecond < 99.95 ? 1 : 0);
}

QString percentText(double share) {
    const double percent = 100 * share;
    return QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 99.95 ? 1 : 0);
}

QString changeText(double share) {
    return std::abs(share) < shownChange ? QStringLiteral("0") : signedText(share, percentText(std::abs(share)));
}

namespace {

struct RunText {
    Q_DECLARE_TR_FUNCTIONS(RunText)
};

QString errorsText(const QString &what, const MetaOrigin::Errors &errors) {
    if (errors.conditions == 0)
        return RunText::tr("%1: not tested").arg(what);
    return RunText::tr("%1: speeds off by %2 at the median and %3 at the 90 % quantile; %4 of %5 choices within %6 of the best")
        .arg(what, percentText(errors.medianError), percentText(errors.p90Error), percentText(errors.withinGoal),
             QString::number(errors.conditions), percentText(errors.goal));
}

} // namespace

QString networkText(const MetaOrigin &origin) {
    return QStringList{RunText::tr("Meta-network: %1").arg(QString::fromStdString(origin.command)),
                       errorsText(RunText::tr("Its models under other conditions"), origin.heldOut),
                       errorsText(RunText::tr("Other models"), origin.leftOut)}
        .join(QLatin1Char('\n'));
}

FilterField::Kind filterKindOf(Unit unit) {
    return unit == Unit::Seconds ? FilterField::Kind::Seconds
           : unit == Unit::Bytes ? FilterField::Kind::Bytes
                                 : FilterField::Kind::Number;
}

} // namespace syncopate::ui
