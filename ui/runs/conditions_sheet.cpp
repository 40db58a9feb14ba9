// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_sheet.h"

#include "engine/search/tune/tuners.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/sheet_settings.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace syncopate::ui {

namespace {

constexpr qint64 maxFileBytes = 1 << 20; ///< ten thousand lines need less
constexpr int maxIterations = 10'000, maxEvaluations = 10'000;
constexpr const char *example = "iteration,bandwidth_gbits\n0,10\n20,3\n40,10\n";

} // namespace

ConditionsSheet::ConditionsSheet(QWidget *parent)
    : QWidget(parent), m_text(new QPlainTextEdit), m_open(new QPushButton(tr("&Read a file…"))), m_problemLine(plainLabel()),
      m_tuner(new ArgumentSheet(tuners(), tr("Tuner"))),
      m_length(numberBox<QSpinBox>(1, maxIterations, 60, tr("Length"), tr("Training iterations to play."))),
      m_evaluations(
          numberBox<QSpinBox>(0, maxEvaluations, 0, tr("Evaluations of a tuning"),
                              tr("Maximum number of settings that the tuner may judge each time. They cost the job nothing. "
                                 "As usual: all points of a grid, %1 settings for other tuners.")
                                  .arg(usualTuneEvaluations),
                              tr("as usual"))),
      m_every(numberBox<QSpinBox>(1, maxIterations, 10, tr("Checked every"),
                                  tr("Iterations from one check of the conditions to the next."))),
      m_seed(numberBox<QSpinBox>(0, 2147483647, 1, tr("Seed of the tuner"), tr("The same seed judges the same settings."))),
      m_gain(numberBox<QDoubleSpinBox>(0.0, 1000.0, 5.0, tr("Minimum gain for a change"),
                                       tr("Predicted gain, in percent, below which the setting stays."))),
      m_cost(numberBox<QDoubleSpinBox>(0.0, 1000.0, 1.0, tr("Cost of a change"),
                                       tr("Cost of a change of setting, in iterations at the previous setting."))) {
    setMinimumWidth(240);
    m_length->setSuffix(tr(" iterations"));
    m_evaluations->setSuffix(tr(" evaluations"));
    m_every->setSuffix(tr(" iterations"));
    m_gain->setSuffix(tr(" %"));
    m_gain->setDecimals(1);
    m_cost->setSuffix(tr(" iterations"));
    m_cost->setDecimals(1);
    m_seed->setPrefix(tr("seed "));
    static_cast<void>(m_tuner->setText("bo")); // a known name, so it cannot fail
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(3);
    column->addWidget(makeSchedule());
    column->addWidget(m_tuner);
    auto *form = new QFormLayout;
    form->setVerticalSpacing(3);
    form->addRow(tr("play"), m_length);
    form->addRow(tr("each time"), m_evaluations);
    form->addRow(tr("look every"), m_every);
    form->addRow(tr("change from"), m_gain);
    form->addRow(tr("at the cost of"), m_cost);
    form->addRow(QString(), m_seed);
    column->addLayout(form);
    column->addStretch();
    connect(m_text, &QPlainTextEdit::textChanged, this, &ConditionsSheet::read);
    connect(m_tuner, &ArgumentSheet::changed, this, &ConditionsSheet::changed);
    connect(m_open, &QPushButton::clicked, this, [this] {
        if (const QString path = QFileDialog::getOpenFileName(this, tr("Conditions"), {}, tr("Tables (*.csv);;All files (*)"));
            !path.isEmpty())
            openFile(path);
    });
    m_text->setPlainText(QString::fromLatin1(example));
    for (QSpinBox *box : {m_length, m_evaluations, m_every, m_seed}) {
        box->setKeyboardTracking(true); // else saving by shortcut would lose half-typed text
        connect(box, &QSpinBox::valueChanged, this, &ConditionsSheet::changed);
    }
    for (QDoubleSpinBox *box : {m_gain, m_cost}) {
        box->setKeyboardTracking(true);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ConditionsSheet::changed);
    }
    m_usual = settings();
}

QJsonObject ConditionsSheet::settings() const {
    return {
        {QStringLiteral("schedule"), m_text->toPlainText()}, {QStringLiteral("tuner"), QString::fromStdString(m_tuner->text())},
        {QStringLiteral("length"), m_length->value()},       {QStringLiteral("evaluations"), m_evaluations->value()},
        {QStringLiteral("every"), m_every->value()},         {QStringLiteral("gain"), m_gain->value()},
        {QStringLiteral("cost"), m_cost->value()},           {QStringLiteral("seed"), m_seed->value()}};
}

