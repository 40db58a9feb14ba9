// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/tune_run.h"

#include <QJsonObject>
#include <QWidget>
#include <array>
#include <map>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace syncopate::ui {

/// The settings of a tuning: over which two of A's settings, at which resolution, with which tuners.
class TuneSheet final : public QWidget {
    Q_OBJECT
public:
    explicit TuneSheet(QWidget *parent = nullptr);

    /// Disables settings that A lacks and, if one of them is chosen, chooses two that it has: the policy's before the cluster's.
    /// Emits nothing.
    void fitTo(const SessionState &state);
    /// Why the choice cannot be mapped for A; empty if it can.
    [[nodiscard]] QString whyNot(const SessionState &state) const;
    [[nodiscard]] std::vector<TuneAxis> axes() const;
    /// With tuners only if both settings are the policy's.
    [[nodiscard]] TunePlan planFor(const SessionState &state, bool coarse) const;

    [[nodiscard]] QComboBox &xBox() { return *m_x; }
    [[nodiscard]] QComboBox &yBox() { return *m_y; }
    [[nodiscard]] QComboBox &detailBox() { return *m_detail; }
    [[nodiscard]] QComboBox &measureBox() { return *m_measure; }
    [[nodiscard]] QSpinBox &evaluationsBox() { return *m_evaluations; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }
    /// The sheet as a project keeps it, and back: missing settings are those of a new sheet, unknown ones are ignored, and boxes
    /// keep to their ranges.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);

    /// The box that selects the tuner with this expression.
    [[nodiscard]] QCheckBox &tunerBox(const std::string &expression) { return *m_tuners.at(expression); }

Q_SIGNALS:
    /// The settings to map, or the resolution, have changed.
    void mapChanged();
    void measureChanged(int index);
    void settingsChanged(); ///< anything that settings() returns, except choices made by fitTo()

private:
    void addTuners(QFormLayout &form);

    QComboBox *m_x, *m_y, *m_detail, *m_measure;
    QSpinBox *m_evaluations, *m_seed;
    std::map<std::string, QCheckBox *> m_tuners;
    std::vector<std::string> m_order; ///< of the tuners' boxes
    QJsonObject m_usual;              ///< settings() of a new sheet
};

} // namespace syncopate::ui
