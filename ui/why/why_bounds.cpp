// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/why_bounds.h"

#include "ui/theme/format.h"
#include "ui/why/why_panel.h"

namespace syncopate::ui {

namespace {

/// The possible gain of an iteration of `present` seconds over a bound: "at most 3.1 %".
QString gainText(double bound, double present) {
    const double share = 1 - bound / present;
    return share < 0.0005 ? WhyPanel::tr("nothing") : WhyPanel::tr("at most %1 %").arg(100 * share, 0, 'f', 1);
}

QString nameOr(const std::string &name, const QString &fallback) {
    return name.empty() ? fallback : QString::fromStdString(name);
}

BoundsText boundsOfPlan(const WhyAnswer &answer) {
    const IterationBounds &bounds = answer.bounds;
    BoundsText text;
    text.toolTip = WhyPanel::tr("These motifs cannot be carried out faster than:\n"
                                "compute: the work of the compute stream;\n"
                                "links and channels: the work of the busiest one;\n"
                                "any plan: no plan of these collectives on these channels is faster.");
    text.sentence =
        WhyPanel::tr("Lower bounds: compute %1, links %2 (%3), channels %4 (%5), any plan %6. Another plan could gain: %7.")
            .arg(secondsText(bounds.computeSeconds), secondsText(bounds.networkSeconds),
                 nameOr(answer.busiestLink, WhyPanel::tr("no traffic")), secondsText(bounds.queueSeconds),
                 nameOr(answer.busiestQueue, WhyPanel::tr("none")), secondsText(bounds.planSeconds),
                 gainText(bounds.planSeconds, answer.run->recording().iterationSeconds));
    return text;
}

} // namespace

BoundsText boundsText(const WhyAnswer &answer) {
    if (answer.run->plan())
        return boundsOfPlan(answer);
    BoundsText text;
    text.toolTip = WhyPanel::tr("The same strategy cannot be carried out faster than:\n"
                                "compute: the work of the busiest compute stream, with its waits for the host;\n"
                                "network: the bytes over the busiest link at its rate;\n"
                                "queues: the work of the busiest connection, host or communicator, of the present tasks;\n"
                                "dependencies: the longest chain of the present tasks, among the first four distinct workers, if "
                                "nothing queued or shared a link.");
    const double present = answer.run->recording().iterationSeconds;
    const IterationBounds &bounds = answer.bounds;
    const QString compute = bounds.hostWaitSeconds > 0
                                ? WhyPanel::tr("%1 (%2 of it waiting for the host)")
                                      .arg(secondsText(bounds.computeSeconds), secondsText(bounds.hostWaitSeconds))
                                : secondsText(bounds.computeSeconds);
    if (answer.run->simulation()->graph.workersInStep)
        text.sentence =
            WhyPanel::tr(
                "Lower bounds: compute %1, network %2 (%3), queues %4 (%5), dependencies %6. Another order could gain: %7; other "
                "parts or buckets: %8.")
                .arg(compute, secondsText(bounds.networkSeconds), nameOr(answer.busiestLink, WhyPanel::tr("no traffic")),
                     secondsText(bounds.queueSeconds), nameOr(answer.busiestQueue, WhyPanel::tr("none")),
                     secondsText(bounds.dependencySeconds), gainText(bounds.largest(), present),
                     gainText(bounds.largestOfAnyParts(), present));
    else
        text.sentence = WhyPanel::tr("Workers drift apart: compute alone takes %1 for a step of all workers. Possible gain: %2.")
                            .arg(compute, gainText(bounds.computeSeconds, present));
    return text;
}

} // namespace syncopate::ui
