// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/dag_picture.h"

#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>

class QPainter;

namespace syncopate::ui {

class Theme;

/// A training DAG as a graph, from left to right: compute-ops are boxes, comm-ops are rounded, with a band in the colours and
/// patterns of the channels that the plan assigns to their motifs, each as wide as its share of their time. The critical path is
/// thick. Nodes that the next iteration waits for are marked on the right, those that wait for the previous one on the left;
/// edges between iterations are drawn only if they are critical or belong to the selected node.
class PlanDagView final : public QWidget {
    Q_OBJECT
public:
    explicit PlanDagView(const Theme &theme, QWidget *parent = nullptr);

    /// Null shows `reason` in place of a graph. View and selected node are kept if the DAG is unchanged.
    void setPicture(std::shared_ptr<const DagPicture> picture, const QString &reason = {});
    [[nodiscard]] const DagPicture *picture() const { return m_picture.get(); }
    /// Rings a node and scrolls as little as needed to show it; -1: none.
    void select(std::int32_t node);
    [[nodiscard]] std::int32_t selected() const { return m_selected; }

    [[nodiscard]] QRectF rectOf(std::int32_t node) const; ///< in the widget
    [[nodiscard]] std::int32_t nodeAt(const QPointF &position) const;
    /// Everything known about a node, as plain text.
    [[nodiscard]] QString describe(std::int32_t node) const;
    /// The meaning of the drawn colours, patterns and lines, in legend order.
    [[nodiscard]] QStringList legend() const;
    /// The colour of a channel's part of a band.
    [[nodiscard]] QColor channelColor(ChannelId channel) const;
    void fit();
    /// With more edges, only the critical ones and those of the selected node are drawn, or each paint would take seconds.
    static constexpr std::size_t maxDrawnEdges = 5000;
    [[nodiscard]] bool drawsAllEdges() const { return !m_picture || m_picture->layout.routes.size() <= maxDrawnEdges; }
    /// Horizontal pixels per unit of the layout.
    [[nodiscard]] double scale() const { return m_scale.x(); }

    [[nodiscard]] QSize sizeHint() const override { return {480, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 56}; }

Q_SIGNALS:
    /// A node was clicked, or reached by a key.
    void nodePicked(int node);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct LegendEntry {
        enum class Kind : std::uint8_t { Forward, Backward, Channel, NotPlanned, Awaited, Critical } kind = Kind::Forward;
        QString name;
        ChannelId channel; ///< of Kind::Channel
    };
    [[nodiscard]] std::vector<LegendEntry> legendEntries() const;
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] QPointF toWidget(const LayoutPoint &point) const;
    [[nodiscard]] const DagNode &node(std::int32_t number) const { return m_picture->nodes[static_cast<std::size_t>(number)]; }
    [[nodiscard]] const DagOp &opOf(std::int32_t number) const { return m_picture->dag->ops[node(number).op.index()]; }
    /// Keeps the graph in view.
    void hold();
    void zoomAt(const QPointF &position, double factor);
    void pick(std::int32_t number);
    // plan_dag_painter.cpp
    void paintEdges(QPainter &painter) const;
    void paintRoute(QPainter &painter, const std::vector<LayoutPoint> &route) const;
    void paintLoop(QPainter &painter, const DagEdge &edge) const;
    void paintNode(QPainter &painter, std::int32_t number) const;
    void paintBand(QPainter &painter, std::int32_t number, const QRectF &band) const;
    void paintNextMarks(QPainter &painter, std::int32_t number) const;
    void paintTexts(QPainter &painter, std::int32_t number, const QRectF &room) const;
    void paintLegend(QPainter &painter) const;
    void paintSwatch(QPainter &painter, const LegendEntry &entry, const QRectF &area) const;
    [[nodiscard]] QString figuresOf(std::int32_t number) const;
    [[nodiscard]] QPen edgePen(const DagEdge &edge) const;
    // plan_dag_view_input.cpp
    [[nodiscard]] std::int32_t neighbour(std::int32_t number, int key) const;
    [[nodiscard]] QString namesOf(std::int32_t number, bool ofIterationBefore) const;

    const Theme &m_theme;
    std::shared_ptr<const DagPicture> m_picture;
    QString m_reason;
    std::vector<std::uint8_t> m_awaited, m_awaits; ///< per node: the next iteration waits for it; it waits for the previous one
    std::int32_t m_selected = -1;
    QPointF m_scale{1, 1};            ///< pixels per unit
    QPointF m_corner{0, 0};           ///< in the layout, at the plot's upper left
    bool m_fitted = true;             ///< the user has not zoomed or panned since fit()
    std::optional<QPointF> m_dragged; ///< the last pointer position of a drag
};

} // namespace syncopate::ui
