// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/setting_sheet.h"

#include "engine/base/units.h"
#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double off = std::numeric_limits<double>::infinity();

/// What `box` shows of `value`, which a project may set to any number: the nearest one that it has.
int nearest(const QSpinBox &box, double value) {
    if (!(value > box.minimum()))
        return box.minimum();
    return value < box.maximum() ? static_cast<int>(value) : box.maximum();
}

} // namespace

SettingSheet::SettingSheet(QWidget *parent) : QWidget(parent) {
    makeNodes();
    makeTransfers();
    makeMode();
    makeBackground();
    makeRuns();
    makeModels();
    layOut();
    showSetting();
    connectAll();
}

void SettingSheet::connectAll() {
    for (QSpinBox *box : {m_workers, m_servers, m_staleness, m_batch, m_steps, m_warmUp, m_starts, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &SettingSheet::read);
    for (QDoubleSpinBox *box : {m_bandwidth, m_recordedBandwidth, m_gain})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SettingSheet::read);
    for (QComboBox *box : {m_order, m_sharing, m_mode, m_follow})
        connect(box, &QComboBox::currentIndexChanged, this, &SettingSheet::read);
    for (QComboBox *box : {m_window, m_overhead}) {
        connect(box, &QComboBox::activated, this, &SettingSheet::read);
        connect(box->lineEdit(), &QLineEdit::editingFinished, this, &SettingSheet::read);
    }
    for (QLineEdit *field : {m_tcpWindow, m_background})
        connect(field, &QLineEdit::editingFinished, this, &SettingSheet::read);
    connect(m_pairs, &QPushButton::clicked, this, [this] {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Captured pairs"), {}, tr("Tables (*.csv *.gz);;All files (*)"));
        if (!path.isEmpty())
            readPairs(path);
    });
    connect(m_backgroundFile, &QPushButton::clicked, this, [this] {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Background traffic"), {}, tr("Tables (*.csv);;All files (*)"));
        if (!path.isEmpty())
            readBackground(path);
    });
    connect(m_price, &QDoubleSpinBox::valueChanged, this, &SettingSheet::optionsChanged);
    for (QCheckBox *box : {m_cynthia, m_queueing})
        connect(box, &QCheckBox::toggled, this, &SettingSheet::optionsChanged);
}

CurveOptions SettingSheet::options() const { return {m_cynthia->isChecked(), m_queueing->isChecked(), m_price->value()}; }

void SettingSheet::setOptions(const CurveOptions &options) {
    m_cynthia->setChecked(options.cynthia);
    m_queueing->setChecked(options.queueing);
    m_price->setValue(options.pricePerNodeHour);
}

void SettingSheet::setRecorded(bool recorded) {
    m_recorded = recorded;
    if (!recorded) { // nothing to estimate from
        if (!m_setting.windowBytes) {
            m_setting.windowBytes = off;
            m_setAside.windowIsAuto = true;
        }
        if (m_setting.overhead) {
            m_setAside.overhead = std::exchange(m_setting.overhead, std::nullopt);
            m_setAside.overheadNote = std::exchange(m_setting.overheadNote, {});
        }
        if (std::exchange(m_setAside.perLayer, false))
            m_setting.perLayer = m_setting.staleness < 0;
    } else {
        if (std::exchange(m_setAside.windowIsAuto, false))
            m_setting.windowBytes.reset();
        if (m_setAside.overhead) {
            m_setting.overhead = std::exchange(m_setAside.overhead, std::nullopt);
            m_setting.overheadNote = std::exchange(m_setAside.overheadNote, {});
        }
        m_setAside.perLayer = m_setAside.perLayer || m_setting.perLayer;
        m_setting.perLayer = false;
    }
    showSetting();
}

void SettingSheet::setSetting(const PredictSetting &setting) {
    m_reader.cancel(); // of a file for the setting before
    m_setting = setting;
    m_setAside = {};
    setProblem({});
    showSetting();
}

void SettingSheet::showSetting() {
    const std::initializer_list<QWidget *> knobs{
        m_workers, m_servers,   m_bandwidth, m_recordedBandwidth, m_window,    m_order, m_sharing,
        m_mode,    m_staleness, m_follow,    m_overhead,          m_batch,     m_steps, m_warmUp,
        m_starts,  m_seed,      m_gain,      m_tcpWindow,         m_background};
    for (QWidget *knob : knobs)
        knob->blockSignals(true);
    m_workers->setValue(m_setting.workers.empty() ? 1 : m_setting.workers.back());
    m_servers->setValue(m_setting.servers);
    m_bandwidth->setValue(m_setting.bandwidthGbits);
    m_recordedBandwidth->setValue(m_setting.recordedGbits);
    m_window->setEditText(!m_setting.windowBytes          ? m_window->itemText(1)
                          : *m_setting.windowBytes == off ? m_window->itemText(0)
                                                          : QString::number(*m_setting.windowBytes, 'f', 0));
    m_overhead->setEditText(!m_setting.overhead ? m_overhead->itemText(0)
                            : *m_setting.overhead == ParsingOverhead()
                                ? m_overhead->itemText(1)
                                : QString::fromStdString(formatOverhead(m_setting.overhead)));
    m_order->setCurrentIndex(static_cast<int>(m_setting.order));
    m_sharing->setCurrentIndex(m_setting.sharing ? 1 + static_cast<int>(*m_setting.sharing) : 0);
    m_tcpWindow->setText(bytesText(m_setting.tcpWindowBytes));
    m_mode->setCurrentIndex(m_setting.staleness < 0 ? 0 : m_setting.staleness > 0 ? 1 : 2);
    if (m_setting.staleness > 0)
        m_staleness->setValue(m_setting.staleness);
    m_follow->setCurrentIndex(m_setting.perLayer ? 1 : 0);
    m_background->setText(QString::fromStdString(formatBackground(m_setting.background)));
    m_batch->setValue(nearest(*m_batch, m_setting.batchSize));
    m_steps->setValue(m_setting.steps);
    m_warmUp->setValue(m_setting.warmUp);
    m_starts->setValue(m_setting.starts);
    m_seed->setValue(nearest(*m_seed, static_cast<double>(m_setting.seed)));
    m_gain->setValue(100 * m_setting.gain);
    for (QWidget *knob : knobs)
        knob->blockSignals(false);
    enable();
}