void ConditionsSheet::setSettings(const QJsonObject &settings) {
    const auto valueOf = [&](const char *name) { return settingOf(settings, m_usual, name); };
    if (const QString schedule = valueOf("schedule").toString(); schedule.size() <= maxFileBytes)
        m_text->setPlainText(schedule);
    // An expression from a newer version may be unknown here.
    if (!m_tuner->setText(valueOf("tuner").toString().toStdString()))
        static_cast<void>(m_tuner->setText(m_usual.value(QLatin1String("tuner")).toString().toStdString()));
    for (const auto &[name, box] :
         {std::pair{"length", m_length}, {"evaluations", m_evaluations}, {"every", m_every}, {"seed", m_seed}})
        box->setValue(valueOf(name).toInt(box->value()));
    m_gain->setValue(valueOf("gain").toDouble(m_gain->value()));
    m_cost->setValue(valueOf("cost").toDouble(m_cost->value()));
}

QWidget *ConditionsSheet::makeSchedule() {
    m_text->setAccessibleName(tr("Conditions"));
    m_text->setToolTip(plainTip(tr("Each line applies from its iteration (or second) on. Columns, at least one of them:\n"
                                   "bandwidth_gbits   of every node's card; empty: the cluster's own\n"
                                   "network_jobs      other jobs, each of which takes an equal share of every node's card\n"
                                   "compute           factor on the time of every layer\n"
                                   "straggler         further factor on the first worker's node")));
    m_text->setTabChangesFocus(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setFixedHeight(6 * m_text->fontMetrics().lineSpacing());
    m_open->setToolTip(tr("Read conditions from a CSV file, as `syncopate-cli tune --schedule` takes it"));
    m_problemLine->setWordWrap(true);
    m_problemLine->setAccessibleName(tr("Error in the conditions"));
    auto *schedule = new QWidget;
    auto *column = new QVBoxLayout(schedule);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(m_text);
    column->addWidget(m_problemLine);
    column->addWidget(m_open);
    return schedule;
}

void ConditionsSheet::openFile(const QString &path) {
    QFile file(path);
    QString problem; // of the file: the table stays unchanged and playable if it was
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        problem = tr("%1 cannot be read.").arg(path);
    else if (file.size() > maxFileBytes)
        problem = tr("%1 is too large for a table of conditions.").arg(path);
    if (problem.isEmpty()) {
        m_text->setPlainText(QString::fromUtf8(file.read(maxFileBytes)));
        return;
    }
    m_problemLine->setText(problem);
    m_problemLine->setVisible(true);
}

void ConditionsSheet::read() {
    auto schedule = parseConditions(m_text->toPlainText().toStdString());
    m_problem = schedule ? QString() : QString::fromStdString(schedule.error().toString());
    m_schedule = schedule ? std::optional(*std::move(schedule)) : std::nullopt;
    m_problemLine->setText(m_problem);
    m_problemLine->setVisible(!m_problem.isEmpty());
    Q_EMIT changed();
}

QString ConditionsSheet::whyNot(const SessionState &state) const {
    if (QString reason = whyNotSimulated(state); !reason.isEmpty())
        return reason;
    if (!state.side(Side::A).hasScenario())
        return tr("A is not simulated, so there is nothing to tune: choose a strategy for A.");
    if (retunedAxes(state).empty())
        return tr("The policy of A has no settings to tune: choose another policy for A, such as bytescheduler.");
    return !m_problem.isEmpty() ? m_problem : m_tuner->problem();
}

ConditionsPlan ConditionsSheet::planFor(const SessionState &state) const {
    ConditionsPlan plan;
    plan.state = state;
    plan.axes = retunedAxes(state);
    plan.schedule = m_schedule.value_or(ConditionSchedule{});
    RetuningOptions &options = plan.options;
    options.iterations = m_length->value();
    options.compares = true;
    options.method = m_tuner->text();
    options.evaluations = static_cast<std::uint64_t>(m_evaluations->value());
    options.grid = usualGrid(plan.axes.size());
    options.every = m_every->value();
    options.minGain = m_gain->value() / 100;
    options.reconfigurationIterations = m_cost->value();
    options.seed = static_cast<std::uint64_t>(m_seed->value());
    return plan;
}

} // namespace syncopate::ui
