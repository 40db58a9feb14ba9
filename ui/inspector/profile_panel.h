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
    /// Shows the measured run as A and its simulation on another cluster as B: choosing "Move it to".
    void moveTo(const QString &cluster);

Q_SIGNALS:
    void attachWanted();
    void calibrateWanted();
    void clusterFileWanted(std::optional<syncopate::Side> side);

private:
    using Checked = Result<StepCheck>;
    QWidget *makeButtons();
    [[nodiscard]] QWidget *makeBatch();
    void showBatch();
    /// Gives the job the batch that was typed, as an undo step.
    void stateBatch();
    void refresh();
    [[nodiscard]] QString speedNote() const; ///< which speed a move leaves unchanged
    void ask();
    void show(const Checked &checked);
    void showSides();
    void showFacts();

    Session &m_session;
    QLabel *m_verdict, *m_sides;
    QPushButton *m_attach, *m_choose, *m_calibrate, *m_move;
    QMenu *m_chooseMenu, *m_moveMenu;
    QSpinBox *m_batch;
    QTextBrowser *m_facts;
    std::optional<StepCheck> m_check;
    // The job that m_check is about, or that is being checked.
    std::shared_ptr<const Job> m_job;
    std::shared_ptr<const Cluster> m_cluster;
    Background<Checked> m_checker{this, [this](const Checked &checked) { show(checked); }};
};

} // namespace syncopate::ui
