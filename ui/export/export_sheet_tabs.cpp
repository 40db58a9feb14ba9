// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs of the export sheet with their choices; export_tasks.cpp makes the chosen files.
#include "ui/export/export_sheet.h"

#include "engine/export/launcher_settings.h"
#include "engine/export/plan_export.h"
#include "engine/export/timeline_formats.h"
#include "engine/session/planned_work.h"
#include "engine/strategy/policy.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTabWidget>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

/// The engine's titles of plan formats, for lupdate, which does not read the engine.
[[maybe_unused]] constexpr const char *textsOfPlanFormats[] = {
    QT_TRANSLATE_NOOP("ExportSheet", "JSON, to be opened again"),
    QT_TRANSLATE_NOOP("ExportSheet", "Training DAG alone, as a job"),
    QT_TRANSLATE_NOOP("ExportSheet", "CSV for NCCL's tuner plugin"),
    QT_TRANSLATE_NOOP("ExportSheet", "NCCL_ALGO and NCCL_PROTO"),
    QT_TRANSLATE_NOOP("ExportSheet", "MSCCL++ plan of one collective"),
    QT_TRANSLATE_NOOP("ExportSheet", "Program of MSCCL++'s Python DSL for that plan"),
    QT_TRANSLATE_NOOP("ExportSheet", "MSCCL algorithm of one collective (legacy)"),
    QT_TRANSLATE_NOOP("ExportSheet", "Chakra execution trace"),
    QT_TRANSLATE_NOOP("ExportSheet", "Chakra execution traces of all processes"),
    QT_TRANSLATE_NOOP("ExportSheet", "Times for PyTorch Inductor"),
    QT_TRANSLATE_NOOP("ExportSheet", "Costs for XLA"),
};

/// Index in launchers() of the system that the policy belongs to; 0 if it belongs to none.
int launcherOf(const CommPolicy &policy) {
    const auto &own = policy.kind().launchers;
    const auto known = own.empty() ? launchers().begin() : std::find(launchers().begin(), launchers().end(), own.front());
    return static_cast<int>(known - launchers().begin());
}

} // namespace

void ExportSheet::makeStrategyTab() {
    QFormLayout *form = addTab(tr("&Strategy"), tr("The strategy of one side, for AutoDist or as text; for a side that shows a "
                                                   "plan, the plan for the library that runs it."));
    addSides(form, "strategySide");
    QComboBox *box = addChoice(form, "strategyFormat", tr("Format"),
                               tr("AutoDist's chief does not load the file by itself: the builder does"));
    box->addItem(tr("AutoDist .pb, with the builder that loads it"), QStringLiteral("pb"));
    box->addItem(tr("JSON"), QStringLiteral("json"));
    if (!m_session.state().side(Side::A).isPlanned() && !m_session.state().side(Side::B).isPlanned())
        return;
    box = addChoice(form, "planFormat", tr("Plan as"),
                    tr("For a side that shows a plan. The preview says what a format cannot express (docs/plan.md)."));
    for (const PlanFormat &format : planFormats())
        box->addItem(tr(format.title), QString::fromLatin1(format.name.data()));
    addChoice(form, "planOp", tr("Collective"), tr("A plan of MSCCL++, or an algorithm of MSCCL, carries out one collective"));
}

void ExportSheet::showPlanChoices() {
    QComboBox *const format = choice("planFormat"), *const op = choice("planOp");
    if (!format)
        return;
    const auto *planned = std::get_if<Planned>(&m_session.state().side(sideOf("strategySide")).source);
    choice("strategyFormat")->setEnabled(!planned);
    format->setEnabled(planned);
    const PlanFormat *const chosen = findPlanFormat(format->currentData().toString().toStdString());
    op->setEnabled(planned && chosen && chosen->isOfOneOp);
    if (!planned || m_opsOf == planned->work)
        return;
    m_opsOf = planned->work;
    const QSignalBlocker quiet(op); // this is called by what its signal calls
    op->clear();
    for (const DagOpId each : m_opsOf->dag.submissionOrder)
        op->addItem(QString::fromStdString(m_opsOf->dag.ops[each.index()].name));
}

void ExportSheet::makeTraceTab() {
    QFormLayout *form = addTab(tr("&Trace"), tr("The timeline of one side."));
    addSides(form, "traceSide");
    QComboBox *box = addChoice(form, "traceFormat", tr("Format"), tr("A trace has all iterations, a picture one"));
    for (const TimelineFormat &format : timelineFormats())
        box->addItem(QString::fromUtf8(format.title), QString::fromUtf8(format.name));
}

