// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/timeline/time_axis.h"

#include <QWidget>
#include <optional>

namespace syncopate::ui {

class Theme;

/// One line of figures: A, B, the difference, the cursor. Omits its least important parts as it gets narrow.
class Readout final : public QWidget {
    Q_OBJECT
public:
    Readout(const Theme &theme, const Session &session, TimeAxis &axis, QWidget *parent = nullptr);

    /// The time in B's iteration, nanoseconds from its start, that is shown at 0 on the axis.
    void setOffset(double nanoseconds);
    /// Exposed communication of the worker that waits longest, from the iteration's start to the cursor, seconds; null: no run or
    /// no cursor.
    [[nodiscard]] std::optional<double> exposedToCursor(Side side) const;
    /// The whole line as plain text, for the clipboard and screen readers.
    [[nodiscard]] QString plainText() const;
    [[nodiscard]] QSize sizeHint() const override { return {600, 28}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, 28}; }

public Q_SLOTS:
    void refresh();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Piece {
        QString text;
        bool bold = false;
        QColor color;
    };
    /// Detail 0 = everything; higher values omit more.
    [[nodiscard]] std::vector<Piece> pieces(int detail) const;
    void addSide(std::vector<Piece> &to, Side side, int detail) const;
    /// The cursor, which there must be, in absolute nanoseconds of the side's timeline.
    [[nodiscard]] Nanoseconds cursorTime(const TimelineData &data, Side side) const;
    [[nodiscard]] QString atCursor(Side side) const;
    /// Why the exposed times of A and B cannot be compared; empty = they can.
    [[nodiscard]] QString whyNoDifference() const;
    [[nodiscard]] QColor differenceColor(double from, double to) const;

    const Theme &m_theme;
    const Session &m_session;
    TimeAxis &m_axis;
    double m_offset = 0; ///< of B
};

} // namespace syncopate::ui
