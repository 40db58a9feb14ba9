// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/throughput_panel.h"

#include "ui/session/simulate_side.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/throughput/overhead_view.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_plot.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

/// Whether both states yield the same curve for the same knobs.
bool samePrediction(const SessionState &a, const SessionState &b) {
    ClusterKnobs knobs = a;
    knobs.workers = b.workers; // the curve covers all of them
    return a.job == b.job && a.profile == b.profile && a.cluster == b.cluster && a.sides[0].cluster == b.sides[0].cluster &&
           knobs == static_cast<const ClusterKnobs &>(b);
}

} // namespace

ThroughputPanel::ThroughputPanel(const Theme &theme, Session &session, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_entries(1), m_sheet(new SettingSheet), m_list(new QListWidget),
      m_series(new QComboBox), m_keep(new QPushButton(tr("&Keep"))), m_remove(new QPushButton(tr("Re&move"))),
      m_import(new QPushButton(tr("Meas&ured…"))), m_runButton(new QPushButton(tr("Cancel"))), m_state(plainLabel()),
      m_errors(plainLabel()), m_tabs(new QTabWidget), m_split(new QSplitter), m_plot(new ThroughputPlot(theme)),
      m_overhead(new OverheadView(theme)), m_table(new QTableView) {
    m_entries.front().name = tr("present");
    setFocusPolicy(Qt::ClickFocus);
    auto *inside = new QWidget;
    m_row = new QHBoxLayout(inside);
    m_row->setContentsMargins(8, 4, 8, 4);
    m_row->setSpacing(8);
    m_row->addWidget(m_controls = makeControls(), 100); // as wide as its texts before the results get more than they need
    m_row->addWidget(m_curves = makeCurves());
    m_row->addWidget(makeResults(), 1);
    auto *scroll = new QScrollArea; // a narrow window scrolls sideways, a low one with long texts up and down, too
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(inside);
    scroll->setMinimumHeight(inside->minimumSizeHint().height());
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    connectAll();
    fillList();
    refresh();
}

void ThroughputPanel::connectAll() {
    auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    const auto enableEscape = [this, escape] { escape->setEnabled(m_predictor.status() == Predictor::Status::Running); };
    enableEscape();
    connect(escape, &QShortcut::activated, &m_predictor, &Predictor::cancel);
    connect(&m_predictor, &Predictor::statusChanged, escape, enableEscape);
    m_pause.setSingleShot(true);
    m_pause.setInterval(120);
    connect(&m_pause, &QTimer::timeout, this, &ThroughputPanel::start);
    m_progressTimer.setInterval(100);
    connect(&m_progressTimer, &QTimer::timeout, this, &ThroughputPanel::refreshState);
    connect(&m_session, &Session::stateChanged, this, &ThroughputPanel::stateChanged);
    connect(m_sheet, &SettingSheet::settingChanged, this, [this] {
        m_outdated = true;
        Q_EMIT changed();
        if (m_seen)
            m_pause.start();
    });
    connect(m_sheet, &SettingSheet::optionsChanged, this, &ThroughputPanel::refresh);
    connect(m_sheet, &SettingSheet::optionsChanged, this, &ThroughputPanel::changed);
    connect(m_sheet, &SettingSheet::problemChanged, this, &ThroughputPanel::refreshState);
    connect(&m_predictor, &Predictor::predicted, this, &ThroughputPanel::takeForecast);
    connect(&m_predictor, &Predictor::statusChanged, this, [this] {
        if (m_predictor.status() == Predictor::Status::Running)
            m_progressTimer.start();
        else
            m_progressTimer.stop();
        if (m_predictor.status() == Predictor::Status::Failed)
            m_entries.front().forecast.reset(); // a curve of other knobs under that message would mislead
        refresh();
    });
    connect(m_plot, &ThroughputPlot::opened, this, &ThroughputPanel::openSteps);
    connect(m_table, &QTableView::doubleClicked, this,
            [this](const QModelIndex &index) { openSteps(m_current, m_points.workersOf(index.row())); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { m_plot->mark(markedWorkers()); });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int entry) {
        if (entry >= 0)
            setCurrent(static_cast<std::size_t>(entry));
    });
    connect(m_list, &QListWidget::itemChanged, this, &ThroughputPanel::listChanged);
    connect(m_keep, &QPushButton::clicked, this, &ThroughputPanel::keepCurve);
    connect(m_remove, &QPushButton::clicked, this, &ThroughputPanel::removeCurve);
    connect(m_runButton, &QPushButton::clicked, this, [this] {
        if (m_predictor.status() == Predictor::Status::Running)
            m_predictor.cancel();
        else
            start();
    });
    connect(m_import, &QPushButton::clicked, this, [this] {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Measured throughput"), {}, tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
        if (!path.isEmpty())
            importMeasured(path);
    });
    connect(m_series, &QComboBox::activated, this, &ThroughputPanel::chooseSeries);
    connect(&m_theme, &Theme::themeChanged, this, &ThroughputPanel::fillList);
}

