// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/difference/difference_panel.h"

#include "engine/base/rounding.h"
#include "engine/export/difference_table.h"
#include "engine/export/write_file.h"
#include "engine/profile/recording/recording.h"
#include "engine/timeline/span_hits.h"
#include "ui/runs/runs_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/save_dialog.h"
#include "ui/theme/sentences.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace syncopate::ui {

namespace {

/// Compares with the other trace, which is released when this returns.
Result<std::shared_ptr<const TraceDifference>> compareWith(const ImportedProfile &a, const std::string &path,
                                                           const std::stop_token &stop) {
    const LoadedJob loaded = TRY(loadJobOrRecording(path, {}, stop));
    if (!loaded.profile)
        return fail("a job has no timeline to compare", "choose a profile", path);
    return std::make_shared<const TraceDifference>(TRY(compareTraces(a, *loaded.profile)));
}

/// Whether `path` is that trace, or a file in it where it is a folder of ranks.
bool isPartOf(const std::filesystem::path &trace, const std::filesystem::path &path) {
    std::error_code failed;
    return std::filesystem::equivalent(trace, path, failed) ||
           (std::filesystem::exists(path, failed) && std::filesystem::equivalent(trace, path.parent_path(), failed));
}

} // namespace

DifferencePanel::DifferencePanel(const Theme &theme, Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_model(new DifferenceModel), m_by(new QComboBox), m_open(new QPushButton),
      m_cancel(new QPushButton), m_export(new QPushButton), m_traces(new ElidedLabel), m_state(plainLabel()) {
    constexpr int sizeColumn = 4;
    m_table = new RunsTable(
        theme, m_model,
        {.name = tr("Differences"),
         .toolTip = tr("Differences in the times of a step. Selecting a row highlights its spans in the timeline of A."),
         .filterName = tr("Filter differences"),
         .filterExample = tr("Filter, such as name~conv size>10us"),
         .keys = {},
         .rows = [](int rows) { return tr("%n rows", nullptr, rows); },
         .sortColumn = sizeColumn});
    m_table->table().sortByColumn(sizeColumn, Qt::DescendingOrder);
    m_table->setParent(this);
    makeTop();
    connect(m_model, &QAbstractItemModel::modelReset, this, &DifferencePanel::clearLights);
    connect(m_table, &RunsTable::selected, this, &DifferencePanel::chooseRow);
    connect(m_by, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_model->set(m_model->difference(), static_cast<DifferenceBy>(index));
        if (!isRunning())
            refresh(); // the line may be about a row of the other grouping
    });
    connect(&session, &Session::stateChanged, this, [this] {
        if (m_session.state().profile == m_profile)
            return;
        m_profile = m_session.state().profile; // the trace that was compared is no longer open
        m_reader.cancel();
        m_model->set(nullptr, static_cast<DifferenceBy>(m_by->currentIndex()));
        refresh();
    });
    refresh();
}

void DifferencePanel::makeTop() {
    m_open->setText(tr("Compare with another trace…"));
    m_open->setToolTip(tr("Reads a second profile of the same model, before or after a change, and lists the differences"));
    connect(m_open, &QPushButton::clicked, this, &DifferencePanel::chooseFile);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop reading"));
    connect(m_cancel, &QPushButton::clicked, this, &DifferencePanel::cancel);
    m_export->setText(tr("Export…"));
    m_export->setToolTip(tr("Write all rows by op, layer and stream as CSV"));
    connect(m_export, &QPushButton::clicked, this, [this] {
        const QString path =
            askWhereToExport(this, tr("Export the differences"), QStringLiteral("difference.csv"), tr("CSV (*.csv)"));
        if (!path.isEmpty())
            exportTo(path);
    });
    m_by->addItems({tr("By op"), tr("By layer"), tr("By stream")});
    m_by->setAccessibleName(tr("Grouping of the spans"));
    m_by->setToolTip(
        tr("Op: spans of the same name. Layer: forward and backward of the job's layers. Stream: how long a lane is busy."));
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setWordWrap(true);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 0);
    for (QWidget *widget : {static_cast<QWidget *>(m_open), static_cast<QWidget *>(m_cancel), static_cast<QWidget *>(m_by)})
        row->addWidget(widget);
    row->addWidget(m_traces, 1);
    row->addWidget(m_export);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(8, 0, 8, 0);
    line->addWidget(m_state);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addLayout(line);
    column->addWidget(m_table, 1);
}

QString DifferencePanel::state() const { return m_state->text(); }

void DifferencePanel::chooseFile() {
    if (!m_profile)
        return;
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Compare with another trace"), {},
                                     tr("Profiles (*.json *.json.gz *.gz *.db *.sqlite *.pb *.pftrace *.perfetto-trace *.et);;"
                                        "All files (*)"));
    if (!path.isEmpty())
        compare(path);
}

void DifferencePanel::compare(const QString &path) {
    if (!m_profile)
        return;
    m_finder.cancel();
    m_reader.start([a = m_profile, path = path.toStdString()](const std::stop_token &stop, const auto &post) {
        post(compareWith(*a, path, stop));
    });
    refresh();
    say(tr("Reading %1…").arg(QFileInfo(path).fileName()));
}

void DifferencePanel::cancel() {
    if (!isRunning())
        return;
    m_reader.cancel();
    refresh();
    say(tr("Cancelled"));
}

