// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/first_contact.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QWidget>
#include <memory>
#include <optional>

class QLabel;
class QMenu;
class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace syncopate::ui {

/// The first contact with a profile: what was read, inferred and not found, the measured step beside its simulation on the same
/// machines with the error, and the next steps: attach sizes, choose the machines, calibrate them, move the job elsewhere.
class ProfilePanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePanel(Session &session, QWidget *parent = nullptr);

    /// For the present profile and cluster; null while it is being simulated or if it cannot be: verdict() has the reason.
    [[nodiscard]] const std::optional<StepCheck> &check() const { return m_check; }
    [[nodiscard]] bool isPending() const { return m_checker.isPending(); }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QString sides() const; ///< what A and B show, on which machines
    [[nodiscard]] QString facts() const; ///< as plain text
    [[nodiscard]] QPushButton &attachButton() { return *m_attach; }
    /// Samples of a worker's step; 0 = not known.
    [[nodiscard]] QSpinBox &batchBox() { return *m_batch; }
    [[nodiscard]] QMenu &moveMenu() { return *m_moveMenu; }
    /// Simulates B on another cluster: choosing "Move it to". B is shown, and simulated where it was not; A stays.
    void moveTo(const QString &cluster);

Q_SIGNALS:
    void attachWanted();    ///< a file with the variables' sizes, to be chosen
    void calibrateWanted(); ///< files with measurements
    /// A cluster file for that side; null: for both.
    void clusterFileWanted(std::optional<syncopate::Side> side);

private:
    using Checked = Result<StepCheck>;
    QWidget *makeButtons();
    [[nodiscard]] QWidget *makeBatch();
    void showBatch();
    void nameBatchUnit(); ///< "1 sample", "32 samples"
    /// Gives the job the batch that was typed, as an undo step.
    void stateBatch();
    void refresh();
    [[nodiscard]] QString speedNote() const; ///< which speed a move leaves unchanged
    void ask();
    void showCheck(const Checked &checked);
    void showSides();
    void showFacts();

    Session &m_session;
    QLabel *m_verdict, *m_sides;
    QPushButton *m_attach, *m_choose, *m_calibrate, *m_move;
    QMenu *m_chooseMenu, *m_moveMenu;
    QSpinBox *m_batch;
    QTextBrowser *m_facts;
    std::optional<StepCheck> m_check;
    // What m_check is about, or what is being checked; without a profile, what is shown.
    std::shared_ptr<const Job> m_job;
    std::shared_ptr<const Cluster> m_cluster;
    Background<Checked> m_checker{this, [this](const Checked &checked) { showCheck(checked); }};
};

} // namespace syncopate::ui