QJsonObject ThroughputPanel::settings() const {
    const CurveOptions options = m_sheet->options();
    return {{QStringLiteral("cynthia"), options.cynthia},
            {QStringLiteral("queueing"), options.queueing},
            {QStringLiteral("pricePerNodeHour"), options.pricePerNodeHour}};
}

void ThroughputPanel::setSettings(const QJsonObject &settings) {
    m_sheet->setOptions({settings.value(QStringLiteral("cynthia")).toBool(true),
                         settings.value(QStringLiteral("queueing")).toBool(true),
                         settings.value(QStringLiteral("pricePerNodeHour")).toDouble()});
}

void ThroughputPanel::setSeen(bool seen) {
    m_seen = seen;
    if (!seen) {
        m_pause.stop();
        m_outdated = m_outdated || m_predictor.status() == Predictor::Status::Running;
        m_predictor.cancel();
    } else if (m_outdated) {
        start();
    }
}

void ThroughputPanel::stateChanged() {
    const SessionState &state = m_session.state();
    if (samePrediction(state, m_knownState))
        return; // B's timeline, a strategy, a policy: nothing that this curve depends on
    // A change and its undo are two changes, even if nothing was predicted between them.
    const SessionState before = std::exchange(m_knownState, state);
    if (state.job != m_entries.front().job) {
        m_entries.front().job = state.job;
        m_entries.front().forecast.reset();
        if (before.source != state.source || !before.job || !state.job || !haveSameSteps(*before.job, *state.job)) {
            m_entries.front().measured = {};
            m_importProblem.clear();
        }
    }
    m_sheet->setRecorded(state.profile && !state.profile->opGraphs.empty());
    m_outdated = true;
    m_predictor.cancel();
    if (m_seen)
        m_pause.start();
    refresh();
}

void ThroughputPanel::start() {
    m_pause.stop();
    if (!m_seen)
        return;
    const SessionState &state = m_session.state();
    m_knownState = state;
    m_outdated = false;
    if (state.cluster && whyNotSimulated(state).isEmpty()) {
        SessionState whole = state;
        whole.workers.reset(); // or the curve would grow from a cluster without the nodes that the knob left out
        m_predictor.start(whole, m_sheet->setting());
    }
    refreshState();
}

void ThroughputPanel::takeForecast(const std::shared_ptr<const Forecast> &forecast) {
    m_entries.front().forecast = forecast;
    refresh();
}

void ThroughputPanel::openSteps(std::size_t number, std::int32_t workers) {
    const CurveEntry &entry = m_entries[number];
    const CurvePoint *point = entry.forecast ? entry.forecast->at(workers) : nullptr;
    if (!point || !entry.forecast->request || !m_session.state().job)
        return; // the text below the table states the missing inputs
    if (number != m_current)
        m_list->setCurrentRow(static_cast<int>(number));
    markWorkers(workers);
    QString title = entry.forecast->setting.staleness == 0 ? tr("synchronous, %n workers", nullptr, workers)
                                                           : tr("asynchronous, %n workers", nullptr, workers);
    title += number == 0 ? QString() : QStringLiteral(" (%1)").arg(entry.name);
    SessionState next = m_session.state();
    Source &source = next.side(Side::B).source;
    source = played(source, TraceRequest{entry.forecast->request, workers, point->throughput.samplesPerSecond,
                                         entry.forecast->state.job, title.toStdString()});
    next.compare = true;
    m_session.change(std::move(next), tr("Steps of %1 in B").arg(title));
}

