// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/conditions_run.h"

#include <QJsonObject>
#include <QWidget>
#include <optional>

class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace syncopate::ui {

class ArgumentSheet;

/// The settings of a job under changing conditions: the schedule as a table to edit or read from a file, the tuner, and when it
/// re-tunes.
class ConditionsSheet final : public QWidget {
    Q_OBJECT
public:
    explicit ConditionsSheet(QWidget *parent = nullptr);

    /// Reads a schedule from a CSV file into the table; shows errors of the file below it.
    void openFile(const QString &path);
    /// Why the settings cannot be run for A; empty if they can.
    [[nodiscard]] QString whyNot(const SessionState &state) const;
    /// Only if nothing is in the way, see whyNot().
    [[nodiscard]] ConditionsPlan planFor(const SessionState &state) const;

    /// The sheet as a project keeps it, and back: missing or unknown settings are those of a new sheet, and boxes keep to their
    /// ranges.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

    [[nodiscard]] QPlainTextEdit &scheduleBox() { return *m_text; }
    [[nodiscard]] ArgumentSheet &tunerSheet() { return *m_tuner; }
    [[nodiscard]] QSpinBox &lengthBox() { return *m_length; }
    [[nodiscard]] QSpinBox &evaluationsBox() { return *m_evaluations; }
    [[nodiscard]] QSpinBox &everyBox() { return *m_every; }
    [[nodiscard]] QDoubleSpinBox &gainBox() { return *m_gain; }
    [[nodiscard]] QDoubleSpinBox &costBox() { return *m_cost; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }

Q_SIGNALS:
    void changed();

private:
    void read();
    [[nodiscard]] QWidget *makeSchedule();

    QPlainTextEdit *m_text;
    QPushButton *m_open;
    QLabel *m_problemLine;
    ArgumentSheet *m_tuner;
    QSpinBox *m_length, *m_evaluations, *m_every, *m_seed;
    QDoubleSpinBox *m_gain, *m_cost;
    std::optional<ConditionSchedule> m_schedule; ///< of the table, if it can be read
    QString m_problem;                           ///< of the table
    QJsonObject m_usual;                         ///< settings() of a new sheet
};

} // namespace syncopate::ui
