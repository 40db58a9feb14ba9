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

/// The panel for all runs over a space: a choice of presets, and for the chosen one its settings, its state with a button that
/// stops it, and its results as a plot, a table or both. Presets that are not chosen keep running. Esc anywhere in the panel
/// stops the run shown.
class RunsPanel final : public QWidget {
    Q_OBJECT
public:
    enum class View : std::uint8_t { Plot, Table, Both };

    explicit RunsPanel(QWidget *parent = nullptr);

    /// Adds a choice; the first one is chosen. The panel takes ownership of the preset and its widgets.
    void add(RunPreset &preset);
    void choose(const RunPreset &preset);
    [[nodiscard]] RunPreset &current() const { return *m_presets[m_current]; }
    [[nodiscard]] View view() const;
    void setView(View view);
    /// Brings the table of a preset into view and gives it the focus.
    void showTable(const RunPreset &preset);
    /// Tells the panel whether it is visible.
    void setSeen(bool seen);

    [[nodiscard]] QComboBox &presetBox() const { return *m_choice; }
    [[nodiscard]] QComboBox &viewBox() const { return *m_view; }
    /// Preset and view, as a project keeps them; unknown ones leave the present choice.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

Q_SIGNALS:
    /// The preset or the view changed.
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QWidget *makeLeft();
    [[nodiscard]] QWidget *makeRight();
    [[nodiscard]] QWidget *settingsOf(const RunPreset &preset);
    [[nodiscard]] QWidget *resultsOf(const RunPreset &preset);
    void chosen(int index);
    void showViews();
    void showState();
    /// Gives the texts above the results one line each where a low panel's plot needs the room.
    void fitTexts();
    /// Makes sheets, which only scroll vertically, as wide as the widest one needs.
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
