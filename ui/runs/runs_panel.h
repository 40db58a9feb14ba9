// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_preset.h"

#include <QJsonObject>
#include <QList>
#include <QWidget>

class QComboBox;
class QScrollArea;
class QShortcut;
class QStackedWidget;

namespace syncopate::ui {

/// The panel for all runs over a space: a choice of presets, and of the chosen one its sheet of settings, its state with a button
/// that stops it, and its results as a plot, as a table, or as both. Presets that are not chosen go on with what they do. Esc
/// anywhere in the panel stops what runs in sight.
class RunsPanel final : public QWidget {
    Q_OBJECT
public:
    enum class View : std::uint8_t { Plot, Table, Both };

    explicit RunsPanel(QWidget *parent = nullptr);

    /// Adds a choice; the first one is chosen. The panel takes over the preset and its widgets.
    void add(RunPreset &preset);
    void choose(const RunPreset &preset);
    [[nodiscard]] RunPreset &current() const { return *m_presets[m_current]; }
    [[nodiscard]] View view() const;
    void setView(View view);
    /// Puts the table of a preset in sight, with the keyboard on it.
    void showTable(const RunPreset &preset);
    /// Tells the panel whether it is on screen.
    void setSeen(bool seen);

    [[nodiscard]] QComboBox &presetBox() const { return *m_choice; }
    [[nodiscard]] QComboBox &viewBox() const { return *m_view; }
    /// Preset and view, as a project keeps them; of unknown ones those that are shown stay.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

Q_SIGNALS:
    /// The preset or the view.
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] QWidget *makeLeft();
    [[nodiscard]] QWidget *makeRight();
    [[nodiscard]] QWidget *settingsOf(const RunPreset &preset);
    [[nodiscard]] QWidget *resultsOf(const RunPreset &preset);
    void chosen(int index);
    void showViews();
    void showState();
    /// As wide as the widest sheet needs to be, which scroll up and down only.
    void fitSheets();

    QList<RunPreset *> m_presets;
    qsizetype m_current = 0;
    bool m_seen = false;
    QComboBox *m_choice, *m_view;
    QWidget *m_left = nullptr;
    QStackedWidget *m_sheets, *m_states, *m_results;
    QList<QScrollArea *> m_scrolls; ///< aligned with m_presets
    QShortcut *m_escape;
};

} // namespace syncopate::ui