void ExportSheet::makeTableTab() {
    QFormLayout *form =
        addTab(tr("T&able"),
               tr("Every variable with its traffic (sizes in bytes, times in seconds), or a panel's table as it is shown."));
    QComboBox *box = addChoice(form, "table", tr("Table"), tr("Tables of the panels have the columns, rows and order on screen"));
    for (const Side side : {Side::A, Side::B})
        if (m_session.run(side))
            box->addItem(tr("Variables of %1").arg(sideName(side)), static_cast<int>(side));
    chooseSimulated(*box);
    int number = 2; // behind those of the sides
    for (const NamedTable &each : m_sources.tables())
        box->addItem(each.title, number++);
    box = addChoice(form, "tableFormat", tr("Format"), tr("Markdown as GitHub reads it"));
    for (const auto &[title, suffix] : {std::pair{tr("CSV"), "csv"}, {tr("TSV"), "tsv"}, {tr("Markdown"), "md"}})
        box->addItem(title, QString::fromLatin1(suffix));
}

void ExportSheet::makePictureTab() {
    QFormLayout *form = addTab(tr("&Picture"), tr("A view as pixels or, in SVG and PDF, as lines and text."));
    QComboBox *box = addChoice(form, "picture", tr("View"), tr("The timelines, or a panel that is open"));
    const std::vector<Picture> pictures = m_sources.pictures(false);
    for (std::size_t p = 0; p < pictures.size(); ++p)
        box->addItem(pictures[p].title, static_cast<int>(p));
    box = addChoice(form, "pictureArea", tr("Area"), tr("Stretch of time, in pictures of timelines"));
    box->addItem(tr("Stretch of time on screen"), false);
    box->addItem(tr("Whole iteration"), true);
    box = addChoice(form, "pictureFormat", tr("Format"), tr("PNG has pixels; SVG and PDF can be enlarged"));
    for (const PictureFormat format : {PictureFormat::Png, PictureFormat::Svg, PictureFormat::Pdf})
        box->addItem(suffixOf(format).toUpper(), static_cast<int>(format));
    box = addChoice(form, "pictureScale", tr("Scale"), tr("Pixels of the PNG per pixel on screen"));
    for (int scale = 1; scale <= 4; ++scale)
        box->addItem(QStringLiteral("%1×").arg(scale), scale);
    box->setCurrentIndex(1);
    box = addChoice(form, "pictureTheme", tr("Theme"), tr("Light reads better on paper"));
    box->addItem(tr("Light"), false);
    box->addItem(tr("Dark"), true);
}

void ExportSheet::makeSettingsTab() {
    QFormLayout *form = addTab(tr("S&ettings"), tr("The policy of one side, as settings of the system that implements it."));
    const QComboBox *side = addSides(form, "settingsSide");
    QComboBox *box = addChoice(form, "settingsSystem", tr("System"), tr("System that reads the settings, in its own units"));
    for (const Launcher *launcher : launchers())
        box->addItem(QString::fromUtf8(launcher->title), QString::fromUtf8(launcher->format));
    if (const auto run = m_session.run(static_cast<Side>(side->currentData().toInt())); run && run->simulation())
        box->setCurrentIndex(launcherOf(run->simulation()->scenario.policy));
}

QFormLayout *ExportSheet::addTab(const QString &title, const QString &about) {
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    auto *text = plainLabel(about);
    text->setWordWrap(true);
    form->addRow(text);
    m_tabs->addTab(page, title);
    return form;
}

QComboBox *ExportSheet::addChoice(QFormLayout *form, const char *name, const QString &label, const QString &toolTip) {
    auto *box = new QComboBox;
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(label);
    box->setToolTip(plainTip(toolTip));
    form->addRow(label, box);
    return box;
}

QComboBox *ExportSheet::addSides(QFormLayout *form, const char *name) {
    QComboBox *box = addChoice(form, name, tr("Of"), tr("The side whose scenario it is"));
    for (const Side side : {Side::A, Side::B})
        if (m_session.run(side))
            box->addItem(sideName(side), static_cast<int>(side));
    chooseSimulated(*box);
    return box;
}

void ExportSheet::chooseSimulated(QComboBox &sides) const {
    const auto a = m_session.run(Side::A), b = m_session.run(Side::B);
    if (a && b && !a->simulation() && b->simulation())
        sides.setCurrentIndex(sides.findData(static_cast<int>(Side::B)));
}

QString ExportSheet::sideName(Side side) const {
    return QStringLiteral("%1: %2").arg(side == Side::A ? QStringLiteral("A") : QStringLiteral("B"),
                                        QString::fromStdString(strategyTitle(m_session.state().side(side))));
}

QComboBox *ExportSheet::choice(const char *name) const { return findChild<QComboBox *>(QString::fromLatin1(name)); }
Side ExportSheet::sideOf(const char *name) const { return static_cast<Side>(choice(name)->currentData().toInt()); }

} // namespace syncopate::ui
