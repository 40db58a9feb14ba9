// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/tune_sheet.h"

#include "engine/job/batch.h"
#include "engine/search/tune/tuners.h"
#include "ui/knobs/knob_names.h"
#include "ui/runs/sheet_settings.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/sentences.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QJsonArray>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

/// Values per axis, first and second setting. The first pair is the grid of `syncopate-cli tune`.
constexpr std::array<std::array<std::size_t, 2>, 3> details{{{12, 8}, {24, 16}, {6, 4}}};
constexpr int maxTuneEvaluations = 10'000;

/// The expressions of all tuners but the grid, which is the map: with defaults and, if they have presets, once per other preset.
std::vector<std::pair<std::string, QString>> offeredTuners() {
    std::vector<std::pair<std::string, QString>> offered;
    for (const ExpressionInfo &info : tuners()) {
        if (info.name == "grid")
            continue;
        const std::string usual = ArgumentValues(info).text();
        const QString help = said(info.description);
        offered.emplace_back(usual, help);
        for (const ArgumentInfo &argument : info.arguments)
            for (std::size_t c = 0; argument.name == "preset" && c < argument.choices.size(); ++c) {
                ArgumentValues values(info);
                values.setChoice(argument.name, c);
                if (values.text() != usual)
                    offered.emplace_back(values.text(), help + QLatin1Char('\n') + said(argument.help));
            }
    }
    return offered;
}

QComboBox *makeBox(const QString &name, const QString &toolTip) {
    auto *box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    return box;
}

std::size_t dimensionOf(const QComboBox &box) { return static_cast<std::size_t>(box.currentData().toInt()); }

bool hasSetting(const SessionState &state, std::size_t dimension) {
    return settingOf(state, Side::A, {usualAxis(dimension)}).has_value();
}

} // namespace

TuneSheet::TuneSheet(QWidget *parent)
    : QWidget(parent), m_x(makeBox(tr("First setting"), tr("Setting on the map's horizontal axis; grey: A has no such setting"))),
      m_y(makeBox(tr("Second setting"), tr("Setting on the map's vertical axis; grey: A has no such setting"))),
      m_detail(makeBox(tr("Detail of the map"), tr("Values of both settings; 12 × 8 is the grid of `syncopate-cli tune`"))),
      m_measure(makeBox(
          tr("Quantity of the map"),
          tr("Samples of all workers per second (steps, where the batch is not known), or the time of a steady iteration"))),
      m_evaluations(numberBox<QSpinBox>(1, maxTuneEvaluations, static_cast<int>(usualTuneEvaluations), tr("Evaluations"),
                                        tr("Maximum number of settings that each tuner may judge."))),
      m_seed(numberBox<QSpinBox>(0, 2147483647, 1, tr("Seed of the tuners"), tr("The same seed judges the same settings."))) {
    setMinimumWidth(240);
    for (std::size_t d = 0; d < scenarioSpace().size(); ++d)
        for (QComboBox *box : {m_x, m_y})
            box->addItem(knobName(scenarioSpace()[d]), static_cast<int>(d));
    const std::vector<TuneAxis> usual = TuneSpace::partitionAndCredit();
    m_x->setCurrentIndex(m_x->findData(static_cast<int>(usual[0].dimension)));
    m_y->setCurrentIndex(m_y->findData(static_cast<int>(usual[1].dimension)));
    for (const auto &[columns, rows] : details)
        m_detail->addItem(tr("%1 × %2").arg(columns).arg(rows));
    m_measure->addItem(rateUnitText(true), QStringLiteral("samples/s")); // as projects keep it, in any language
    m_measure->addItem(tr("iteration"), QStringLiteral("iteration"));
    m_seed->setPrefix(tr("seed "));
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 8, 0);
    form->setVerticalSpacing(3);
    form->addRow(tr("Map"), m_x);
    form->addRow(tr("against"), m_y);
    form->addRow(tr("points"), m_detail);
    form->addRow(tr("show"), m_measure);
    addTuners(*form);
    form->addRow(tr("evaluations"), m_evaluations);
    form->addRow(QString(), m_seed);
    for (QComboBox *box : {m_x, m_y, m_detail})
        connect(box, &QComboBox::currentIndexChanged, this, &TuneSheet::mapChanged);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &TuneSheet::measureChanged);
    for (QComboBox *box : {m_x, m_y, m_detail, m_measure})
        connect(box, &QComboBox::currentIndexChanged, this, &TuneSheet::settingsChanged);
    for (QSpinBox *box : {m_evaluations, m_seed}) {
        box->setKeyboardTracking(true); // else saving by shortcut would lose half-typed text
        connect(box, &QSpinBox::valueChanged, this, &TuneSheet::settingsChanged);
    }
    m_usual = settings();
}

QJsonObject TuneSheet::settings() const {
    QJsonArray chosen;
    for (const std::string &expression : m_order)
        if (m_tuners.at(expression)->isChecked())
            chosen.append(QString::fromStdString(expression));
    const auto idOf = [](const QComboBox &box) { return QString::fromStdString(scenarioSpace()[dimensionOf(box)].id); };
    return {{QStringLiteral("x"), idOf(*m_x)},
            {QStringLiteral("y"), idOf(*m_y)},
            {QStringLiteral("points"), m_detail->currentText()},
            {QStringLiteral("show"), m_measure->currentData().toString()},
            {QStringLiteral("tuners"), chosen},
            {QStringLiteral("evaluations"), m_evaluations->value()},
            {QStringLiteral("seed"), m_seed->value()}};
}

