// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/knobs/knobs_panel.h"

#include "engine/cluster/cluster.h"
#include "engine/search/plan_methods.h"
#include "engine/session/dag_job.h"
#include "engine/session/recorded_cluster.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "ui/knobs/cluster_choice.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/beginning_in_view.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

namespace syncopate::ui {

namespace {

QComboBox *expressionBox(const QString &name) {
    auto *box = new QComboBox;
    box->setEditable(true);
    keepBeginningInView(*box);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    box->setAccessibleName(name);
    return box;
}

void showText(QComboBox *box, const QString &text) {
    box->lineEdit()->setProperty(textOfModel, text); // Qt's word completion hides that something was typed
    if (box->currentText() == text || (box->lineEdit()->hasFocus() && box->lineEdit()->isModified()))
        return;
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findText(text));
    box->setEditText(text);
    box->lineEdit()->setCursorPosition(0);
}

constexpr const char *ownTip = "ownTip";

void giveTip(QComboBox *box, const QString &text) {
    box->setProperty(ownTip, text);
    box->setToolTip(plainTip(text));
}

/// Shows a reason in place of the tip of giveTip(); empty: that one again.
void tellReason(QComboBox *box, const QString &reason) {
    box->setToolTip(plainTip(reason.isEmpty() ? box->property(ownTip).toString() : reason));
}

} // namespace

void KnobsPanel::offerBuilders(QComboBox &strategy) const {
    QString builders = tr("How each variable is synchronised: a builder expression, or the path of a strategy file.");
    for (const BuilderInfo &builder : strategyBuilders()) {
        const QString expression = QString::fromStdString(builder.name);
        strategy.addItem(builder.name == "AllReduce" ? QStringLiteral("AllReduce(chunk_size=128)") : expression);
        builders += QStringLiteral("\n• ") + QString::fromStdString(builder.signature);
    }
    builders += QStringLiteral("\n• measured: ") + tr("the imported profile as it was recorded");
    giveTip(&strategy, builders);
}

void KnobsPanel::offerPlanners(QComboBox &strategy) const {
    QString planners = tr("How the DAG's collectives are planned: a planner, or the path of a plan file.");
    for (const ExpressionInfo &planner : planMethods()) {
        strategy.addItem(QString::fromStdString(planner.name));
        planners += QStringLiteral("\n• %1: %2").arg(QString::fromStdString(planner.signature()), said(planner.description));
    }
    giveTip(&strategy, planners);
}

void KnobsPanel::offerSources() {
    const bool planners = showsDag(m_session.state());
    if (planners == m_offersPlanners)
        return;
    m_offersPlanners = planners;
    for (QComboBox *box : m_strategy) {
        const QSignalBlocker quiet(box);
        box->clear();
        planners ? offerPlanners(*box) : offerBuilders(*box);
    }
}

KnobsPanel::KnobsPanel(const Theme &theme, Session &session, QWidget *parent)
    : QScrollArea(parent), m_theme(theme), m_session(session), m_bindings(knobBindings()) {
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // focus belongs to its knobs
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    column->addWidget(makeSide(Side::A));
    column->addWidget(makeSide(Side::B));
    column->addSpacing(2);
    column->addWidget(makeCluster());
    column->addSpacing(4);
    m_idle = new IdleKnobs(session);
    connect(m_idle, &IdleKnobs::openWanted, this, &KnobsPanel::openWanted);
    column->addWidget(m_idle);
    makeKnobs(*column);
    column->addStretch();
    setWidget(content);
    // It does not scroll sideways, and its own scroll bar must not cover the knobs' values.
    setMinimumWidth(std::max(240, content->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width()));
    connect(&session, &Session::stateChanged, this, &KnobsPanel::refresh);
    refresh();
}

Knob *KnobsPanel::knob(const QString &id) const {
    for (std::size_t k = 0; k < m_bindings.size(); ++k)
        if (m_bindings[k].id == id)
            return m_knobs[k];
    return nullptr;
}

