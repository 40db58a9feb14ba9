// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QWidget>
#include <functional>

class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace syncopate::ui {

class Theme;

/// The value that a knob turns: its name, range and notation.
struct KnobInfo {
    QString name;
    QString toolTip; ///< unit and definition
    double least = 0, most = 1;
    bool logarithmic = true;
    bool integer = false;
    std::function<QString(double)> format;
    /// Infinity where the word for it is accepted.
    std::function<Result<double>(const QString &)> parse;
};

/// The text in place of a knob's value where there is more than one.
struct KnobSpread {
    QString text; ///< "10–50 Gbit/s"; empty: there is one value
    QString tip;  ///< the owner of each value
};

/// A name, a value field with unit, a slider (logarithmic if the range spans decades) and a dot that resets a changed value. Keys
/// in the field: Up and Down one step, with Shift ten. A step is a factor, a hundredth of the range, or of a count one, from 1000
/// on one of its third digit.
class Knob final : public QWidget {
    Q_OBJECT
public:
    Knob(const Theme &theme, KnobInfo info, QWidget *parent = nullptr);

    [[nodiscard]] const KnobInfo &info() const { return m_info; }
    [[nodiscard]] double value() const { return m_value; }
    /// Shows a value without emitting anything. `changed` lights the reset dot.
    void setValue(double value, bool changed, const KnobSpread &spread = {});
    /// Names the sides whose policies it is a setting of: "A", "A, B". Empty: it is none, or there is one side.
    void setSides(const QString &sides);
    /// Disables a knob that has no effect; its tooltip gives the reason.
    void setUsable(bool usable, const QString &reason = {});
    [[nodiscard]] const QString &whyNotUsable() const { return m_whyNotUsable; } ///< empty: it is
    /// Marks a knob that changes nothing now, though it can be turned; its tooltip begins with the reason. Empty: it has an
    /// effect.
    void setWithoutEffect(const QString &reason);
    [[nodiscard]] QSlider *slider() const { return m_slider; }
    [[nodiscard]] QLineEdit *field() const { return m_field; }
    [[nodiscard]] QToolButton *resetButton() const { return m_reset; }

Q_SIGNALS:
    void moved(double value);         ///< while dragging
    void refused(const Error &error); ///< what was typed is no value
    void committed(double value);     ///< a drag ended, or a value was typed or stepped: within the range, or infinite
    void resetWanted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void layOut();
    void connectAll();
    [[nodiscard]] int fieldWidth() const;
    [[nodiscard]] int positionOf(double value) const;
    [[nodiscard]] double valueAt(int position) const;
    [[nodiscard]] double tidy(double value) const;
    [[nodiscard]] QString toolTipText() const;
    void step(double steps);
    void fieldEdited();
    /// Puts the present value's text into the field, in place of what was typed, with its tooltip.
    void showText();
    void showMark();

    const Theme &m_theme;
    KnobInfo m_info;
    double m_value = 0;
    QString m_text; ///< of the value, or of the different ones
    QString m_tip;  ///< of the field while it shows that text
    QString m_withoutEffect, m_whyNotUsable, m_sides;
    QLabel *m_name;
    QLineEdit *m_field;
    QSlider *m_slider;
    QToolButton *m_reset;
    QLabel *m_mark; ///< "no effect", or the sides
    bool m_showing = false;
    bool m_dragged = false; ///< since the slider was pressed
};

} // namespace syncopate::ui
