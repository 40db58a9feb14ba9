// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/forecast.h"
#include "ui/session/session.h"
#include "ui/throughput/points_model.h"
#include "ui/throughput/predictor.h"

#include <QJsonObject>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QSplitter;
class QTabWidget;
class QTableView;

namespace syncopate::ui {

class OverheadView;
class SettingSheet;
class ThroughputPlot;

/// Throughput of asynchronous SGD over the number of workers, predicted from the loaded profile: live while knobs turn, beside
/// kept curves and measured points. A point can show its steps in pane B. Predicts only while visible.
class ThroughputPanel final : public QWidget {
    Q_OBJECT
public:
    ThroughputPanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    /// Tells the panel whether it is visible: a panel behind another tab is visible to Qt, but idle here.
    void setSeen(bool seen);
    /// Reads a table of measured points, for the current curve.
    void importMeasured(const QString &path);
    void keepCurve();
    void removeCurve();
    /// All curves, the present one first, as a project file keeps them.
    [[nodiscard]] std::vector<KeptCurve> curvesToKeep() const;
    /// Shows the curves of an opened project; the data that their steps are played from is rebuilt on a worker thread. `job` is
    /// the project's.
    void restore(const std::vector<KeptCurve> &curves, const std::shared_ptr<const Job> &job);
    /// The contents beside the prediction, as a project file keeps them.
    [[nodiscard]] QJsonObject settings() const;
    void setSettings(const QJsonObject &settings);
    /// Shows the steps behind a point in pane B.
    void openSteps(std::size_t entry, std::int32_t workers);

    /// Whether the present curve does not, or no longer, belong to the session's state and the knobs.
    [[nodiscard]] bool isOutdated() const { return m_outdated; }
    /// The present curve first, then the kept ones.
    [[nodiscard]] const std::vector<CurveEntry> &entries() const { return m_entries; }
    [[nodiscard]] std::size_t current() const { return m_current; }
    [[nodiscard]] Predictor &predictor() { return m_predictor; }
    [[nodiscard]] SettingSheet &sheet() { return *m_sheet; }
    [[nodiscard]] ThroughputPlot &plot() { return *m_plot; }
    [[nodiscard]] OverheadView &overhead() { return *m_overhead; }
    [[nodiscard]] QTabWidget &tabs() { return *m_tabs; }
    [[nodiscard]] QTableView &table() { return *m_table; }
    [[nodiscard]] PointsModel &points() { return m_points; }
    [[nodiscard]] QListWidget &list() { return *m_list; }
    [[nodiscard]] QComboBox &seriesBox() { return *m_series; }
    [[nodiscard]] QLabel &stateLabel() { return *m_state; }
    [[nodiscard]] QPushButton &runButton() { return *m_runButton; }
    [[nodiscard]] QLabel &errorsLabel() { return *m_errors; }

Q_SIGNALS:
    void changed(); ///< curvesToKeep() or settings() changed

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    static constexpr std::size_t maxCurves = 12; ///< side by side; more would be indistinguishable
    QWidget *makeControls();
    QWidget *makeCurves();
    QWidget *makeNumbers();
    QWidget *makeResults();
    /// Puts the list of curves and the table of points beside the plot or, where there is no room for them, on a page of their
    /// own; in a tall panel the table is below the plot.
    void arrange();
    void setNarrow(bool narrow);
    void nameTabs();
    void connectAll();
    void stateChanged();
    void start();
    void takeForecast(const std::shared_ptr<const Forecast> &forecast);
    void setCurrent(std::size_t entry);
    void listChanged(const QListWidgetItem *item);
    /// A kept curve with the data that its steps are played from.
    struct Restored {
        std::shared_ptr<const Forecast> read;
        Result<std::shared_ptr<const Forecast>> made;
    };
    struct Imported {
        QString path;
        Result<std::vector<MeasuredSeries>> series;
    };
    void takeRestored(const Restored &restored);
    void fillList();
    void takeImported(const Imported &imported);
    void chooseSeries(int index);
    void setMeasured(CurveEntry &entry, int series);
    void refresh();
    void refreshState();
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString note() const;
    [[nodiscard]] std::int32_t markedWorkers() const;
    void markWorkers(std::int32_t workers);
    bool plotKey(int key);

    const Theme &m_theme;
    Session &m_session;
    bool m_seen = false;
    bool m_outdated = true;
    SessionState m_knownState; ///< that the present curve and the sheet were last brought in line with
    std::vector<CurveEntry> m_entries;
    std::size_t m_current = 0;
    std::vector<MeasuredSeries> m_imported; ///< from the file read last
    std::size_t m_importInto = 0;           ///< the curve that it was chosen for
    QString m_importProblem;
    QTimer m_pause; ///< started while knobs move, fires once they rest
    QTimer m_progressTimer;
    SettingSheet *m_sheet;
    QListWidget *m_list;
    QComboBox *m_series;
    QPushButton *m_keep, *m_remove, *m_import, *m_runButton;
    QLabel *m_state, *m_errors;
    QTabWidget *m_tabs;
    QSplitter *m_split;
    QHBoxLayout *m_row;
    QWidget *m_controls, *m_curves, *m_numbers, *m_ownPage; ///< m_ownPage: of the list and the table, in a narrow panel
    bool m_isNarrow = false;
    ThroughputPlot *m_plot;
    OverheadView *m_overhead;
    PointsModel m_points;
    QTableView *m_table;
    Predictor m_predictor;
    // Last, as these end before the members that they report to.
    Background<Imported> m_reader{this, [this](const Imported &imported) { takeImported(imported); }};
    Background<Restored> m_restorer{this, [this](const Restored &restored) { takeRestored(restored); }};
};

} // namespace syncopate::ui
