// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the sheet: meaning, range and position of each.
#include "ui/theme/explained.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"
#include "ui/throughput/setting_sheet.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <limits>
#include <utility>

namespace syncopate::ui {

namespace {

QComboBox *choice(const QStringList &texts, const QString &name, const QString &toolTip) {
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setMinimumContentsLength(7); // a narrow panel cuts longer texts
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

void SettingSheet::makeNodes() {
    const QString own = tr("cluster's");
    m_workers = numberBox<QSpinBox>(1, 512, m_setting.workers.back(), tr("Maximum number of workers"),
                                    tr("Maximum number of workers (W) of the curve, which begins at 1."));
    m_servers =
        numberBox<QSpinBox>(0, 64, 0, tr("Parameter servers"),
                            tr("Dedicated parameter servers (M); variables go to the one with the fewest bytes so far."), own);
    m_servers->setSuffix(tr(" servers"));
    m_bandwidth = numberBox<QDoubleSpinBox>(0.0, 1000.0, 0.0, tr("Bandwidth"),
                                            tr("Bandwidth of every node's link, each direction, Gbit/s (10⁹ bit/s)."), own);
    m_recordedBandwidth = numberBox<QDoubleSpinBox>(0.0, 1000.0, 0.0, tr("Bandwidth of the profile"),
                                                    tr("Gbit/s that a stream reached where the profile was recorded, which "
                                                       "explains its transfers. State it before you predict another link."),
                                                    tr("as the link"));
    for (QDoubleSpinBox *box : {m_bandwidth, m_recordedBandwidth}) {
        box->setDecimals(3);
        box->setSuffix(tr(" Gbit/s"));
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
    m_sharing = choice({tr("by the profile"), tr("equal shares"), tr("uneven shares"), tr("TCP windows")}, tr("Sharing of links"),
                       tr("by the profile: TCP windows where its transfers were recorded, else equal shares. equal: max-min fair "
                          "at every moment. uneven: every transfer draws a weight, as TCP flows differ from moment to moment; "
                          "breaks the lockstep of workers whose steps are all alike. TCP windows: connections with windows over "
                          "first-come-first-served queues; slower to compute."));
    m_tcpWindow = new QLineEdit;
    m_tcpWindow->setAccessibleName(tr("TCP window"));
    m_tcpWindow->setToolTip(
        tr("Unacknowledged bytes that a connection may have sent, such as 1 MiB; where links are shared by TCP windows."));
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
                         "comes back as soon as its gradient arrived; for asynchronous steps of layers only."));
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
    m_steps = numberBox<QSpinBox>(40, 1'000'000, m_setting.steps, tr("Steps"),
                                  tr("Simulated steps of each worker that enter the mean."));
    m_steps->setSuffix(tr(" steps"));
    m_warmUp = numberBox<QSpinBox>(0, 1'000'000, m_setting.warmUp, tr("Steps left out"),
                                   tr("Simulated steps of each worker before those that enter the mean."));
    m_warmUp->setPrefix(tr("after "));
    m_starts = numberBox<QSpinBox>(1, 1000, m_setting.starts, tr("Starts"),
                                   tr("Independent runs per point; their mean and its 95 % interval are shown. Workers may fall "
                                      "into lockstep for a whole run, which a single run does not reveal."));
    m_starts->setPrefix(tr("starts "));
    m_seed = numberBox<QSpinBox>(
        0, std::numeric_limits<int>::max(), 1, tr("Seed"),
        tr("Seed of the sampled steps, drawn weights and random orders: the same seed gives the same curve."));
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
    for (const auto &[box, value] : {std::pair(m_servers, 16), std::pair(m_staleness, 99), std::pair(m_steps, 2000),
                                     std::pair(m_warmUp, 2000), std::pair(m_starts, 20), std::pair(m_seed, 999)})
        fitNumber(*box, value);
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

} // namespace syncopate::ui
