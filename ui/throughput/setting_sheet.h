// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/throughput/curve_entry.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace syncopate::ui {

/// The knobs of a throughput curve: what is predicted, and what is drawn and printed beside it.
class SettingSheet final : public QWidget {
    Q_OBJECT
public:
    explicit SettingSheet(QWidget *parent = nullptr);

    /// What the knobs say; a window that cannot be read stays what it was.
    [[nodiscard]] PredictSetting setting() const { return m_setting; }
    [[nodiscard]] CurveOptions options() const;
    /// Whether there are recorded transfers, which a window can be estimated from and which came over a link.
    void setRecorded(bool recorded);

    [[nodiscard]] QSpinBox &workersBox() { return *m_workers; }
    [[nodiscard]] QSpinBox &serversBox() { return *m_servers; }
    [[nodiscard]] QDoubleSpinBox &bandwidthBox() { return *m_bandwidth; }
    [[nodiscard]] QComboBox &windowBox() { return *m_window; }
    [[nodiscard]] QComboBox &orderBox() { return *m_order; }
    [[nodiscard]] QComboBox &sharingBox() { return *m_sharing; }
    [[nodiscard]] QSpinBox &stepsBox() { return *m_steps; }
    [[nodiscard]] QDoubleSpinBox &priceBox() { return *m_price; }
    [[nodiscard]] QCheckBox &cynthiaBox() { return *m_cynthia; }

Q_SIGNALS:
    void settingChanged();
    void optionsChanged();

private:
    void read();
    /// The text of the window's box as a window; the outer nothing: it is none.
    [[nodiscard]] std::optional<std::optional<double>> window() const;

    PredictSetting m_setting;
    QSpinBox *m_workers, *m_servers, *m_batch, *m_steps;
    QDoubleSpinBox *m_bandwidth, *m_recordedBandwidth, *m_price;
    QComboBox *m_window, *m_order, *m_sharing;
    QCheckBox *m_cynthia, *m_queueing;
};

} // namespace syncopate::ui
