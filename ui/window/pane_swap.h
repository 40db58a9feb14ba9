// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QVariantAnimation>
#include <QWidget>
#include <array>

namespace syncopate::ui {

class TimelineView;

/// Shows that two panes change places: pictures of their lanes as they were go to each other's place, over panes that have what
/// is new already and take clicks as ever. Goes by itself.
class PaneSwap final : public QWidget {
    Q_OBJECT
public:
    /// Before what the panes show changes. Null where movements are not wanted (motionMilliseconds()) or a pane is not seen.
    static PaneSwap *play(TimelineView &first, TimelineView &second);

    /// Its clock, for tests.
    [[nodiscard]] QVariantAnimation &animation() { return m_animation; }
    /// Where the picture of the first or the second pane's lanes is now, in the window.
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