void DifferencePanel::take(const Compared &compared) {
    if (compared)
        m_model->set(*compared, static_cast<DifferenceBy>(m_by->currentIndex()));
    refresh();
    if (!compared)
        say(QString::fromStdString(compared.error().toString()), true);
}

void DifferencePanel::refresh() {
    const auto &difference = m_model->difference();
    m_open->setEnabled(m_profile && !isRunning());
    m_cancel->setVisible(isRunning());
    m_by->setEnabled(difference != nullptr);
    m_export->setEnabled(difference != nullptr);
    if (!difference) {
        m_traces->clear();
        m_traces->setToolTip({});
        say(m_profile ? tr("Choose another trace of the same model, before or after a change, to compare the times of a step.")
                      : tr("Open a profile first; it is A, and the trace to compare it with is B."));
        return;
    }
    const auto text = [](const ComparedTrace &trace) {
        return tr("%1 (%2 a step, steps %3, ranks %4)")
            .arg(QFileInfo(QString::fromStdString(trace.file)).fileName(), secondsText(trace.stepSeconds),
                 QString::number(trace.steps), QString::number(trace.ranks));
    };
    m_traces->setText(tr("A: %1   B: %2").arg(text(difference->of[0]), text(difference->of[1])));
    m_traces->setToolTip(plainTip(QString::fromStdString(difference->of[0].file + "\n" + difference->of[1].file)));
    QStringList notes;
    for (const std::string &note : difference->notes)
        notes += said(note);
    say(notes.join(QLatin1Char(' ')));
}

void DifferencePanel::chooseRow(qint64 row) {
    const auto &difference = m_model->difference();
    if (!difference || row < 0 || row >= m_model->rowCount())
        return;
    clearLights();
    const DifferenceRow &own = m_model->at(static_cast<int>(row));
    if (own.count[0] == 0) {
        say(tr("A has no span of that name."));
        return;
    }
    const auto by = static_cast<DifferenceBy>(m_by->currentIndex());
    if (by == DifferenceBy::Layer) {
        say(tr("A layer is the sum of many ops' spans: choose ops to see where they are."));
        return;
    }
    for (const Side side : {Side::A, Side::B}) {
        const auto run = m_session.run(side);
        if (!run || !run->recording().measured || (side == Side::B && !m_session.state().compare))
            continue;
        m_finder.start([run, side, by, name = own.name](const std::stop_token &stop, const auto &post) {
            const Timeline &timeline = run->recording().timeline;
            Found found;
            found.side = side;
            found.run = run;
            if (by == DifferenceBy::Stream) {
                const auto lane = std::ranges::find_if(timeline.lanes, [&](const Lane &one) { return one.name == name; });
                if (lane != timeline.lanes.end())
                    found.first.lane = static_cast<std::size_t>(lane - timeline.lanes.begin());
                found.count = lane == timeline.lanes.end() ? 0 : lane->size();
                post(found);
                return;
            }
            found.labels.resize(timeline.labels.size());
            std::ranges::transform(timeline.labels, found.labels.begin(),
                                   [&](const std::string &label) { return std::uint8_t{label == name}; });
            const SpanHits hits(timeline, found.labels, stop);
            found.count = hits.total();
            // The first one within the step that is shown, if there is one.
            auto first = hits.firstFrom(toNanoseconds(run->recording().windowStartSeconds));
            if (!first)
                first = hits.neighbour({}, true);
            found.first = first.value_or(SpanRef());
            post(found);
        });
        return;
    }
    say(tr("No side shows the measured step: choose “measured” as the strategy of A to see its spans."));
}

void DifferencePanel::take(const Found &found) {
    if (found.run.lock() != m_session.run(found.side))
        return; // the timeline has changed since
    if (found.count == 0) {
        say(tr("The timeline shows no span of that name."));
        return;
    }
    say(tr("%n spans in the timeline", nullptr, static_cast<int>(found.count)));
    m_isLit = true;
    Q_EMIT spansWanted(found.side, found.labels, found.first);
}

void DifferencePanel::clearLights() {
    m_finder.cancel();
    if (std::exchange(m_isLit, false))
        Q_EMIT spansCleared();
}

void DifferencePanel::exportTo(const QString &path) {
    if (!m_model->difference())
        return;
    for (const ComparedTrace &trace : m_model->difference()->of)
        if (isPartOf(trace.file, path.toStdString()))
            return say(tr("%1 is one of the traces and stays as it is: choose another name").arg(QFileInfo(path).fileName()),
                       true);
    m_writer.start([difference = m_model->difference(), path = path.toStdString()](const std::stop_token &, const auto &post) {
        post(writeFile(path, writeTable(tableOf(*difference), TableFormat::Csv)).map([&] { return path; }));
    });
}

void DifferencePanel::take(const Result<std::string> &written) {
    if (written)
        say(tr("Wrote %1").arg(QFileInfo(QString::fromStdString(*written)).fileName()));
    else
        say(QString::fromStdString(written.error().toString()), true);
}

void DifferencePanel::hideEvent(QHideEvent *event) {
    clearLights();
    QWidget::hideEvent(event);
}

void DifferencePanel::say(const QString &text, bool isError) {
    m_state->setText(text);
    m_state->setToolTip(plainTip(text));
    m_state->setVisible(!text.isEmpty());
    QFont font = m_state->font();
    font.setBold(isError);
    m_state->setFont(font);
}

} // namespace syncopate::ui
