// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/analyst.h"

#include "ui/knobs/knob_bindings.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

bool isCompute(CauseKind kind) { return kind == CauseKind::Forward || kind == CauseKind::Backward || kind == CauseKind::Update; }

/// Whether `cause` goes into the row that `last` ended: the same message, or the next layer of the same pass.
bool continues(const Cause &last, const Cause &cause, const TaskGraph &graph) {
    if (last.task == cause.task)
        return true;
    const auto worker = [&](const Cause &c) { return graph.worker[static_cast<std::size_t>(c.task)]; };
    return last.throughQueue < 0 && isCompute(cause.kind) && last.kind == cause.kind && worker(last) == worker(cause);
}

std::vector<CauseRow> rowsOf(const CauseChain &chain, const CauseFinder &finder, const TaskGraph &graph) {
    std::vector<CauseRow> rows;
    for (std::size_t first = 0, next = 0; first < chain.causes.size(); first = next) {
        next = first + 1;
        while (next < chain.causes.size() && continues(chain.causes[next - 1], chain.causes[next], graph))
            ++next;
        const Cause &begin = chain.causes[first], &end = chain.causes[next - 1];
        std::array<double, causeKindCount> seconds{};
        for (std::size_t c = first; c < next; ++c)
            seconds[static_cast<std::size_t>(chain.causes[c].kind)] += chain.causes[c].seconds();
        const auto longest = static_cast<CauseKind>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
        CauseRow row{QString::fromStdString(finder.describe(begin)), {}, begin.task, longest, begin.startSeconds, end.endSeconds};
        if (begin.task != end.task)
            row.what = Analyst::tr("%1 of %2 layers, from %3")
                           .arg(QString::fromUtf8(nameOf(begin.kind)))
                           .arg(next - first)
                           .arg(QString::fromStdString(finder.describe(begin)).section(QStringLiteral(" of "), 1));
        QStringList pieces;
        if (!isCompute(begin.kind))
            for (std::size_t k = 0; k < causeKindCount; ++k)
                if (seconds[k] > 0)
                    pieces += QStringLiteral("%1 %2").arg(QString::fromUtf8(nameOf(static_cast<CauseKind>(k))),
                                                          secondsText(seconds[k]));
        // The piece before it held the slot that this one waited for.
        if (first > 0 && chain.causes[first - 1].throughQueue >= 0)
            pieces += Analyst::tr("waited for its turn (%1)")
                          .arg(QString::fromStdString(
                              graph.queues[static_cast<std::size_t>(chain.causes[first - 1].throughQueue)].name));
        row.how = pieces.join(QStringLiteral("; "));
        rows.push_back(row);
    }
    return rows;
}

Result<double> iterationOf(const Scenario &scenario, const std::stop_token &stop) {
    const auto run = TRY(simulate(scenario, stop));
    return run->iterationSeconds;
}

std::optional<double> iterationWith(SessionState state, Side side, const KnobBinding &knob, double value,
                                    const std::stop_token &stop) {
    knob.set(state, value);
    const auto scenario = makeScenario(state, side);
    if (!scenario)
        return {};
    const auto seconds = iterationOf(*scenario, stop);
    return seconds ? std::optional(*seconds) : std::nullopt;
}

/// Whether turning the knob can change the side at all: a knob of the other side's policy cannot.
bool concerns(const KnobBinding &knob, const SessionState &state, Side side) {
    if (!knob.whyNot(state).isEmpty())
        return false;
    SessionState turned = state;
    knob.set(turned, knob.value(state) * 2);
    return !turned.sameScenario(state, side);
}

SensitivityRow sensitivity(const WhyAnswer &answer, const KnobBinding &knob, const std::stop_token &stop) {
    SensitivityRow row;
    row.knob = knob.info.name;
    const double present = knob.value(answer.state);
    row.lowValue = std::max(knob.info.least, knob.info.integer ? std::floor(present / 2) : present / 2);
    row.highValue = std::min(knob.info.most, present == 0 ? 1 : present * 2);
    if (row.lowValue < present) {
        row.lowText = knob.info.format(row.lowValue);
        row.lowSeconds = iterationWith(answer.state, answer.question.side, knob, row.lowValue, stop);
    }
    if (row.highValue > present) {
        row.highText = knob.info.format(row.highValue);
        row.highSeconds = iterationWith(answer.state, answer.question.side, knob, row.highValue, stop);
    }
    return row;
}

} // namespace

double SensitivityRow::reach(double presentSeconds) const {
    return std::max(std::abs(lowSeconds.value_or(presentSeconds) - presentSeconds),
                    std::abs(highSeconds.value_or(presentSeconds) - presentSeconds));
}

void Analyst::post(std::uint64_t generation, const WhyAnswer &answer) {
    auto shared = std::make_shared<const WhyAnswer>(answer);
    QMetaObject::invokeMethod(
        this,
        [this, generation, shared = std::move(shared)] {
            if (generation == m_generation)
                Q_EMIT answered(shared);
        },
        Qt::QueuedConnection);
}

void Analyst::ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run) {
    const std::uint64_t generation = ++m_generation;
    m_worker.post([this, generation, question, state, run = std::move(run)](const std::stop_token &stop) {
        const Run &simulated = *run->simulation();
        WhyAnswer answer;
        answer.question = question;
        answer.state = state;
        answer.run = run;
        const CauseFinder finder(simulated);
        answer.chain = question.wait ? finder.ofWait(question.wait->worker, question.wait->seconds) : finder.ofIteration();
        answer.causes = rowsOf(answer.chain, finder, simulated.graph);
        answer.bounds = finder.bounds();
        if (answer.bounds.busiestLink >= 0)
            answer.busiestLink =
                QString::fromStdString(simulated.graph.links[static_cast<std::size_t>(answer.bounds.busiestLink)].name);
        post(generation, answer);
        const auto seconds = [](const RemedyRow &row) { return row.iterationSeconds ? *row.iterationSeconds : HUGE_VAL; };
        for (Remedy &remedy : proposeRemedies(simulated, finder, answer.chain)) {
            auto iteration = iterationOf(remedy.scenario, stop);
            if (stop.stop_requested())
                return;
            answer.remedies.push_back({std::move(remedy), std::move(iteration)});
            std::stable_sort(answer.remedies.begin(), answer.remedies.end(),
                             [&](const RemedyRow &a, const RemedyRow &b) { return seconds(a) < seconds(b); });
            post(generation, answer);
        }
        const std::vector<KnobBinding> knobs = knobBindings();
        for (std::size_t k = 0; k < knobs.size(); ++k) {
            if (!concerns(knobs[k], state, question.side))
                continue;
            SensitivityRow row = sensitivity(answer, knobs[k], stop);
            row.binding = k;
            if (stop.stop_requested())
                return;
            answer.sensitivities.push_back(std::move(row));
            std::stable_sort(answer.sensitivities.begin(), answer.sensitivities.end(),
                             [&](const SensitivityRow &a, const SensitivityRow &b) {
                                 return a.reach(simulated.iterationSeconds) > b.reach(simulated.iterationSeconds);
                             });
            post(generation, answer);
        }
        answer.complete = true;
        post(generation, answer);
    });
}

void Analyst::cancel() {
    ++m_generation;
    m_worker.cancel();
}

} // namespace syncopate::ui
