// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tasks/background.h"
#include "ui/timeline/time_axis.h"
#include "ui/topology/topology_view.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace syncopate::ui {

class LinkLegend;

/// The cluster of A or B with the load of its links over the timelines' visible time or at a moment that moves through the
/// iteration, or with the gain per additional Gbit/s of each link; and a form that edits the selected nodes, or the whole cluster
/// if none is selected.
class TopologyPanel final : public QWidget {
    Q_OBJECT
public:
    TopologyPanel(const Theme &theme, Session &session, TimeAxis &axis, QWidget *parent = nullptr);

    [[nodiscard]] TopologyView &view() { return *m_view; }
    [[nodiscard]] QLineEdit *field(const QString &name) const; ///< by object name, for tests
    [[nodiscard]] Side side() const;
    [[nodiscard]] QComboBox &linkPaint() { return *m_paint; } ///< in the order of LinkPaint
    [[nodiscard]] const LinkLegend &legend() const { return *m_legend; }
    /// Follows the session only while visible.
    void setSeen(bool seen);
    /// The time in B's iteration, nanoseconds from its start, that is shown at 0 on the axis.
    void setOffset(double nanoseconds);
    /// The axis of B's timeline: A's while both are locked in time.
    void setAxisOfB(TimeAxis &axis);
    void play(bool on);
    void addNode();
    void removeNodes();
    [[nodiscard]] QSize sizeHint() const override { return {700, 240}; }

Q_SIGNALS:
    void saveRequested(const syncopate::Cluster &cluster); ///< as a resource_spec.yml

private:
    struct Field;
    QLayout *makeBar();
    QWidget *makeForm();
    void refresh();
    void setData(std::shared_ptr<const TopologyData> data);
    /// Simulates the savings of faster links, once runs rest.
    void simulateSavings();
    /// Drops simulations of savings, running or waiting for a pause.
    void cancelSavings();
    void showTimeWindow();
    void showForm();
    void apply(const Field &field, const QString &text);
    void change(Cluster cluster, const QString &text);
    [[nodiscard]] const Cluster *cluster() const; ///< the one drawn; null if nothing is loaded
    /// The cluster that an edit changes: the present state's, which may be newer than the one drawn. Needs a drawn one.
    [[nodiscard]] Cluster presentCluster() const;
    /// The selected nodes in that cluster, by their addresses, ascending by their indices in the drawn one.
    [[nodiscard]] std::vector<std::size_t> selectedIn(const Cluster &present) const;
    [[nodiscard]] double offset() const { return side() == Side::B ? m_offset : 0; }
    [[nodiscard]] TimeAxis &axis() const { return side() == Side::B ? *m_axisOfB : m_axis; }

    const Theme &m_theme;
    Session &m_session;
    TimeAxis &m_axis; ///< of A
    TimeAxis *m_axisOfB;
    TopologyView *m_view;
    QComboBox *m_side, *m_paint;
    LinkLegend *m_legend;
    QToolButton *m_play;
    QLabel *m_summary, *m_formTitle;
    QPushButton *m_add = nullptr, *m_remove = nullptr, *m_save = nullptr;
    std::vector<QLineEdit *> m_fields; ///< in the order of Field::all()
    double m_offset = 0;               ///< of B
    std::shared_ptr<const TopologyData> m_data;
    bool m_seen = false;
    QTimer m_playTimer;
    QElapsedTimer m_playing;
    QTimer m_pause; ///< started while runs come, fires once they rest
    using DataPtr = std::shared_ptr<const TopologyData>;
    // Last: they end before what they report to.
    Background<DataPtr> m_counter{this, [this](const DataPtr &data) { setData(data); }};
    Background<DataPtr> m_simulator{this, [this](const DataPtr &data) { setData(data); }}; ///< of savings
};

} // namespace syncopate::ui
