// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of the panel: kept, named, restored from a project, and their measured points.
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"

#include <QComboBox>
#include <QFileInfo>
#include <QListWidget>
#include <QSignalBlocker>
#include <algorithm>

namespace syncopate::ui {

void ThroughputPanel::keepCurve() {
    const CurveEntry &present = m_entries.front();
    if (!present.forecast || m_entries.size() >= maxCurves)
        return;
    CurveEntry kept = present;
    kept.name = describe(*present.forecast);
    kept.problem.clear();
    // The first unused colour.
    for (kept.color = 1; kept.color < curveColors - 1; ++kept.color)
        if (std::none_of(m_entries.begin(), m_entries.end(), [&](const CurveEntry &other) { return other.color == kept.color; }))
            break;
    m_entries.push_back(std::move(kept));
    fillList();
    refresh();
    Q_EMIT changed();
}

std::vector<KeptCurve> ThroughputPanel::curvesToKeep() const {
    std::vector<KeptCurve> curves;
    for (const CurveEntry &entry : m_entries)
        curves.push_back({entry.name.toStdString(), entry.color, entry.shown,
                          curves.empty() ? m_sheet->setting() : entry.forecast->setting,
                          curves.empty() ? nullptr : entry.forecast, entry.measured});
    return curves;
}

void ThroughputPanel::restore(const std::vector<KeptCurve> &curves, const std::shared_ptr<const Job> &job) {
    m_entries.resize(1);
    m_current = m_importInto = 0;
    m_reader.cancel(); // of a file for a curve that is gone
    m_imported.clear();
    m_series->clear();
    m_importProblem.clear();
    CurveEntry &present = m_entries.front();
    present.job = job;
    present.forecast.reset();
    present.shown = curves.empty() || curves.front().shown;
    present.measured = curves.empty() ? MeasuredSeries() : curves.front().measured;
    m_sheet->setSetting(curves.empty() ? PredictSetting() : curves.front().setting);
    std::vector<std::shared_ptr<const Forecast>> without;
    for (std::size_t c = 1; c < curves.size() && m_entries.size() < maxCurves; ++c) {
        const KeptCurve &curve = curves[c];
        if (!curve.forecast)
            continue; // nothing to draw
        m_entries.push_back(
            {QString::fromStdString(curve.name), curve.color, curve.shown, {}, curve.forecast, curve.measured, {}});
        if (!curve.forecast->request)
            without.push_back(curve.forecast);
    }
    m_outdated = true;
    fillList();
    refresh();
    if (without.empty())
        return m_restorer.cancel();
    m_restorer.start([without = std::move(without)](const std::stop_token &stop, const auto &post) {
        std::shared_ptr<const Forecast> last;
        for (const auto &read : without) {
            if (stop.stop_requested())
                return;
            auto forecast = withRequest(*read, last.get());
            if (forecast)
                last = *forecast;
            post({read, std::move(forecast)});
        }
    });
}

void ThroughputPanel::takeRestored(const Restored &restored) {
    const auto &[read, forecast] = restored;
    for (CurveEntry &entry : m_entries)
        if (entry.forecast == read) {
            if (forecast)
                entry.forecast = *forecast;
            else
                entry.problem = tr("The steps behind this curve cannot be shown: %1")
                                    .arg(QString::fromStdString(forecast.error().toString()));
            refresh();
        }
}

void ThroughputPanel::removeCurve() {
    if (m_current == 0)
        return; // the present one cannot be removed
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(m_current));
    if (m_importInto == m_current) {
        m_reader.cancel();
        m_importInto = 0;
    } else if (m_importInto > m_current) {
        --m_importInto;
    }
    m_current = std::min(m_current, m_entries.size() - 1);
    fillList();
    refresh();
    Q_EMIT changed();
}

void ThroughputPanel::setCurrent(std::size_t entry) {
    if (entry >= m_entries.size() || entry == m_current)
        return;
    m_current = entry;
    refresh();
}

void ThroughputPanel::fillList() {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (std::size_t e = 0; e < m_entries.size(); ++e) {
        const CurveEntry &entry = m_entries[e];
        auto *item = new QListWidgetItem(entry.name, m_list);
        item->setToolTip(plainTip(entry.forecast ? describe(*entry.forecast) : entry.name));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       (e == 0 ? Qt::NoItemFlags : Qt::ItemIsEditable));
        item->setCheckState(entry.shown ? Qt::Checked : Qt::Unchecked);
        QPixmap swatch(10, 10);
        swatch.fill(curveColor(m_theme, entry.color));
        item->setIcon(swatch);
    }
    m_list->setCurrentRow(static_cast<int>(m_current));
}

void ThroughputPanel::listChanged(const QListWidgetItem *item) {
    CurveEntry &entry = m_entries[static_cast<std::size_t>(m_list->row(item))];
    entry.shown = item->checkState() == Qt::Checked;
    if (const QString name = item->text().simplified(); !name.isEmpty())
        entry.name = name;
    fillList();
    refresh();
    Q_EMIT changed();
}

void ThroughputPanel::importMeasured(const QString &path) {
    m_importInto = m_current; // another one may be current once the file has been read
    m_reader.start([path](const std::stop_token &, const auto &post) {
        post({path, readMeasuredPointsFile(path.toStdString())});
    });
}

void ThroughputPanel::takeImported(const Imported &imported) {
    const auto &[path, read] = imported;
    if (!read) {
        m_importProblem = QString::fromStdString(read.error().toString());
        refresh();
        return;
    }
    m_importProblem.clear();
    m_imported = *read;
    m_series->clear();
    m_series->addItem(tr("none"));
    for (const MeasuredSeries &series : m_imported)
        m_series->addItem(series.name.empty() ? QFileInfo(path).fileName() : QString::fromStdString(series.name));
    if (m_imported.size() > 1)
        m_importProblem =
            tr("%1 has %2 series: choose the one of this curve.").arg(QFileInfo(path).fileName()).arg(m_imported.size());
    setMeasured(m_entries[m_importInto], m_imported.size() == 1 ? 1 : 0);
}

void ThroughputPanel::chooseSeries(int index) { setMeasured(m_entries[m_current], index); }

void ThroughputPanel::setMeasured(CurveEntry &entry, int series) {
    if (series >= 1)
        m_importProblem.clear();
    entry.measured = series >= 1 && static_cast<std::size_t>(series) <= m_imported.size()
                         ? m_imported[static_cast<std::size_t>(series) - 1]
                         : MeasuredSeries();
    refresh();
    Q_EMIT changed();
}

} // namespace syncopate::ui