void SettingSheet::enable() {
    m_recordedBandwidth->setEnabled(m_recorded);
    m_overhead->setEnabled(m_recorded);
    m_pairs->setEnabled(m_recorded);
    m_staleness->setEnabled(m_setting.staleness > 0);
    m_follow->setEnabled(!m_recorded && m_setting.staleness < 0);
    m_tcpWindow->setEnabled(sharingOf(m_setting, m_recorded) == LinkSharing::Tcp);
}

void SettingSheet::setProblem(const QString &problem) {
    if (problem == m_problem)
        return;
    m_problem = problem;
    Q_EMIT problemChanged();
}

void SettingSheet::readFile(const QString &path, std::function<Result<void>(const std::string &, PredictSetting &)> take) {
    m_reader.start([path, take = std::move(take)](const std::stop_token &, const auto &post) {
        const auto read = [&]() -> Result<PredictSetting> {
            PredictSetting setting;
            TRY(take(path.toStdString(), setting));
            return setting;
        };
        post(read());
    });
}

void SettingSheet::takeRead(const Result<PredictSetting> &read) {
    setProblem(read ? QString() : QString::fromStdString(read.error().toString()));
    if (!read)
        return;
    if (read->overhead) {
        m_setting.overhead = read->overhead;
        m_setting.overheadNote = read->overheadNote;
    } else {
        m_setting.background = read->background;
    }
    showSetting();
    Q_EMIT settingChanged();
}

void SettingSheet::readPairs(const QString &path) { readFile(path, fitOverheadTo); }

void SettingSheet::readBackground(const QString &path) {
    readFile(path, [](const std::string &file, PredictSetting &setting) -> Result<void> {
        auto background = TRY(readBackgroundFile(file));
        setting.background = std::move(background);
        return {};
    });
}

void SettingSheet::read() {
    PredictSetting next = m_setting;
    QString problem;
    // Parses a field's text into `value`; an invalid text is reverted.
    const auto take = [&problem](const auto &parsed, auto &value) {
        if (parsed)
            value = *parsed;
        else
            problem = QString::fromStdString(parsed.error().toString());
    };
    next.workers = workersUpTo(m_workers->value());
    next.servers = m_servers->value();
    // What a box cannot show stays until its box is turned.
    if (m_batch->value() != nearest(*m_batch, m_setting.batchSize))
        next.batchSize = m_batch->value();
    next.steps = m_steps->value();
    next.warmUp = m_warmUp->value();
    next.starts = m_starts->value();
    if (m_seed->value() != nearest(*m_seed, static_cast<double>(m_setting.seed)))
        next.seed = static_cast<std::uint64_t>(m_seed->value());
    next.gain = m_gain->value() / 100;
    next.bandwidthGbits = m_bandwidth->value();
    next.recordedGbits = m_recordedBandwidth->value();
    next.order = static_cast<TransferOrder>(m_order->currentIndex());
    next.sharing.reset();
    if (m_sharing->currentIndex() > 0)
        next.sharing = static_cast<LinkSharing>(m_sharing->currentIndex() - 1);
    next.staleness = std::array{-1, m_staleness->value(), 0}[static_cast<std::size_t>(std::max(0, m_mode->currentIndex()))];
    next.perLayer = m_follow->currentIndex() == 1 && next.staleness < 0;
    const QString window = m_window->currentText().trimmed(), overhead = m_overhead->currentText().trimmed();
    take(parseWindow(window == m_window->itemText(0)   ? "off"
                     : window == m_window->itemText(1) ? "auto"
                                                       : window.toStdString()),
         next.windowBytes);
    if (overhead != QString::fromStdString(formatOverhead(m_setting.overhead))) { // unless it was fitted to pairs
        const auto before = next.overhead;
        take(parseOverhead(overhead == m_overhead->itemText(0)   ? "auto"
                           : overhead == m_overhead->itemText(1) ? "off"
                                                                 : overhead.toStdString()),
             next.overhead);
        if (next.overhead != before)
            next.overheadNote.clear();
    }
    if (const QString tcp = m_tcpWindow->text().trimmed(); tcp != bytesText(m_setting.tcpWindowBytes)) {
        auto bytes = parseBytes(tcp.toStdString());
        if (bytes && !(*bytes >= 1))
            bytes = fail("a window of less than a byte", "write a size such as 1MiB");
        take(bytes, next.tcpWindowBytes);
    }
    const std::string background = m_background->text().trimmed().toStdString();
    if (background != formatBackground(m_setting.background)) // else a long list would be parsed again with every knob
        take(background.empty() ? Result<std::vector<BackgroundTraffic>>() : parseBackground(background), next.background);
    m_setAside.windowIsAuto = m_setAside.windowIsAuto && next.windowBytes == m_setting.windowBytes; // else one was chosen
    const bool isOther = next != m_setting;
    m_setting = next;
    setProblem(problem);
    showSetting();
    if (isOther)
        Q_EMIT settingChanged();
}

} // namespace syncopate::ui
