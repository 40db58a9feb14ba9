// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"

#include <QObject>

class QLabel;
class QProgressBar;
class QPushButton;
class QStatusBar;

namespace syncopate::ui {

/// The status bar: what is loaded and its size, or the progress of loading, with a button that cancels it.
class LoadStatus final : public QObject {
    Q_OBJECT
public:
    LoadStatus(QStatusBar &bar, Session &session);

    void showState();
    void showRuns();

private:
    void showLoading(bool loading);

    Session &m_session;
    QLabel *m_file, *m_counts;
    QProgressBar *m_progress;
    QPushButton *m_cancel;
};

} // namespace syncopate::ui
