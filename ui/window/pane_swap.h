// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QVariantAnimation>
#include <QWidget>
#include <array>

namespace syncopate::ui {

class TimelineView;

/// Animates two panes swapping places: pictures of their previous lanes move to each other's place, above panes that already show
/// the new content and accept clicks. Deletes itself.
class PaneSwap final : public QWidget {
    Q_OBJECT
public:
    /// Call before the panes' contents change. Ends a swap that is still running. Null if animations are off
    /// (motionMilliseconds()) or a pane is not visible.
    static PaneSwap *play(TimelineView &first, TimelineView &second);

    /// Its animation, for tests.
    [[nodiscard]] QVariantAnimation &animation() { return m_animation; }
    /// Present position, in the window, of the picture of the first or the second pane's lanes.
    [[nodiscard]] QPoint place(std::size_t pane) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Moving {
        QPixmap picture;
        QRect from;
        QPoint to;
    };
    PaneSwap(std::array<Moving, 2> moving, int milliseconds, QWidget *window);

    std::array<Moving, 2> m_moving;
    QVariantAnimation m_animation;
};

} // namespace syncopate::ui