QWidget *KnobsPanel::makeSide(Side side) {
    const QString name = side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
    auto *group = new QWidget;
    auto *grid = new QGridLayout(group);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    auto *strategy = expressionBox(tr("Strategy %1").arg(name));
    offerBuilders(*strategy);
    auto *policy = expressionBox(tr("Policy %1").arg(name));
    QString choices = tr("When and in what pieces the traffic is sent:");
    for (const Policy *known : policies()) {
        const QString text = QString::fromStdString(known->name);
        for (const QString &item : known->barrier ? QStringList{text, text + QStringLiteral("(barrier=off)")} : QStringList{text})
            policy->addItem(item);
        choices += QStringLiteral("\n• %1: %2").arg(QString::fromStdString(policySignature(*known)), worded({known->about}));
    }
    giveTip(policy,
            choices + QLatin1Char('\n') +
                tr("barrier=on: the next forward waits for all communication, off: for each layer's own.") + QLatin1Char('\n') +
                tr("Parameters that the text does not name keep the policy's defaults; the knobs marked %1 below write into it.")
                    .arg(name));
    grid->addWidget(headingLabel(name), 0, 0);
    grid->addWidget(strategy, 0, 1);
    grid->addWidget(policy, 1, 1);
    QComboBox *cluster = makeClusterBox(side);
    cluster->setAccessibleName(tr("Cluster of %1").arg(name));
    giveTip(cluster, tr("The machines that %1 runs on, where A's and B's differ.").arg(name));
    grid->addWidget(cluster, 2, 1);
    m_ownCluster[indexOf(side)] = cluster;
    grid->setColumnStretch(1, 1);
    m_strategy[indexOf(side)] = strategy;
    m_policy[indexOf(side)] = policy;
    m_sides[indexOf(side)] = group;
    const auto takeStrategy = [this, side, strategy](bool again) {
        strategyChosen(side, strategy->currentText().trimmed(), again);
    };
    connect(strategy, &QComboBox::activated, this, [takeStrategy] { takeStrategy(true); });
    connect(strategy->lineEdit(), &QLineEdit::editingFinished, this, [takeStrategy] { takeStrategy(false); });
    const auto takePolicy = [this, side, policy] { policyChosen(side, policy->currentText().trimmed()); };
    connect(policy, &QComboBox::activated, this, takePolicy);
    connect(policy->lineEdit(), &QLineEdit::editingFinished, this, takePolicy);
    return group;
}

QComboBox *KnobsPanel::makeClusterBox(std::optional<Side> side) {
    auto *box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    if (side)
        box->addItem(tr("on the shared cluster"), QString());
    for (const ClusterChoice &cluster : clusterChoices(nullptr))
        insertCluster(*box, box->count(), cluster);
    box->insertSeparator(box->count());
    box->addItem(tr("Open a cluster file…"));
    showDescriptions(*box);
    connect(box, &QComboBox::activated, this, [this, box, side](int item) {
        const QVariant name = box->itemData(item);
        // Choosing the present entry again discards edits. A side does not know of any: its own cluster is compared with the
        // catalogue's, and read again if it is from elsewhere.
        const SessionState &state = m_session.state();
        const auto known = catalogueCluster(name.toString().toStdString());
        const bool isEdited =
            !side ? state.clusterEdited : !known || (state.side(*side).cluster && *known != *state.side(*side).cluster);
        if (!name.isValid()) {
            refresh(); // the box keeps naming the present cluster
            Q_EMIT clusterFileWanted(side);
        } else if (!side) {
            if (isEdited || name.toString().toStdString() != state.clusterSource)
                m_session.openCluster(name.toString());
        } else if (!name.toString().isEmpty()) {
            if (isEdited || name.toString().toStdString() != state.side(*side).clusterSource)
                m_session.openCluster(name.toString(), side);
        } else if (state.side(*side).cluster) {
            SessionState next = state;
            next.side(*side).cluster.reset();
            next.side(*side).clusterSource.clear();
            m_session.change(std::move(next), tr("%1 on the shared cluster").arg(*side == Side::A ? tr("A") : tr("B")));
        }
    });
    return box;
}

QWidget *KnobsPanel::makeCluster() {
    auto *row = new QWidget;
    auto *layout = new QGridLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(8);
    m_cluster = makeClusterBox({});
    m_cluster->setAccessibleName(tr("Cluster"));
    giveTip(m_cluster, tr("The machines that A and B run on: nodes, devices and links, before the knobs change them"));
    layout->addWidget(headingLabel(tr("Cluster")), 0, 0);
    layout->addWidget(m_cluster, 0, 1);
    layout->setColumnStretch(1, 1);
    m_clusterRow = row;
    return row;
}

void KnobsPanel::offerRecorded(QComboBox *box) const {
    const auto &profile = m_session.state().profile;
    const int item = box->findData(QString::fromLatin1(recordedClusterName));
    const bool isRecorded = profile && profile->platform.ranks > 0;
    if (isRecorded && item < 0)
        insertCluster(*box, box == m_cluster ? 0 : 1, clusterChoices(profile.get()).front()); // in a side's: below the shared
    else if (!isRecorded && item >= 0)
        box->removeItem(item);
}

void KnobsPanel::showCluster(QComboBox *box, const std::string &source) const {
    const QString name = QString::fromStdString(source);
    if (!name.isEmpty() && box->findData(name) < 0) {
        box->insertItem(0, QFileInfo(name).fileName(), name);
        box->setItemData(0, plainTip(name), Qt::ToolTipRole);
    }
    box->setCurrentIndex(box->findData(name));
}

