// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/throughput/curve_entry.h"

#include "ui/tasks/background.h"

#include <QWidget>
#include <functional>
#include <optional>
#include <string>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace syncopate::ui {

/// The knobs of a throughput curve: what is predicted, and what is shown beside it.
class SettingSheet final : public QWidget {
    Q_OBJECT
public:
    explicit SettingSheet(QWidget *parent = nullptr);

    /// The knobs' setting; a text that cannot be read leaves the previous value, and problem() says why.
    [[nodiscard]] PredictSetting setting() const { return m_setting; }
    /// Sets the knobs without emitting settingChanged(), and forgets the problem.
    void setSetting(const PredictSetting &setting);
    [[nodiscard]] QString problem() const { return m_problem; }
    [[nodiscard]] CurveOptions options() const;
    void setOptions(const CurveOptions &options);
    /// Whether there are recorded transfers, from which a window and the parsing overhead can be estimated and which came over a
    /// link; without any, steps consist of layers, which can be played one after another. What has no meaning then is set aside
    /// until it has one again.
    void setRecorded(bool recorded);
    /// Reads background traffic, or pairs for the fit of the parsing overhead, from a file.
    void readBackground(const QString &path);
    void readPairs(const QString &path);

    [[nodiscard]] QSpinBox &workersBox() { return *m_workers; }
    [[nodiscard]] QSpinBox &serversBox() { return *m_servers; }
    [[nodiscard]] QDoubleSpinBox &bandwidthBox() { return *m_bandwidth; }
    [[nodiscard]] QComboBox &windowBox() { return *m_window; }
    [[nodiscard]] QComboBox &orderBox() { return *m_order; }
    [[nodiscard]] QComboBox &sharingBox() { return *m_sharing; }
    [[nodiscard]] QLineEdit &tcpWindowField() { return *m_tcpWindow; }
    [[nodiscard]] QComboBox &modeBox() { return *m_mode; }
    [[nodiscard]] QSpinBox &stalenessBox() { return *m_staleness; }
    [[nodiscard]] QComboBox &followBox() { return *m_follow; }
    [[nodiscard]] QComboBox &overheadBox() { return *m_overhead; }
    [[nodiscard]] QLineEdit &backgroundField() { return *m_background; }
    [[nodiscard]] QSpinBox &stepsBox() { return *m_steps; }
    [[nodiscard]] QSpinBox &startsBox() { return *m_starts; }
    [[nodiscard]] QSpinBox &seedBox() { return *m_seed; }
    [[nodiscard]] QDoubleSpinBox &gainBox() { return *m_gain; }
    [[nodiscard]] QDoubleSpinBox &priceBox() { return *m_price; }
    [[nodiscard]] QCheckBox &cynthiaBox() { return *m_cynthia; }

Q_SIGNALS:
    void settingChanged();
    void optionsChanged();
    void problemChanged();

private:
    void makeNodes();
    void makeTransfers();
    void makeMode();
    void makeBackground();
    void makeRuns();
    void makeModels();
    void layOut();
    void connectAll();
    void read();
    /// Updates the widgets from the setting.
    void showSetting();
    /// Enables those knobs that have a meaning with the present values of the others.
    void enable();
    void setProblem(const QString &problem);
    /// Lets `take` change the setting by the contents of a file, on a worker thread.
    void readFile(const QString &path, std::function<Result<void>(const std::string &, PredictSetting &)> take);
    void takeRead(const Result<PredictSetting> &read);

    /// Values of the setting that setRecorded() has taken out.
    struct SetAside {
        bool windowIsAuto = false, perLayer = false;
        std::optional<ParsingOverhead> overhead;
        std::string overheadNote;
    };

    PredictSetting m_setting;
    SetAside m_setAside;
    QString m_problem;
    bool m_recorded = false;
    QSpinBox *m_workers, *m_servers, *m_staleness, *m_batch, *m_steps, *m_warmUp, *m_starts, *m_seed;
    QDoubleSpinBox *m_bandwidth, *m_recordedBandwidth, *m_gain, *m_price;
    QComboBox *m_window, *m_order, *m_sharing, *m_mode, *m_follow, *m_overhead;
    QLineEdit *m_tcpWindow, *m_background;
    QPushButton *m_pairs, *m_backgroundFile;
    QCheckBox *m_cynthia, *m_queueing;
    /// Last: ends before the members that it reports to are destroyed.
    Background<Result<PredictSetting>> m_reader{this, [this](const Result<PredictSetting> &read) { takeRead(read); }};
};

} // namespace syncopate::ui
