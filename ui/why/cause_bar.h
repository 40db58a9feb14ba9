// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/causes.h"

#include <QColor>
#include <QWidget>

namespace syncopate::ui {

class Theme;

/// The colour of a kind of cause. Transfer, sharing and latency borrow the timeline's of all-reduce, push and pull.
[[nodiscard]] QColor causeColor(const Theme &theme, CauseKind kind);

/// A chain of causes as one bar: seconds by kind, side by side, each with its name and share if there is room.
class CauseBar final : public QWidget {
    Q_OBJECT
public:
    explicit CauseBar(const Theme &theme, QWidget *parent = nullptr);
    void set(const CauseChain &chain);
    [[nodiscard]] QSize sizeHint() const override { return {200, 20}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 20}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    std::array<double, causeKindCount> m_seconds{};
};

} // namespace syncopate::ui
