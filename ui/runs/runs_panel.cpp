// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include "ui/runs/figure_line.h"
#include "ui/runs/runs_table.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace syncopate::ui {

namespace {

constexpr int tallPanelOfRuns = 420;                     ///< pixels of height from which texts wrap
constexpr std::array viewNames{"plot", "table", "both"}; ///< as in project files, in the order of View

} // namespace

RunsPanel::RunsPanel(QWidget *parent)
    : QWidget(parent), m_choice(new QComboBox), m_view(new QComboBox), m_sheets(new QStackedWidget), m_states(new QStackedWidget),
      m_results(new QStackedWidget),
      m_escape(new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut)) {
    setFocusPolicy(Qt::ClickFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    layout->addWidget(m_left = makeLeft());
    layout->addWidget(makeRight(), 1);
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, this, [this] { current().stop(); });
    connect(m_choice, &QComboBox::currentIndexChanged, this, &RunsPanel::chosen);
    connect(m_view, &QComboBox::currentIndexChanged, this, [this] {
        showViews();
        Q_EMIT changed();
    });
}

QWidget *RunsPanel::makeLeft() {
    auto *left = new QWidget;
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_choice->setAccessibleName(tr("Kind of run"));
    m_choice->setToolTip(tr("Kind of run over the space of settings; hidden runs continue"));
    column->addWidget(m_choice);
    column->addWidget(m_sheets, 1);
    return left;
}

QWidget *RunsPanel::makeRight() {
    m_view->addItems({tr("plot"), tr("table"), tr("plot and table")});
    m_view->setAccessibleName(tr("View of the results"));
    m_view->setToolTip(tr("A picture of the results, a table of them that can be sorted, filtered and copied, or both"));
    auto *right = new QWidget;
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto *top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_states, 1);
    top->addWidget(m_view);
    m_states->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->addLayout(top);
    column->addWidget(m_results, 1);
    return right;
}

void RunsPanel::add(RunPreset &preset) {
    preset.setParent(this);
    m_presets.push_back(&preset);
    m_sheets->addWidget(settingsOf(preset));
    m_states->addWidget(&preset.stateLine());
    m_results->addWidget(resultsOf(preset));
    connect(&preset, &RunPreset::runStateChanged, this, &RunsPanel::showState);
    m_choice->addItem(preset.names().name); // the first item added becomes the current one
    m_choice->setItemData(m_choice->count() - 1, plainTip(preset.names().toolTip), Qt::ToolTipRole);
    fitSheets();
    showViews();
    showState();
}

QWidget *RunsPanel::settingsOf(const RunPreset &preset) {
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto *scroll = new QScrollArea;
    QWidget *sheet = preset.parts().sheet;
    scroll->setWidget(sheet);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // focus belongs to its controls
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    sheet->installEventFilter(this);
    m_scrolls.push_back(scroll);
    column->addWidget(scroll, 1);
    if (preset.parts().below)
        column->addWidget(preset.parts().below);
    return page;
}

QWidget *RunsPanel::resultsOf(const RunPreset &preset) {
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    if (preset.parts().figures)
        column->addWidget(preset.parts().figures);
    auto *views = new QSplitter(Qt::Horizontal);
    views->setChildrenCollapsible(false);
    views->addWidget(preset.parts().plot);
    views->addWidget(preset.parts().table);
    column->addWidget(views, 1);
    return page;
}

void RunsPanel::choose(const RunPreset &preset) {
    for (qsizetype p = 0; p < m_presets.size(); ++p)
        if (m_presets[p] == &preset)
            m_choice->setCurrentIndex(static_cast<int>(p));
}

void RunsPanel::chosen(int index) {
    if (index < 0 || index == m_current)
        return;
    if (m_seen)
        current().setSeen(false);
    m_current = index;
    for (QStackedWidget *stack : {m_sheets, m_states, m_results})
        stack->setCurrentIndex(index);
    showState();
    if (m_seen)
        current().setSeen(true);
    Q_EMIT changed();
}

RunsPanel::View RunsPanel::view() const { return static_cast<View>(m_view->currentIndex()); }

void RunsPanel::setView(View view) { m_view->setCurrentIndex(static_cast<int>(view)); }

void RunsPanel::showViews() {
    for (const RunPreset *preset : m_presets) {
        preset->parts().plot->setVisible(view() != View::Table);
        preset->parts().table->setVisible(view() != View::Plot);
    }
}

void RunsPanel::showTable(const RunPreset &preset) {
    choose(preset);
    if (view() == View::Plot)
        setView(View::Table);
    preset.table().table().setFocus(Qt::ShortcutFocusReason);
}

void RunsPanel::setSeen(bool seen) {
    if (seen == m_seen)
        return;
    m_seen = seen;
    current().setSeen(seen);
}

void RunsPanel::showState() {
    if (m_presets.isEmpty())
        return;
    m_escape->setEnabled(current().stateLine().state().isRunning());
    for (qsizetype p = 0; p < m_presets.size(); ++p) {
        const QString &name = m_presets[p]->names().name;
        m_choice->setItemText(static_cast<int>(p),
                              m_presets[p]->stateLine().state().isRunning() ? tr("%1 · running").arg(name) : name);
    }
}

void RunsPanel::fitSheets() {
    int width = 0;
    for (const QScrollArea *scroll : m_scrolls) {
        const QWidget *sheet = scroll->widget();
        width = std::max(width, std::max(sheet->minimumWidth(), sheet->minimumSizeHint().width()) +
                                    scroll->verticalScrollBar()->sizeHint().width());
    }
    m_left->setFixedWidth(width);
}

void RunsPanel::fitTexts() {
    const int lines = height() < tallPanelOfRuns ? 1 : maxFigureLines;
    for (ElidedLabel *line : findChildren<ElidedLabel *>())
        line->setMaxLines(lines);
}

void RunsPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fitTexts();
}

bool RunsPanel::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::LayoutRequest) // the fields of a sheet have changed
        fitSheets();
    return QWidget::eventFilter(watched, event);
}

QJsonObject RunsPanel::settings() const {
    return {{QStringLiteral("preset"), current().names().id},
            {QStringLiteral("view"), QLatin1String(viewNames[static_cast<std::size_t>(view())])}};
}

void RunsPanel::setSettings(const QJsonObject &settings) {
    for (const RunPreset *preset : m_presets)
        if (settings.value(QStringLiteral("preset")).toString() == preset->names().id)
            choose(*preset);
    for (std::size_t v = 0; v < viewNames.size(); ++v)
        if (settings.value(QStringLiteral("view")).toString() == QLatin1String(viewNames[v]))
            setView(static_cast<View>(v));
}

} // namespace syncopate::ui
