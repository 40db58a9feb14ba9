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
class QTextBrowser;

namespace syncopate::ui {

/// The first contact with a profile: what was read, inferred and is missing, the measured step beside its simulation on the same
/// machines with the error, and what can be done next: attach sizes, choose the machines, calibrate them, move the job elsewhere.
class ProfilePanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePanel(Session &session, QWidget *parent = nullptr);

    /// Of the present profile and cluster; null while it is simulated or where it cannot be, with the reason in verdict().
    [[nodiscard]] const std::optional<StepCheck> &check() const { return m_check; }
    [[nodiscard]] bool isPending() const { return m_checker.isPending(); }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QString sides() const; ///< what A and B show, on which machines
    [[nodiscard]] QString facts() const; ///< as plain text
    [[nodiscard]] QPushButton &attachButton() { return *m_attach; }
    [[nodiscard]] QPushButton &calibrateButton() { return *m_calibrate; }
    /// Clusters of both sides, and of B alone.
    [[nodiscard]] QMenu &chooseMenu() { return *m_chooseMenu; }
    [[nodiscard]] QMenu &moveMenu() { return *m_moveMenu; }
    /// The simulation of B on another cluster, beside what was measured as A: choosing "Move it to".
    void moveTo(const QString &cluster);

Q_SIGNALS:
    void attachWanted();
    void calibrateWanted();
    void clusterFileWanted(std::optional<syncopate::Side> side);

private:
    using Checked = Result<StepCheck>;
    QWidget *makeButtons();
    void refresh();
    void ask();
    void show(const Checked &checked);
    void showSides();
    void showFacts();

    Session &m_session;
    QLabel *m_verdict, *m_sides;
    QPushButton *m_attach, *m_choose, *m_calibrate, *m_move;
    QMenu *m_chooseMenu, *m_moveMenu;
    QTextBrowser *m_facts;
    std::optional<StepCheck> m_check;
    // What m_check is of, or what is being checked.
    std::shared_ptr<const Job> m_job;
    std::shared_ptr<const Cluster> m_cluster;
    Background<Checked> m_checker{this, [this](const Checked &checked) { show(checked); }};
};

} // namespace syncopate::ui
