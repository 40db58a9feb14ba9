// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/topology_data.h"

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

namespace syncopate::ui {

class Theme;

/// What the links' colours show.
enum class LinkPaint : std::uint8_t {
    Load,  ///< share of the link's capacity that is used, over a stretch of time
    Worth, ///< TopologyData::savedSeconds(), relative to the link with the largest gain
};

/// The cluster as a picture: every node with its devices, its server share, and its two directions of traffic to the switch,
/// coloured by load over a stretch of time or by the gain from a faster link. Nodes can be selected: click, Ctrl+click, arrows,
/// Ctrl+A.
class TopologyView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TopologyView(const Theme &theme, QWidget *parent = nullptr);

    /// Selected nodes stay selected, by address.
    void setData(std::shared_ptr<const TopologyData> data);
    /// Shown while there is no data: why.
    void setEmptyText(const QString &text);
    [[nodiscard]] const QString &emptyText() const { return m_emptyText; }
    /// The stretch of time whose load is shown, seconds of the run.
    void setWindow(double from, double to);
    void setLinkPaint(LinkPaint paint);
    [[nodiscard]] LinkPaint linkPaint() const { return m_paint; }
    /// Null if nothing is loaded.
    [[nodiscard]] const TopologyData *data() const { return m_data.get(); }
    /// Colour intensity of a node's direction of traffic, 0 to 1.
    [[nodiscard]] double paintedShare(LinkId link) const;
    [[nodiscard]] QColor linkColor(double share) const;
    [[nodiscard]] const std::vector<bool> &selection() const { return m_selected; }
    [[nodiscard]] std::vector<std::size_t> selectedNodes() const;
    void select(std::size_t node, bool alone = true);
    /// In viewport coordinates, for tests.
    [[nodiscard]] QRect nodeRect(std::size_t node) const;
    /// Shown load of a node's direction of traffic, 0 to 1.
    [[nodiscard]] double load(LinkId link) const;
    /// Describes a node, for its tooltip and the accessible description.
    [[nodiscard]] QString describe(std::size_t node) const;
    /// "inside 4.6 %": of the lane drawn in the node's box. Empty where it has no room: without its word, the figure would read
    /// as one of the devices.
    [[nodiscard]] QString laneText(std::size_t node) const;
    [[nodiscard]] QSize sizeHint() const override { return {700, 240}; }

Q_SIGNALS:
    void selectionChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void layOut();
    /// Lays out large boxes, magnified as far as all of them fit into the viewport; false if they do not fit.
    [[nodiscard]] bool enlarge();
    [[nodiscard]] QRect boxOf(std::size_t node) const; ///< nodeRect() before m_zoom
    [[nodiscard]] QFont boxFont() const;
    [[nodiscard]] bool isLarge() const; ///< boxes have room for the node's facts
    [[nodiscard]] std::size_t nodeAt(int row, int column) const;
    [[nodiscard]] bool onlyServes(std::size_t node) const;
    void paintRow(QPainter &painter, int row) const;
    /// Draws the ring's arrows between nodes of one row, `first` to `last`, below a node that it leaves out. Those to the next
    /// row and back to the first node are not drawn.
    void paintRing(QPainter &painter, std::size_t first, std::size_t last) const;
    void paintNode(QPainter &painter, std::size_t node) const;
    /// Draws the connection from a node's box to the switch: gauges of a run's traffic, or a plain line.
    void paintCable(QPainter &painter, std::size_t node, const QRect &box) const;
    /// Draws a square as high as `row` for each replica.
    void paintDevices(QPainter &painter, std::size_t node, const QRect &row) const;
    /// Draws the busiest or most valuable lane inside a node, with laneText(), at the end of the devices' row; returns the room
    /// that is left for the devices.
    [[nodiscard]] QRect paintLanes(QPainter &painter, std::size_t node, const QRect &row) const;
    /// The minimum width of a large box's devices: one square, and the number of the others.
    [[nodiscard]] int minDevicesWidth(std::size_t node, const QFontMetrics &metrics) const;
    /// In a large box: its device and bandwidth in `line`, a faster link's saving and the server share in the two lines below.
    void paintFacts(QPainter &painter, std::size_t node, QRect line) const;
    void paintSaving(QPainter &painter, std::size_t node, const QRect &rect) const;
    void paintGauge(QPainter &painter, const QRect &rect, LinkId link, bool up) const;
    /// The text beside a gauge: load, or gain.
    [[nodiscard]] QString gaugeText(LinkId link) const;
    /// What a faster link saves; "…" before it is known, "–" where it was not simulated.
    [[nodiscard]] QString savingOf(LinkId link) const;
    /// The lane inside a node with the strongest colour; none if nothing crosses any, or none is worth more.
    [[nodiscard]] LinkId strongestLane(std::size_t node) const;
    /// "pcie, to the host"
    [[nodiscard]] QString laneName(LinkId link) const;
    /// What a faster link of a node saves, from the longest text to the shortest; empty: nothing.
    [[nodiscard]] QStringList savingOfNode(std::size_t node) const;
    [[nodiscard]] std::ptrdiff_t nodeAt(const QPoint &position) const;

    static constexpr int margin = 12;
    static constexpr int cable = 26; ///< from the switch's bar to a box
    static constexpr int bar = 4;    ///< thickness of the switch

    const Theme &m_theme;
    std::shared_ptr<const TopologyData> m_data;
    QString m_emptyText;
    double m_from = 0, m_to = 0;
    LinkPaint m_paint = LinkPaint::Load;
    std::vector<bool> m_selected;
    std::size_t m_current = 0;
    int m_columns = 1;
    QSize m_box{150, 88};
    double m_zoom = 1; ///< at least 1; above it everything fits, so that nothing scrolls
};

} // namespace syncopate::ui