void KnobsPanel::bind(std::size_t number, Knob *knob) {
    const auto present = [this, number, knob] {
        const SessionState &state = m_session.state();
        const QString spread = m_bindings[number].spread(state).text;
        return spread.isEmpty() ? knob->info().format(m_bindings[number].value(state)) : spread;
    };
    // Its text before a drag, for the name of the undo step.
    auto before = std::make_shared<std::optional<QString>>();
    connect(knob, &Knob::moved, this, [this, number, before, present](double value) {
        if (!*before)
            *before = present();
        SessionState next = m_session.state();
        m_bindings[number].set(next, value);
        m_session.preview(next);
    });
    connect(knob, &Knob::refused, &m_session, [this, knob](Error error) {
        error.place = knob->info().name.toStdString();
        Q_EMIT m_session.failed(error, false);
    });
    connect(knob, &Knob::committed, this, [this, number, knob, before, present](double value) {
        const auto dragged = std::exchange(*before, {});
        const QString text =
            tr("%1 %2 → %3").arg(m_bindings[number].info.name, dragged.value_or(present()), knob->info().format(value));
        SessionState next = m_session.state();
        if (m_bindings[number].value(next) != value || !m_bindings[number].spread(next).text.isEmpty())
            m_bindings[number].set(next, value);
        if (dragged) {
            m_session.preview(next);
            m_session.commitPreview(text);
        } else {
            m_session.change(std::move(next), text);
        }
    });
    knob->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(knob, &QWidget::customContextMenuRequested, this, [this, number, knob](const QPoint &at) {
        // Not exec(): the panel may be closed while the menu is open.
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Sweep this knob…"), this, [this, number] { Q_EMIT sweepWanted(m_bindings[number].id); });
        menu->addAction(tr("Reset"), knob, &Knob::resetWanted);
        menu->popup(knob->mapToGlobal(at));
    });
    connect(knob, &Knob::resetWanted, this, [this, number] {
        SessionState next = m_session.state();
        m_bindings[number].reset(next);
        m_session.change(std::move(next), tr("Reset %1").arg(m_bindings[number].info.name));
    });
}

void KnobsPanel::strategyChosen(Side side, const QString &text, bool again) {
    const SessionState &state = m_session.state();
    const Source &present = state.side(side).source;
    const QString name = QString::fromStdString(sourceName(present)), chosen = QString::fromStdString(textOf(present));
    if (!state.job || (text == name && name != chosen))
        return; // the text that refresh() put there is not an expression
    // Choosing the present entry again discards edits, replaces steps or a plan, and reads a file again.
    const bool changes = std::holds_alternative<Edited>(present) || std::holds_alternative<Played>(present) ||
                         std::holds_alternative<Planned>(present) || std::holds_alternative<FromFile>(present);
    if (text == chosen && !(again && changes))
        return;
    const QString what = tr("Strategy %1").arg(side == Side::A ? tr("A") : tr("B"));
    m_session.chooseStrategy(side, text.toStdString(), tr("%1: %2").arg(what, text));
}

void KnobsPanel::policyChosen(Side side, const QString &text) {
    SessionState next = m_session.state();
    if (!next.job || next.side(side).policy == text.toStdString())
        return;
    next.side(side).policy = text.toStdString();
    const QString what = tr("Policy %1").arg(side == Side::A ? tr("A") : tr("B"));
    m_session.change(std::move(next), tr("%1: %2").arg(what, text));
}

void KnobsPanel::refresh() {
    const SessionState &state = m_session.state();
    m_idle->refresh();
    refreshKnobs();
    offerSources();
    refreshSides();
    for (QComboBox *box : {m_cluster, m_ownCluster[0], m_ownCluster[1]})
        offerRecorded(box);
    showCluster(m_cluster, state.clusterSource);
    for (std::size_t side = 0; side < 2; ++side)
        showCluster(m_ownCluster[side], state.sides[side].clusterSource);
}

void KnobsPanel::refreshSides() {
    const SessionState &state = m_session.state();
    for (std::size_t s = 0; s < 2; ++s) {
        // Only a job that came from a profile has a measured run.
        const QString measured = QString::fromStdString(textOf(Measured{}));
        const int item = m_strategy[s]->findText(measured);
        if (state.profile && item < 0)
            m_strategy[s]->addItem(measured);
        else if (!state.profile && item >= 0)
            m_strategy[s]->removeItem(item);
        showText(m_strategy[s], QString::fromStdString(sourceName(state.sides[s].source)));
        m_policy[s]->setEnabled(state.sides[s].hasScenario());
        m_ownCluster[s]->setEnabled(state.sides[s].hasScenario() || state.sides[s].isPlanned());
        showText(m_policy[s], QString::fromStdString(state.sides[s].policy));
        const bool isMeasured = std::holds_alternative<Measured>(state.sides[s].source); // it has neither
        m_policy[s]->setVisible(!isMeasured);
        m_ownCluster[s]->setVisible(!isMeasured);
    }
    const QString reason = whyNotPlanned(state);
    m_sides[0]->setEnabled(reason.isEmpty());
    m_sides[1]->setEnabled(reason.isEmpty() && state.compare);
    m_cluster->setEnabled(reason.isEmpty());
    const bool isRecording = m_idle->reason() == IdleKnobs::Reason::Recording;
    m_sides[0]->setVisible(!isRecording);
    m_sides[1]->setVisible(!isRecording && state.compare);
    m_clusterRow->setVisible(!isRecording);
    for (QComboBox *box : {m_strategy[0], m_strategy[1], m_policy[0], m_policy[1], m_cluster, m_ownCluster[0], m_ownCluster[1]})
        tellReason(box, reason);
    if (showsDag(state))
        for (QComboBox *box : m_policy)
            tellReason(box, tr("Policies apply to strategies; a plan has an order of its own."));
}

} // namespace syncopate::ui
