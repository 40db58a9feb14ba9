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

namespace syncopate::ui {

namespace {

constexpr double off = std::numeric_limits<double>::infinity();

QComboBox *choice(const QStringList &texts, const QString &name, const QString &toolTip) {
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    return box;
}

QHBoxLayout *pair(QWidget *first, QWidget *second) {
    auto *line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(first, 1);
    line->addWidget(second, 1);
    return line;
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

void SettingSheet::makeNodes() {
    const QString own = tr("cluster's");
    m_workers = numberBox<QSpinBox>(1, 512, m_setting.workers.back(), tr("Most workers"),
                                    tr("The curve goes from 1 to so many workers (W)."));
    m_servers =
        numberBox<QSpinBox>(0, 64, 0, tr("Parameter servers"),
                            tr("Dedicated parameter servers (M); variables go to the one with the fewest bytes so far."), own);
    m_servers->setSuffix(tr(" servers"));
    m_bandwidth = numberBox<QDoubleSpinBox>(0.0, 1000.0, 0.0, tr("Bandwidth"),
                                            tr("Of every node's link in each direction, Gbit/s (10⁹ bit/s)."), own);
    m_recordedBandwidth = numberBox<QDoubleSpinBox>(0.0, 1000.0, 0.0, tr("Bandwidth of the recording"),
                                                    tr("Gbit/s that a stream reached where the profile was recorded: what its "
                                                       "transfers are explained by. Give it before asking "
                                                       "what would be on another link."),
                                                    tr("as the link"));
    for (QDoubleSpinBox *box : {m_bandwidth, m_recordedBandwidth}) {
        box->setDecimals(3);
        box->setSuffix(tr(" Gb/s"));
        box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    }
}

void SettingSheet::makeTransfers() {
    m_window = choice({tr("off"), tr("estimated"), QStringLiteral("65535")}, tr("HTTP/2 window"),
                      tr("HTTP/2 flow control: bytes that a stream sends the first time it is chosen; the rest goes the second "
                         "time. off: whole streams; estimated: the window that explains the profile's recorded transfers best."));
    m_overhead = choice({tr("fitted"), tr("off")}, tr("Parsing overhead"),
                        tr("From a tensor's last byte to its use: alpha seconds per byte and beta seconds per tensor, such as "
                           "2e-10,50us. fitted: to the profile's recorded transfers; off: parsing takes no time."));
    for (QComboBox *box : {m_window, m_overhead}) {
        box->setEditable(true);
        box->setInsertPolicy(QComboBox::NoInsert);
        box->setMinimumContentsLength(8);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    }
    m_pairs = new QPushButton(tr("Pairs…"));
    m_pairs->setToolTip(
        tr("Fit the parsing overhead to captured pairs: a table (CSV) with the columns bytes, arrived_us and end_us, "
           "microseconds."));
    m_order = choice({tr("as recorded"), tr("reverse"), tr("random"), QStringLiteral("TIC"), QStringLiteral("TAC")}, tr("Order"),
                     tr("In which order a server sends variables to a worker; TIC and TAC are TicTac's."));
    m_sharing = choice(
        {tr("by the profile"), tr("equal shares"), tr("uneven shares"), tr("TCP windows")}, tr("Sharing of links"),
        tr("by the profile: TCP windows where its transfers were recorded, else equal shares. equal: max-min fair at every "
           "moment. uneven: every transfer draws a weight, as TCP flows differ from "
           "moment to moment; breaks the lockstep of workers whose steps are all alike. TCP windows: connections with windows "
           "over queues that serve what comes first; slower to compute."));
    m_tcpWindow = new QLineEdit;
    m_tcpWindow->setAccessibleName(tr("TCP window"));
    m_tcpWindow->setToolTip(tr("Bytes that a connection may have sent and not seen acknowledged, such as 1 MiB; where links are "
                               "shared by TCP windows."));
}

void SettingSheet::makeMode() {
    m_mode = choice({tr("asynchronous"), tr("bounded staleness"), tr("synchronous")}, tr("Mode"),
                    tr("asynchronous: no worker waits for another. bounded staleness: a worker may be so many steps ahead of the "
                       "slowest. synchronous: every step waits for all workers."));
    m_staleness = numberBox<QSpinBox>(1, 1'000'000, 1, tr("Staleness"),
                                      tr("Steps that a worker may be ahead of the slowest one, with bounded staleness."));
    m_staleness->setSuffix(tr(" ahead"));
    m_follow = choice({tr("whole steps"), tr("layer by layer")}, tr("Steps follow"),
                      tr("whole steps: a step starts when the one before is done, as in TensorFlow. layer by layer: a variable "
                         "comes back as soon as its gradient arrived; of asynchronous steps of layers only."));
}

void SettingSheet::makeBackground() {
    m_background = new QLineEdit;
    m_background->setPlaceholderText(tr("none"));
    m_background->setAccessibleName(tr("Background traffic"));
    m_background->setToolTip(
        tr("Others' traffic as shares of links (0 to 1) over time (seconds from the start of a run), such as "
           "worker0.up:0.3@0-2s,server0.down:0.5@1-4s."));
    m_background->setClearButtonEnabled(true);
    m_background->setMaxLength(1 << 22);
    m_backgroundFile = new QPushButton(tr("Table…"));
    m_backgroundFile->setToolTip(
        tr("Read background traffic from a table (CSV) with the columns link, from_seconds, to_seconds and share."));
}

void SettingSheet::makeRuns() {
    m_batch = numberBox<QSpinBox>(0, 10'000'000, 0, tr("Batch size"), tr("Samples of one worker's step."), tr("job's batch"));
    m_batch->setSuffix(tr(" samples"));
    m_steps = numberBox<QSpinBox>(40, 1'000'000, m_setting.steps, tr("Steps"), tr("Simulated steps of each worker that count."));
    m_steps->setSuffix(tr(" steps"));
    m_warmUp = numberBox<QSpinBox>(0, 1'000'000, m_setting.warmUp, tr("Steps left out"),
                                   tr("Simulated steps of each worker before those that count."));
    m_warmUp->setPrefix(tr("after "));
    m_starts = numberBox<QSpinBox>(1, 1000, m_setting.starts, tr("Starts"),
                                   tr("Independent runs of every point: their mean, and its 95 % interval. Workers may lock into "
                                      "step for a whole run, which a single one cannot tell."));
    m_starts->setPrefix(tr("starts "));
    m_seed =
        numberBox<QSpinBox>(0, std::numeric_limits<int>::max(), 1, tr("Seed"),
                            tr("Of the sampled steps, drawn weights and random orders: the same seed gives the same curve."));
    m_seed->setPrefix(tr("seed "));
}

void SettingSheet::makeModels() {
    m_gain = numberBox<QDoubleSpinBox>(0.0, 100.0, 100 * m_setting.gain, tr("Gain of the bottleneck point"),
                                       tr("Past the bottleneck point another worker adds less than this share (per cent) of what "
                                          "the first one brings."));
    m_gain->setDecimals(1);
    m_gain->setSuffix(tr(" % of the first"));
    m_price = numberBox<QDoubleSpinBox>(
        0.0, 1e6, 0.0, tr("Price per node and hour"),
        tr("In any currency; servers are nodes, too. The table then has the price of a million samples."), tr("no price"));
    m_price->setDecimals(3);
    m_price->setSuffix(tr(" / h"));
    m_cynthia = new QCheckBox(QStringLiteral("Cynthia"));
    m_queueing = new QCheckBox(tr("queueing"));
    m_cynthia->setToolTip(plainTip(tr("Draw Cynthia. %1").arg(explained("Cynthia"))));
    m_queueing->setToolTip(tr("Draw the phase-based queueing model."));
    m_cynthia->setChecked(true);
    m_queueing->setChecked(true);
}

void SettingSheet::layOut() {
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(3);
    form->setHorizontalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Workers"), pair(m_workers, m_servers));
    form->addRow(tr("Link"), m_bandwidth);
    form->addRow(tr("Recorded"), m_recordedBandwidth);
    form->addRow(tr("Mode"), pair(m_mode, m_staleness));
    form->addRow(tr("Steps"), m_follow);
    form->addRow(tr("Order"), pair(m_order, m_sharing));
    form->addRow(tr("TCP"), m_tcpWindow);
    form->addRow(tr("Window"), m_window);
    form->addRow(tr("Parsing"), pair(m_overhead, m_pairs));
    form->addRow(tr("Others"), pair(m_background, m_backgroundFile));
    form->addRow(tr("Batch"), m_batch);
    form->addRow(tr("Simulate"), pair(m_steps, m_warmUp));
    form->addRow(tr("Runs"), pair(m_starts, m_seed));
    form->addRow(tr("Gain"), m_gain);
    form->addRow(tr("Node"), m_price);
    form->addRow(tr("Models"), pair(m_cynthia, m_queueing));
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
        if (!m_setting.windowBytes)
            m_setting.windowBytes = off;
        m_setting.overhead.reset();
        m_setting.overheadNote.clear();
    } else {
        m_setting.perLayer = false;
    }
    showSetting();
}

void SettingSheet::setSetting(const PredictSetting &setting) {
    m_setting = setting;
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
    m_batch->setValue(static_cast<int>(m_setting.batchSize));
    m_steps->setValue(m_setting.steps);
    m_warmUp->setValue(m_setting.warmUp);
    m_starts->setValue(m_setting.starts);
    m_seed->setValue(static_cast<int>(m_setting.seed));
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
    // What a field's text says goes to `value`; a text that says nothing is taken back.
    const auto take = [&problem](const auto &parsed, auto &value) {
        if (parsed)
            value = *parsed;
        else
            problem = QString::fromStdString(parsed.error().toString());
    };
    next.workers = workersUpTo(m_workers->value());
    next.servers = m_servers->value();
    next.batchSize = m_batch->value();
    next.steps = m_steps->value();
    next.warmUp = m_warmUp->value();
    next.starts = m_starts->value();
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
    if (overhead != QString::fromStdString(formatOverhead(m_setting.overhead))) { // not what was fitted to pairs
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
    if (background != formatBackground(m_setting.background)) // else a long list would be read again at every knob
        take(background.empty() ? Result<std::vector<BackgroundTraffic>>() : parseBackground(background), next.background);
    const bool isOther = next != m_setting;
    m_setting = next;
    setProblem(problem);
    showSetting();
    if (isOther)
        Q_EMIT settingChanged();
}

} // namespace syncopate::ui
