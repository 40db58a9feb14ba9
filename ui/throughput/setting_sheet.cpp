// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/setting_sheet.h"

#include "engine/base/units.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <array>
#include <limits>

namespace syncopate::ui {

namespace {

constexpr double off = std::numeric_limits<double>::infinity();

template <class Box, class Number>
Box *numberBox(Number least, Number most, Number value, const QString &name, const QString &toolTip, const QString &unset = {}) {
    auto *box = new Box;
    box->setRange(least, most);
    box->setValue(value);
    box->setSpecialValueText(unset);
    box->setKeyboardTracking(false); // a number is predicted for when it is written out
    box->setAccessibleName(name);
    box->setToolTip(toolTip);
    box->setMinimumWidth(64);
    return box;
}

QComboBox *choice(const QStringList &texts, const QString &name, const QString &toolTip) {
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setAccessibleName(name);
    box->setToolTip(toolTip);
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

SettingSheet::SettingSheet(QWidget *parent) : QWidget(parent), m_cynthia(new QCheckBox(QStringLiteral("Cynthia"))) {
    const QString own = tr("cluster's");
    m_workers = numberBox<QSpinBox>(1, 512, m_setting.mostWorkers, tr("Most workers"),
                                    tr("The curve goes from 1 to so many workers (W)."));
    m_servers =
        numberBox<QSpinBox>(0, 64, 0, tr("Parameter servers"),
                            tr("Dedicated parameter servers (M); variables go to the one with the fewest bytes so far."), own);
    m_servers->setSuffix(tr(" servers"));
    m_bandwidth = numberBox<QDoubleSpinBox>(0.0, 1000.0, 0.0, tr("Bandwidth"),
                                            tr("Of every node's link in each direction, Gbit/s (10⁹ bit/s)."), own);
    m_recordedBandwidth = numberBox<QDoubleSpinBox>(
        0.0, 1000.0, 0.0, tr("Bandwidth of the recording"),
        tr("Of the link that the profile was recorded on, Gbit/s: what its transfers are explained by."), own);
    for (QDoubleSpinBox *box : {m_bandwidth, m_recordedBandwidth}) {
        box->setSuffix(tr(" Gb/s"));
        box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    }
    m_window = choice({tr("off"), tr("estimated"), QStringLiteral("65535")}, tr("HTTP/2 window"),
                      tr("HTTP/2 flow control: bytes that a stream sends the first time it is chosen; the rest goes the second "
                         "time. off: whole streams; estimated: the window that explains the profile's recorded transfers best."));
    m_window->setEditable(true);
    m_window->setInsertPolicy(QComboBox::NoInsert);
    m_order = choice({tr("as recorded"), tr("reverse"), tr("random"), QStringLiteral("TIC"), QStringLiteral("TAC")}, tr("Order"),
                     tr("In which order a server sends variables to a worker; TIC and TAC are TicTac's."));
    m_sharing = choice(
        {tr("equal shares"), tr("uneven shares"), tr("TCP windows")}, tr("Sharing of links"),
        tr("equal: max-min fair at every moment. uneven: every transfer draws a weight, as TCP flows differ from "
           "moment to moment; breaks the lockstep of workers whose steps are all alike. TCP windows: connections with windows "
           "of 1 MiB over queues that serve what comes first; slower to compute."));
    m_batch = numberBox<QSpinBox>(0, 10'000'000, 0, tr("Batch size"), tr("Samples of one worker's step."), tr("job's batch"));
    m_batch->setSuffix(tr(" samples"));
    m_steps = numberBox<QSpinBox>(40, 1'000'000, m_setting.steps, tr("Steps"),
                                  tr("Simulated steps of each worker, after 50 that are left out."));
    m_steps->setSuffix(tr(" steps"));
    m_price = numberBox<QDoubleSpinBox>(
        0.0, 1e6, 0.0, tr("Price per node and hour"),
        tr("In any currency; servers are nodes, too. The table then has the price of a million samples."), tr("no price"));
    m_price->setDecimals(3);
    m_price->setSuffix(tr(" / h"));
    m_queueing = new QCheckBox(tr("queueing"));
    m_cynthia->setToolTip(tr("Draw the coarse model of Cynthia: phases of a step do not overlap."));
    m_queueing->setToolTip(tr("Draw the phase-based queueing model."));
    m_cynthia->setChecked(true);
    m_queueing->setChecked(true);
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(3);
    form->setHorizontalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Workers"), pair(m_workers, m_servers));
    form->addRow(tr("Link"), m_bandwidth);
    form->addRow(tr("Recorded"), m_recordedBandwidth);
    form->addRow(tr("Window"), m_window);
    form->addRow(tr("Order"), pair(m_order, m_sharing));
    form->addRow(tr("Batch"), m_batch);
    form->addRow(tr("Simulate"), m_steps);
    form->addRow(tr("Node"), m_price);
    form->addRow(tr("Models"), pair(m_cynthia, m_queueing));
    for (QSpinBox *box : {m_workers, m_servers, m_batch, m_steps})
        connect(box, &QSpinBox::valueChanged, this, &SettingSheet::read);
    for (QDoubleSpinBox *box : {m_bandwidth, m_recordedBandwidth})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SettingSheet::read);
    for (QComboBox *box : {m_order, m_sharing})
        connect(box, &QComboBox::currentIndexChanged, this, &SettingSheet::read);
    connect(m_window, &QComboBox::activated, this, &SettingSheet::read);
    connect(m_window->lineEdit(), &QLineEdit::editingFinished, this, &SettingSheet::read);
    connect(m_price, &QDoubleSpinBox::valueChanged, this, &SettingSheet::optionsChanged);
    for (QCheckBox *box : {m_cynthia, m_queueing})
        connect(box, &QCheckBox::toggled, this, &SettingSheet::optionsChanged);
    setRecorded(false);
}

CurveOptions SettingSheet::options() const { return {m_cynthia->isChecked(), m_queueing->isChecked(), m_price->value()}; }

void SettingSheet::setRecorded(bool recorded) {
    m_recordedBandwidth->setEnabled(recorded);
    if (!recorded && !m_setting.windowBytes) { // nothing to estimate from
        m_setting.windowBytes = off;
        const QSignalBlocker quiet(m_window);
        m_window->setCurrentIndex(0);
    }
}

std::optional<std::optional<double>> SettingSheet::window() const {
    const QString text = m_window->currentText().trimmed();
    if (text == m_window->itemText(0))
        return std::optional<double>(off);
    if (text == m_window->itemText(1))
        return std::optional<double>();
    const auto bytes = parseBytes(text.toStdString());
    if (!bytes || !(*bytes >= 1))
        return std::nullopt;
    return std::optional<double>(*bytes);
}

void SettingSheet::read() {
    PredictSetting next = m_setting;
    next.mostWorkers = m_workers->value();
    next.servers = m_servers->value();
    next.batchSize = m_batch->value();
    next.steps = m_steps->value();
    next.bandwidthGbits = m_bandwidth->value();
    next.recordedGbits = m_recordedBandwidth->value();
    next.order = static_cast<TransferOrder>(m_order->currentIndex());
    next.sharing = std::array{LinkSharing::Equal, LinkSharing::Uneven,
                              LinkSharing::Tcp}[static_cast<std::size_t>(std::max(0, m_sharing->currentIndex()))];
    if (const auto given = window()) {
        next.windowBytes = *given;
    } else {
        const QSignalBlocker quiet(m_window);
        m_window->setEditText(!m_setting.windowBytes          ? m_window->itemText(1)
                              : *m_setting.windowBytes == off ? m_window->itemText(0)
                                                              : QString::number(*m_setting.windowBytes, 'f', 0));
    }
    if (next == m_setting)
        return;
    m_setting = next;
    Q_EMIT settingChanged();
}

} // namespace syncopate::ui
