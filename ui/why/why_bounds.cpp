// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/why_bounds.h"

#include "ui/theme/format.h"
#include "ui/why/why_panel.h"

namespace syncopate::ui {

namespace {

BoundsText boundsOfPlan(const WhyAnswer &answer) {
    const IterationBounds &bounds = answer.bounds;
    BoundsText text;
    const double share = 1 - bounds.planSeconds / answer.run->recording().iterationSeconds;
    text.toolTip = WhyPanel::tr("These motifs cannot be carried out faster than:\n"
                                "compute: the work of the compute stream;\n"
                                "links and channels: the work of the busiest one;\n"
                                "any plan: no plan of these collectives on these channels is faster.");
    text.sentence =
        WhyPanel::tr("Lower bounds: compute %1, links %2 (%3), channels %4 (%5), any plan %6. Another plan could gain: %7.")
            .arg(secondsText(bounds.computeSeconds), secondsText(bounds.networkSeconds),
                 answer.busiestLink.empty() ? WhyPanel::tr("no traffic") : QString::fromStdString(answer.busiestLink),
                 secondsText(bounds.queueSeconds),
                 answer.busiestQueue.empty() ? WhyPanel::tr("none") : QString::fromStdString(answer.busiestQueue),
                 secondsText(bounds.planSeconds),
                 share < 0.0005 ? WhyPanel::tr("nothing") : WhyPanel::tr("at most %1 %").arg(100 * share, 0, 'f', 1));
    return text;
}

} // namespace

BoundsText boundsText(const WhyAnswer &answer) {
    if (answer.run->plan())
        return boundsOfPlan(answer);
    BoundsText text;
    text.toolTip = WhyPanel::tr("The same strategy cannot be carried out faster than:\n"
                                "compute: the work of the busiest compute stream, with what it waits for its host;\n"
                                "network: the bytes over the busiest link at its rate;\n"
                                "dependencies: the longest chain of the present tasks if nothing queued or shared a link.");
    const double present = answer.run->recording().iterationSeconds;
    const IterationBounds &bounds = answer.bounds;
    const auto gain = [present](double bound) {
        const double share = 1 - bound / present;
        return share < 0.0005 ? WhyPanel::tr("nothing") : WhyPanel::tr("at most %1 %").arg(100 * share, 0, 'f', 1);
    };
    const QString compute = bounds.hostWaitSeconds > 0
                                ? WhyPanel::tr("%1 (of it waiting for the host %2)")
                                      .arg(secondsText(bounds.computeSeconds), secondsText(bounds.hostWaitSeconds))
                                : secondsText(bounds.computeSeconds);
    if (answer.run->simulation()->graph.workersInStep)
        text.sentence =
            WhyPanel::tr(
                "Lower bounds: compute %1, network %2 (%3), queues %4 (%5), dependencies %6. Another order could gain: %7; other "
                "parts or buckets: %8.")
                .arg(compute, secondsText(bounds.networkSeconds),
                     answer.busiestLink.empty() ? WhyPanel::tr("no traffic") : QString::fromStdString(answer.busiestLink),
                     secondsText(bounds.queueSeconds),
                     answer.busiestQueue.empty() ? WhyPanel::tr("none") : QString::fromStdString(answer.busiestQueue),
                     secondsText(bounds.dependencySeconds), gain(bounds.largest()), gain(bounds.largestOfAnyParts()));
    else
        text.sentence = WhyPanel::tr("Workers drift apart: compute alone takes %1 for a step of all workers. Possible gain: %2.")
                            .arg(compute, gain(bounds.computeSeconds));
    return text;
}

} // namespace syncopate::ui