void ThroughputPanel::refresh() {
    const CurveEntry &entry = m_entries[m_current];
    const CurveOptions options = m_sheet->options();
    m_points.show(entry, options);
    m_plot->show(m_entries, m_current, options);
    m_plot->mark(markedWorkers());
    m_table->setColumnHidden(PointsModel::Cost, !(options.pricePerNodeHour > 0));
    for (const int column : {PointsModel::Measured, PointsModel::ErrorColumn})
        m_table->setColumnHidden(column, entry.measured.points.empty());
    m_keep->setEnabled(m_entries.front().forecast && m_entries.size() < maxCurves);
    m_remove->setEnabled(m_current > 0);
    int series = 0;
    for (std::size_t s = 0; s < m_imported.size(); ++s)
        if (!entry.measured.points.empty() && m_imported[s].name == entry.measured.name)
            series = static_cast<int>(s) + 1;
    m_series->setVisible(!m_imported.empty());
    m_series->setCurrentIndex(series);
    QString errors = m_importProblem;
    if (!entry.problem.isEmpty())
        errors += (errors.isEmpty() ? QString() : QStringLiteral("\n")) + entry.problem;
    if (entry.forecast && !entry.measured.points.empty()) {
        const PointErrors made = pointErrors(entry.measured, entry.forecast->curve(), entry.forecast->batchSize());
        if (!errors.isEmpty())
            errors += QLatin1Char('\n');
        if (!hasComparablePoints(entry))
            errors +=
                tr("The points are in samples/s and the curve in steps/s: state the batch in its settings to compare them.");
        else if (made.points.empty())
            errors += tr("No measured point is at a predicted number of workers.");
        else
            errors +=
                tr("%n measured points: median error %1 %, worst %2 % (W = %3)", nullptr, static_cast<int>(made.points.size()))
                    .arg(100 * made.median, 0, 'f', 1)
                    .arg(100 * made.worst, 0, 'f', 1)
                    .arg(made.worstWorkers);
        if (hasComparablePoints(entry) && made.withoutPrediction > 0 && !made.points.empty())
            errors += tr("; %1 beyond the curve").arg(made.withoutPrediction);
    }
    m_errors->setText(errors);
    m_errors->setVisible(!errors.isEmpty());
    m_overhead->show(
        entry.forecast ? entry.forecast->reconstruction : nullptr,
        !entry.forecast
            ? tr("Nothing is predicted yet.")
            : tr("Nothing to fit: “%1” has no recorded transfers. Open TensorFlow timelines of a worker and its parameter server "
                 "(a folder of steps), which record when each tensor was requested and when it became usable.")
                  .arg(QString::fromStdString(entry.forecast->state.job->name)));
    refreshState();
}

QString ThroughputPanel::note() const {
    const auto &forecast = m_entries[m_current].forecast;
    if (!forecast || forecast->facts.recordedSteps > 1)
        return {};
    return sharingOf(forecast->setting, hasRecordedTransfers(forecast->state.profile.get())) == LinkSharing::Equal
               ? tr("The profile has a single step, which every worker repeats: on equal shares they may fall into lockstep, so "
                    "this is a lower bound (uneven shares break it).")
               : tr("The profile has a single step, which every worker repeats.");
}

