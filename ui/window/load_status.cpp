// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/load_status.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

namespace syncopate::ui {

namespace {

/// What a session has whose job is a training DAG.
QStringList dagCounts(const SessionState &state) {
    const auto dag = shownDag(state, Side::A);
    if (!dag)
        return {};
    return {LoadStatus::tr("%1 compute-ops").arg(dag->computeOrder.size()),
            LoadStatus::tr("%1 collectives").arg(dag->submissionOrder.size()), LoadStatus::tr("%1 processes").arg(dag->processes),
            LoadStatus::tr("cluster %1").arg(QFileInfo(QString::fromStdString(state.clusterSource)).fileName())};
}

} // namespace

LoadStatus::LoadStatus(QStatusBar &bar, Session &session)
    : m_session(session), m_file(plainLabel()), m_counts(plainLabel()), m_progress(new QProgressBar),
      m_cancel(new QPushButton(tr("Cancel"))) {
    m_progress->setMaximumWidth(180);
    m_progress->setMaximumHeight(16);
    m_progress->setAccessibleName(tr("Loading"));
    m_cancel->setToolTip(tr("Stop loading (Esc)"));
    m_cancel->setMaximumHeight(22);
    showLoading(false); // before addWidget(), which would show it
    bar.addWidget(m_file, 1);
    bar.addPermanentWidget(m_counts);
    bar.addPermanentWidget(m_progress);
    bar.addPermanentWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, &session, &Session::cancelLoad);
    connect(&session, &Session::loadStarted, this, [this](const QString &what) {
        m_file->setText(tr("Loading %1…").arg(QFileInfo(what).fileName()));
        m_progress->setRange(0, 0);
        showLoading(true);
    });
    connect(&session, &Session::loadProgress, this, [this](double fraction) {
        if (fraction < 0)
            return;
        m_progress->setRange(0, 1000);
        m_progress->setValue(static_cast<int>(fraction * 1000));
    });
    connect(&session, &Session::loadEnded, this, [this] { showLoading(false); });
}

void LoadStatus::showLoading(bool loading) {
    m_progress->setVisible(loading);
    m_cancel->setVisible(loading);
}

void LoadStatus::showState() {
    if (m_session.isLoading())
        return;
    const SessionState &state = m_session.state();
    m_file->setText(state.job ? QFileInfo(QString::fromStdString(state.source)).fileName() : tr("Nothing is loaded"));
    m_file->setToolTip(plainTip(QString::fromStdString(state.source)));
    if (!state.job)
        m_counts->clear();
}

void LoadStatus::showRuns() {
    const SessionState &state = m_session.state();
    const auto run = m_session.run(Side::A);
    if (!run || !state.job)
        return;
    QStringList counts{tr("%1 layers").arg(state.job->layers.size()), tr("%1 variables").arg(state.job->variables.size()),
                       bytesText(static_cast<double>(state.job->parameterBytes()))};
    if (showsDag(state))
        counts = dagCounts(state);
    else if (isRecordingOnly(*state.job))
        counts = {tr("%1 spans recorded").arg(run->recording().timeline.spanCount()), tr("no training step to simulate")};
    else if (run->plan())
        counts += {tr("%1 processes").arg(run->recording().workers), tr("%1 events").arg(run->recording().events)};
    else if (!run->simulation())
        counts += tr("%1 events recorded").arg(run->recording().events);
    else
        counts += {tr("%1 workers").arg(run->recording().workers),
                   tr("cluster %1")
                       .arg(QFileInfo(QString::fromStdString(state.clusterSource)).fileName() +
                            (state.clusterEdited ? tr(" (edited)") : QString())),
                   tr("%1 events in %2").arg(run->recording().events).arg(secondsText(run->simulation()->wallSeconds))};
    m_counts->setText(counts.join(QStringLiteral(" · ")));
}

} // namespace syncopate::ui