void TuneSheet::setSettings(const QJsonObject &settings) {
    const auto valueOf = [&](const char *name) { return settingOf(settings, m_usual, name); };
    const auto map = [this] { return std::array{m_x->currentIndex(), m_y->currentIndex(), m_detail->currentIndex()}; };
    const auto before = map();
    {
        const QSignalBlocker x(m_x), y(m_y), detail(m_detail); // emit one change, not three
        for (const auto &[name, box] : {std::pair{"x", m_x}, {"y", m_y}})
            if (const auto dimension = scenarioSpace().indexOf(valueOf(name).toString().toStdString()))
                box->setCurrentIndex(box->findData(static_cast<int>(*dimension)));
        m_detail->setCurrentIndex(std::max(0, m_detail->findText(valueOf("points").toString())));
    }
    m_measure->setCurrentIndex(std::max(0, m_measure->findData(valueOf("show").toString())));
    const QJsonArray chosen = valueOf("tuners").toArray();
    for (const std::string &expression : m_order)
        m_tuners.at(expression)->setChecked(chosen.contains(QString::fromStdString(expression)));
    m_evaluations->setValue(valueOf("evaluations").toInt(m_evaluations->value()));
    m_seed->setValue(valueOf("seed").toInt(m_seed->value()));
    if (map() != before)
        Q_EMIT mapChanged();
    Q_EMIT settingsChanged();
}

void TuneSheet::addTuners(QFormLayout &form) {
    for (const auto &[expression, help] : offeredTuners()) {
        auto *box = new QCheckBox(plainAction(QString::fromStdString(expression)));
        box->setToolTip(plainTip(help));
        box->setChecked(expression.find('=') == std::string::npos); // presets fit only some policies
        form.addRow(m_order.empty() ? tr("tuners") : QString(), box);
        connect(box, &QCheckBox::toggled, this, &TuneSheet::settingsChanged);
        m_tuners[expression] = box;
        m_order.push_back(expression);
    }
}

std::vector<TuneAxis> TuneSheet::axes() const { return tuneAxes(dimensionOf(*m_x), dimensionOf(*m_y)); }

void TuneSheet::fitTo(const SessionState &state) {
    if (state.job)
        m_measure->setItemText(0, rateUnitText(statesBatch(*state.job)));
    if (!state.cluster)
        return;
    std::vector<std::size_t> own; // the policy's settings, then the cluster's
    for (const bool ofCluster : {false, true})
        for (std::size_t d = 0; d < scenarioSpace().size(); ++d)
            if (scenarioSpace()[d].isOfCluster() == ofCluster && hasSetting(state, d))
                own.push_back(d);
    for (QComboBox *box : {m_x, m_y}) {
        auto *items = qobject_cast<QStandardItemModel *>(box->model());
        for (int i = 0; i < box->count(); ++i)
            items->item(i)->setEnabled(hasSetting(state, static_cast<std::size_t>(box->itemData(i).toInt())));
    }
    if (hasSetting(state, dimensionOf(*m_x)) && hasSetting(state, dimensionOf(*m_y)))
        return;
    const QSignalBlocker x(m_x), y(m_y);
    m_x->setCurrentIndex(m_x->findData(static_cast<int>(own[0])));
    m_y->setCurrentIndex(m_y->findData(static_cast<int>(own[1])));
}

QString TuneSheet::whyNot(const SessionState &state) const {
    if (QString reason = whyNotSimulated(state); !reason.isEmpty())
        return reason;
    if (!state.side(Side::A).hasScenario())
        return tr("A is not simulated, so there is nothing to tune: choose a strategy for A.");
    if (m_x->currentIndex() == m_y->currentIndex())
        return tr("Choose two different settings.");
    if (scenarioSpace()[dimensionOf(*m_x)].isOfCluster() && scenarioSpace()[dimensionOf(*m_y)].isOfCluster()) {
        for (std::size_t d = 0; d < scenarioSpace().size(); ++d)
            if (!scenarioSpace()[d].isOfCluster() && hasSetting(state, d))
                return tr("Both settings are the cluster's: choose at least one of A's policy.");
        return tr("The policy of A has no settings to tune: choose another policy for A, such as bytescheduler.");
    }
    if (!settingOf(state, Side::A, axes()))
        return tr("The policy of A has no such setting: choose another one.");
    return {};
}

TunePlan TuneSheet::planFor(const SessionState &state, bool coarse) const {
    TunePlan plan;
    plan.state = state;
    plan.axes = axes();
    const auto &[columns, rows] = details[static_cast<std::size_t>(m_detail->currentIndex())];
    plan.counts = gridCounts(plan.axes, {columns, rows});
    const bool ofCluster =
        std::any_of(plan.axes.begin(), plan.axes.end(), [](const TuneAxis &axis) { return axis.of().isOfCluster(); });
    if (!coarse && !ofCluster)
        std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(plan.tuners),
                     [this](const std::string &expression) { return m_tuners.at(expression)->isChecked(); });
    plan.evaluations = static_cast<std::uint64_t>(m_evaluations->value());
    plan.seed = static_cast<std::uint64_t>(m_seed->value());
    plan.coarse = coarse;
    return plan;
}

} // namespace syncopate::ui