QString ThroughputPanel::stateText() const {
    const auto &forecast = m_entries[m_current].forecast;
    const auto status = m_predictor.status();
    if (QString reason = whyNotSimulated(m_session.state()); !reason.isEmpty())
        return reason;
    QString text; // of a field that was not taken, whatever has become of the prediction
    if (const QString problem = m_sheet->problem(); m_current == 0 && !problem.isEmpty())
        text = problem + QLatin1Char('\n');
    if (m_current == 0 && status == Predictor::Status::Running) {
        const auto [done, total] = m_predictor.progress();
        text += total == 0 ? tr("Predicting…") : tr("Predicting… %1 of %2 points").arg(done).arg(total);
        if (forecast && forecast->isDraft())
            text += tr("; shown: a draft of %1 steps").arg(forecast->steps);
        else if (forecast && m_predictor.hasFirstStart())
            text += tr("; shown: one start of %1, whose intervals are narrower").arg(forecast->setting.starts);
        return text;
    }
    if (m_current == 0 && status == Predictor::Status::Failed)
        return text + tr("Cannot be predicted: %1").arg(QString::fromStdString(m_predictor.error()->toString()));
    if (m_current == 0 && status == Predictor::Status::Cancelled)
        return text + (forecast ? tr("Cancelled; the curve shown is older, or a draft. Turn a knob or press Predict.")
                                : tr("Cancelled. Turn a knob or press Predict."));
    if (m_current > 0 && forecast && forecast->isDraft())
        text += tr("A draft of %1 steps, kept before all steps were predicted.").arg(forecast->steps) + QLatin1Char(' ');
    return forecast ? text + ThroughputPlot::bottleneckText(*forecast) : text.trimmed();
}

void ThroughputPanel::refreshState() {
    const auto &forecast = m_entries[m_current].forecast;
    const auto status = m_predictor.status();
    const bool running = status == Predictor::Status::Running;
    m_runButton->setText(running ? tr("Cancel") : tr("Predict"));
    const QString whyNot = whyNotSimulated(m_session.state());
    m_runButton->setToolTip(plainTip(running            ? tr("Stop predicting (Esc)")
                                     : whyNot.isEmpty() ? tr("Predict the present curve again")
                                                        : whyNot));
    m_runButton->setEnabled(running || whyNot.isEmpty());
    QString text = stateText();
    if (const QString more = note(); !more.isEmpty() && !running && status != Predictor::Status::Failed)
        text += QStringLiteral(" ") + more;
    m_state->setText(text);
    QStringList assumptions;
    if (forecast)
        for (const std::string &one : forecast->prediction.assumptions)
            assumptions += said(one);
    m_state->setToolTip(plainTip(assumptions.join(QLatin1Char('\n'))));
}

std::int32_t ThroughputPanel::markedWorkers() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? m_points.workersOf(index.row()) : 0;
}

void ThroughputPanel::markWorkers(std::int32_t workers) {
    if (const int row = m_points.rowOf(workers); row >= 0)
        m_table->setCurrentIndex(m_points.index(row, PointsModel::Workers));
}

bool ThroughputPanel::plotKey(int key) {
    const int rows = m_points.rowCount(), row = m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
    const auto mark = [this, rows](int to) {
        if (rows > 0)
            m_table->setCurrentIndex(m_points.index(std::clamp(to, 0, rows - 1), PointsModel::Workers));
    };
    switch (key) {
    case Qt::Key_Left:
        mark(row - 1);
        return true;
    case Qt::Key_Right:
        mark(row + 1);
        return true;
    case Qt::Key_Home:
        mark(0);
        return true;
    case Qt::Key_End:
        mark(rows - 1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const std::int32_t workers = markedWorkers(); // kept on the other curve
        m_list->setCurrentRow(std::clamp(static_cast<int>(m_current) + (key == Qt::Key_Up ? -1 : 1), 0, m_list->count() - 1));
        markWorkers(workers);
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        openSteps(m_current, markedWorkers());
        return true;
    default:
        return false;
    }
}

bool ThroughputPanel::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<const QKeyEvent *>(event)->key();
    if (watched == m_list) {
        if (key != Qt::Key_Delete)
            return false;
        removeCurve();
        return true;
    }
    if (watched == m_table)
        return (key == Qt::Key_Return || key == Qt::Key_Enter) && plotKey(key);
    return plotKey(key);
}

void ThroughputPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace syncopate::ui
