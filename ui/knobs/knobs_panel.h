// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/knobs/idle_knobs.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/session/session.h"

#include <QScrollArea>
#include <array>
#include <optional>

class QComboBox;
class QToolButton;
class QVBoxLayout;

namespace syncopate::ui {

class Theme;

/// Property of an editable box's field: the model's text, set while the field does not show a text being typed.
inline constexpr const char *textOfModel = "textOfModel";

/// The left dock: what A and B do, the cluster, and the knobs. Knobs that nothing on screen uses, as those of other policies, are
/// folded under a line that counts them; whether they are shown is remembered. A recording without a training step has none.
class KnobsPanel final : public QScrollArea {
    Q_OBJECT
public:
    KnobsPanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    [[nodiscard]] Knob *knob(const QString &id) const;
    /// The line above the knobs that nothing on screen uses; hidden where there are none.
    [[nodiscard]] QToolButton &foldButton() const { return *m_fold; }
    /// The widget in place of the knobs while nothing is simulated.
    [[nodiscard]] IdleKnobs &idle() const { return *m_idle; }
    [[nodiscard]] QComboBox *strategyBox(Side side) const { return m_strategy[indexOf(side)]; }
    [[nodiscard]] QComboBox *policyBox(Side side) const { return m_policy[indexOf(side)]; }
    [[nodiscard]] const std::vector<Knob *> &knobs() const { return m_knobs; } ///< in the order of scenarioSpace()
    /// As if chosen from the side's box.
    void chooseStrategy(Side side, const QString &text) { strategyChosen(side, text, true); }
    void choosePolicy(Side side, const QString &text) { policyChosen(side, text); }
    [[nodiscard]] QSize sizeHint() const override { return {256, 500}; }

Q_SIGNALS:
    /// Asks for a file for the shared cluster, or for that side's own.
    void clusterFileWanted(std::optional<syncopate::Side> side);
    void sweepWanted(const QString &knob); ///< its id
    void openWanted();                     ///< a file with something to simulate

private:
    QWidget *makeSide(Side side);
    /// Fill a side's box of sources; a training DAG has planners in place of builders.
    void offerBuilders(QComboBox &strategy) const;
    void offerPlanners(QComboBox &strategy) const;
    void offerSources();
    QWidget *makeCluster();
    QComboBox *makeClusterBox(std::optional<Side> side);
    /// Offers the profile's own cluster while a profile is loaded.
    void offerRecorded(QComboBox *box) const;
    void showCluster(QComboBox *box, const std::string &source) const;
    void bind(std::size_t number, Knob *knob);
    void makeKnobs(QVBoxLayout &column);
    void makeFold();
    void refresh();
    void refreshSides();
    void refreshKnobs();
    /// Puts the ignored knobs, by their numbers, below the line that folds them.
    void arrangeKnobs(const std::vector<bool> &ignored);
    /// `reasons` aligned with m_knobs; empty for those that are not folded.
    void describeFold(const std::vector<QString> &reasons);
    /// `again`: chosen from the list, which also discards edits of the previous choice.
    void strategyChosen(Side side, const QString &text, bool again);
    void policyChosen(Side side, const QString &text);

    const Theme &m_theme;
    Session &m_session;
    std::vector<KnobBinding> m_bindings;
    std::vector<Knob *> m_knobs;
    QVBoxLayout *m_knobColumn = nullptr;
    QToolButton *m_fold = nullptr;
    IdleKnobs *m_idle = nullptr;
    // As arranged.
    std::vector<bool> m_ignored; ///< aligned with m_knobs
    bool m_hasKnobs = true;
    std::array<QComboBox *, 2> m_strategy{}, m_policy{};
    std::array<QWidget *, 2> m_sides{};
    bool m_offersPlanners = false;
    QWidget *m_clusterRow = nullptr;
    QComboBox *m_cluster = nullptr;
    std::array<QComboBox *, 2> m_ownCluster{};
};

} // namespace syncopate::ui
