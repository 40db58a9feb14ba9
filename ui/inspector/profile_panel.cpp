// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/profile_panel.h"

#include "engine/job/batch.h"
#include "engine/profile/recording/recording.h"
#include "engine/session/recorded_cluster.h"
#include "ui/knobs/cluster_choice.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

QString column(const QString &heading, const std::vector<std::string> &lines, const QString &none) {
    QString html = QStringLiteral("<td width='33%' style='padding-right:16px'><p style='margin:0 0 3px 0'><b>%1</b></p>")
                       .arg(heading.toHtmlEscaped());
    for (const std::string &line : lines)
        html += QStringLiteral("<p style='margin:0 0 3px 0'>%1</p>").arg(said(line).toHtmlEscaped());
    if (lines.empty())
        html += QStringLiteral("<p style='margin:0'>%1</p>").arg(none.toHtmlEscaped());
    return html + QStringLiteral("</td>");
}

QString percentText(double share) {
    return QStringLiteral("%1%2 %")
        .arg(share < 0 ? QStringLiteral("−") : QStringLiteral("+"))
        .arg(std::abs(100 * share), 0, 'f', 1);
}

} // namespace

ProfilePanel::ProfilePanel(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_verdict(plainLabel()), m_sides(plainLabel()),
      m_attach(new QPushButton(tr("Attach sizes…"))), m_choose(new QPushButton(tr("Choose cluster…"))),
      m_calibrate(new QPushButton(tr("Calibrate…"))), m_move(new QPushButton(tr("Move it to…"))), m_chooseMenu(new QMenu(this)),
      m_moveMenu(new QMenu(this)), m_batch(new QSpinBox), m_facts(new QTextBrowser) {
    QFont bold = m_verdict->font();
    bold.setBold(true);
    m_verdict->setFont(bold);
    for (QLabel *line : {m_verdict, m_sides}) {
        line->setWordWrap(true);
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->setOpenLinks(false);
    m_facts->setAccessibleName(tr("Facts from the profile"));
    m_facts->setToolTip(tr("Facts read from the profile or inferred, and those missing or assumed"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 6, 0);
    layout->setSpacing(4);
    layout->addWidget(m_verdict);
    layout->addWidget(m_sides);
    layout->addWidget(makeButtons());
    layout->addWidget(m_facts, 1);
    connect(&session, &Session::stateChanged, this, &ProfilePanel::refresh);
    connect(&session, &Session::runsChanged, this, &ProfilePanel::showSides);
    refresh();
}

QWidget *ProfilePanel::makeButtons() {
    m_attach->setToolTip(
        tr("Read the sizes of the model's variables from a file: a job file, a checkpoint (.safetensors, .index) "
           "or an ONNX model"));
    m_choose->setToolTip(tr("The machines that A and B are simulated on"));
    m_calibrate->setToolTip(tr("Set the cluster's figures from measurements: tables of message costs, logs of collectives "
                               "(nccl-tests, NCCL Inspector, OSU), or a second profile of the same model"));
    m_move->setToolTip(plainTip(tr("Simulate B on another cluster, beside A. %1").arg(speedNote())));
    m_choose->setMenu(m_chooseMenu);
    m_move->setMenu(m_moveMenu);
    for (QMenu *menu : {m_chooseMenu, m_moveMenu})
        menu->setToolTipsVisible(true);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    for (QPushButton *button : {m_attach, m_choose, m_calibrate, m_move})
        row->addWidget(button);
    row->addWidget(makeBatch());
    row->addStretch();
    auto *buttons = new QWidget;
    buttons->setLayout(row);
    connect(m_attach, &QPushButton::clicked, this, &ProfilePanel::attachWanted);
    connect(m_calibrate, &QPushButton::clicked, this, &ProfilePanel::calibrateWanted);
    return buttons;
}

QWidget *ProfilePanel::makeBatch() {
    m_batch->setRange(0, 1'000'000'000);
    m_batch->setSpecialValueText(tr("not known"));
    m_batch->setGroupSeparatorShown(true);
    m_batch->setAccessibleName(tr("Batch: samples of a worker's step"));
    m_batch->setToolTip(
        tr("Samples that a worker trains on in a step. Many profiles do not state it: rates are then in steps/s,\n"
           "and in samples/s once it is stated here. Times do not change. 0: as the file says."));
    m_batch->setKeyboardTracking(false);
    nameBatchUnit();
    connect(m_batch, &QSpinBox::valueChanged, this, &ProfilePanel::nameBatchUnit);
    connect(m_batch, &QSpinBox::valueChanged, this, &ProfilePanel::stateBatch);
    auto *name = plainLabel(tr("Batch"));
    name->setBuddy(m_batch);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 0, 0);
    row->addWidget(name);
    row->addWidget(m_batch);
    auto *batch = new QWidget;
    batch->setLayout(row);
    return batch;
}

void ProfilePanel::nameBatchUnit() { m_batch->setSuffix(m_batch->value() == 1 ? tr(" sample") : tr(" samples")); }

void ProfilePanel::showBatch() {
    const SessionState &state = m_session.state();
    const QSignalBlocker blocker(m_batch);
    const bool isTrained = state.job && !isRecordingOnly(*state.job);
    m_batch->setValue(isTrained ? static_cast<int>(std::lround(std::min(state.job->batchSize, 1e9))) : 0);
    nameBatchUnit(); // the blocked signal would
    // A job that states its batch, such as one of the catalogue, has the times of that batch.
    m_batch->setEnabled(isTrained && (state.profile || !statesBatch(*state.job) || state.job->batchStated));
}

void ProfilePanel::stateBatch() {
    const SessionState &state = m_session.state();
    if (!state.job)
        return;
    SessionState next = state;
    std::shared_ptr<const Job> asRead;
    if (state.profile)
        asRead = {state.profile, &state.profile->job};
    else
        asRead = std::make_shared<const Job>(withoutStatedBatch(*state.job));
    if (m_batch->value() == 0)
        next.job = asRead;
    else if (auto stated = withBatch(*asRead, m_batch->value()))
        next.job = std::make_shared<const Job>(*std::move(stated));
    if (next.job->batchSize == state.job->batchSize) {
        showBatch();
        return;
    }
    m_session.change(std::move(next),
                     m_batch->value() == 0 ? tr("Batch as the file says") : tr("Batch of %1").arg(m_batch->value()));
}

void ProfilePanel::moveTo(const QString &cluster) { m_session.openCluster(cluster, Side::B); }

QString ProfilePanel::verdict() const { return m_verdict->text(); }
QString ProfilePanel::sides() const { return m_sides->text(); }
QString ProfilePanel::facts() const { return m_facts->toPlainText(); }

void ProfilePanel::refresh() {
    const SessionState &state = m_session.state();
    const ImportedProfile *profile = state.profile.get();
    const bool canSimulate = profile && state.job && !isRecordingOnly(*state.job);
    for (QPushButton *button : {m_attach, m_choose, m_calibrate, m_move})
        button->setEnabled(canSimulate);
    m_attach->setVisible(profile && !missingSizes(*profile).empty());
    showBatch();
    if (state.job == m_job && state.cluster == m_cluster) {
        showSides();
        return;
    }
    const auto choices = clusterChoices(profile);
    fillClusterMenu(
        *m_chooseMenu, choices, [this](const QString &name) { m_session.openCluster(name); },
        [this] { Q_EMIT clusterFileWanted({}); });
    fillClusterMenu(
        *m_moveMenu, choices, [this](const QString &name) { moveTo(name); }, [this] { Q_EMIT clusterFileWanted(Side::B); });
    auto *note = new QAction(speedNote(), m_moveMenu);
    note->setEnabled(false);
    m_moveMenu->insertAction(m_moveMenu->actions().value(0), note);
    m_job = state.job;
    m_cluster = state.cluster;
    showFacts();
    showSides();
    ask();
}

QString ProfilePanel::speedNote() const {
    return tr("Its devices keep the speed that was recorded; the links are the cluster's.");
}

void ProfilePanel::ask() {
    m_check.reset();
    const SessionState &state = m_session.state();
    if (!state.profile) {
        m_checker.cancel();
        m_verdict->setText(state.job ? tr("The job is not from a profile: nothing was measured.") : tr("Nothing is loaded yet."));
        return;
    }
    if (showsRecording(state)) {
        m_checker.cancel();
        m_verdict->setText(said(whyNoJob(*state.job)));
        return;
    }
    m_verdict->setText(tr("Simulating the measured step…"));
    m_checker.start([state](const std::stop_token &stop, const auto &post) { post(checkStep(state, stop)); });
}

void ProfilePanel::showCheck(const Checked &checked) {
    if (!checked) {
        m_verdict->setText(
            tr("The step could not be compared with its simulation: %1").arg(QString::fromStdString(checked.error().toString())));
        return;
    }
    m_check = *checked;
    const QString machines =
        checked->ownMachines
            ? tr("on the machines that the profile names")
            : tr("on cluster %1, as the profile does not name its machines").arg(QString::fromStdString(checked->cluster));
    QString text = tr("The measured step takes %1, its simulation %2 %3: error %4")
                       .arg(secondsText(checked->measuredSeconds), secondsText(checked->simulatedSeconds), machines,
                            percentText(checked->error()));
    if (!checked->synchronises)
        text += tr(" (nothing is synchronised in it)");
    m_verdict->setText(text);
}

void ProfilePanel::showSides() {
    const SessionState &state = m_session.state();
    QStringList sides;
    for (const Side side : {Side::A, Side::B}) {
        const auto run = m_session.run(side);
        if (!state.profile || !run || (side == Side::B && !state.compare) || showsRecording(state)) // a recording has no steps
            continue;
        const SessionState &simulated = m_session.stateOfRun(side); // an older one while the present one is being simulated
        const SideState &shown = simulated.side(side);
        const QString cluster = shown.cluster         ? QString() // the cluster's title says it
                                : shown.hasScenario() ? tr(" on %1").arg(clusterText(simulated, side))
                                                      : QString();
        sides += tr("%1: %2%3, %4 a step")
                     .arg(side == Side::A ? tr("A") : tr("B"), QString::fromStdString(strategyTitle(shown)), cluster,
                          secondsText(run->recording().iterationSeconds));
    }
    QString text = sides.join(QStringLiteral("   ·   "));
    if (!sides.isEmpty() && state.clusterSource != recordedClusterName)
        text += QLatin1Char('\n') + said(clusterRemark(state));
    if (const SideState &moved = state.side(Side::B); !sides.isEmpty() && state.compare && moved.cluster && moved.hasScenario())
        text += QLatin1Char('\n') + tr("B was moved: %1").arg(speedNote());
    m_sides->setText(text);
    m_sides->setVisible(!sides.isEmpty());
}

void ProfilePanel::showFacts() {
    const auto &profile = m_session.state().profile;
    if (!profile) {
        m_facts->clear();
        return;
    }
    const ProfileFacts facts = profileFacts(*profile);
    QString columns = column(tr("Read"), facts.read, tr("None.")) + column(tr("Inferred"), facts.inferred, tr("None."));
    if (!isRecordingOnly(profile->job)) // of a recording, the verdict says what it lacks
        columns += column(tr("Missing"), facts.missing, tr("Nothing that the simulation needs."));
    m_facts->setHtml(QStringLiteral("<table width='100%' cellspacing='0'><tr>%1</tr></table>").arg(columns));
}

} // namespace syncopate::ui
