// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/load_status.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <algorithm>
#include <cstdint>
#include <limits>

namespace syncopate::ui {

namespace {

/// For texts that depend on a number: above 2^31 all have one form.
int countOf(std::uint64_t count) { return static_cast<int>(std::min<std::uint64_t>(count, std::numeric_limits<int>::max())); }

/// The counts of a session whose job is a training DAG.
QStringList dagCounts(const SessionState &state) {
    const auto dag = shownDag(state, Side::A);
    if (!dag)
        return {};
    return {LoadStatus::tr("%n compute-ops", nullptr, countOf(dag->computeOrder.size())),
            LoadStatus::tr("%n collectives", nullptr, countOf(dag->submissionOrder.size())),
            LoadStatus::tr("%n processes", nullptr, dag->processes),
            LoadStatus::tr("cluster %1").arg(clusterText(state, Side::A))};
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
        m_progress->setValue(countOf(fraction * 1000));
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
    if (!run || !state.job) {
        m_counts->clear();
        return;
    }
    QStringList counts{tr("%n layers", nullptr, countOf(state.job->layers.size())),
                       tr("%n variables", nullptr, countOf(state.job->variables.size())),
                       bytesText(static_cast<double>(state.job->parameterBytes()))};
    if (showsDag(state))
        counts = dagCounts(state);
    else if (isRecordingOnly(*state.job))
        counts = {tr("%n spans recorded", nullptr, countOf(run->recording().timeline.spanCount())),
                  tr("no training step to simulate")};
    else if (run->plan())
        counts +=
            {tr("%n processes", nullptr, run->recording().workers), tr("%n events", nullptr, countOf(run->recording().events))};
    else if (!run->simulation())
        counts += tr("%n events recorded", nullptr, countOf(run->recording().events));
    else
        counts +=
            {tr("%n workers", nullptr, run->recording().workers), tr("cluster %1").arg(clusterText(state, Side::A)),
             tr("%n events in %1", nullptr, countOf(run->recording().events)).arg(secondsText(run->simulation()->wallSeconds))};
    m_counts->setText(counts.join(QStringLiteral(" · ")));
}

} // namespace syncopate::ui
