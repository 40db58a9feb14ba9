// SPDX-License-Identifier: GPL-3.0-or-later
// ThroughputPanel's widgets and their layout; their behaviour is in throughput_panel.cpp.
#include "ui/tables/dense_table.h"
#include "ui/throughput/overhead_view.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/throughput/throughput_plot.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace syncopate::ui {

namespace {

/// Between the plot and the table.
void shareRoom(QSplitter &split) { split.setSizes({520, 460}); }

/// Its texts wrap, but it has no height for width: the scroll area around it would otherwise take the preferred height as the
/// minimum, and a low panel would be cut off.
class Results final : public QWidget {
public:
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }
};

} // namespace

QWidget *ThroughputPanel::makeControls() {
    auto *scroll = new QScrollArea; // a low panel scrolls instead of squeezing
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_sheet);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // As wide as its texts, or with boxes that cut theirs where the plot has no room.
    const int bar = scroll->verticalScrollBar()->sizeHint().width(), least = std::max(m_sheet->minimumSizeHint().width(), 268);
    scroll->setMinimumWidth(least + bar);
    scroll->setMaximumWidth(std::max(m_sheet->sizeHint().width(), least) + bar);
    return scroll;
}

QWidget *ThroughputPanel::makeCurves() {
    auto *group = new QWidget;
    group->setFixedWidth(170);
    auto *column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_list->setAccessibleName(tr("Curves"));
    m_list->setToolTip(tr("The present curve and the kept ones. A mark shows a curve, F2 renames it, Del removes it; the table "
                          "shows the selected one."));
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_list->setMinimumHeight(40);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->installEventFilter(this);
    m_keep->setToolTip(tr("Keep the present curve, to compare it with other knobs, clusters or profiles."));
    m_remove->setToolTip(tr("Remove the selected curve (Del in the list)."));
    m_import->setToolTip(tr("Read measured points for the selected curve from a table (CSV) with columns such as workers and "
                            "examples_per_second, or steps_per_second."));
    m_series->setAccessibleName(tr("Measured series"));
    m_series->setToolTip(tr("The table's series that belongs to the selected curve."));
    m_series->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_series->setMinimumContentsLength(8);
    m_series->view()->setMinimumWidth(380); // names are wider than the box
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    buttons->addWidget(m_keep);
    buttons->addWidget(m_remove);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    column->addWidget(m_import);
    column->addWidget(m_series);
    return group;
}

QWidget *ThroughputPanel::makeNumbers() {
    m_table->setModel(&m_points);
    m_table->setAccessibleName(tr("Points"));
    m_table->setToolTip(
        tr("Predicted throughput, with its 95 % interval, and measured points; Enter opens the steps behind a point in B"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    makeDense(*m_table);
    const std::array<int, PointsModel::ColumnCount> widths{56, 66, 60, 64, 62, 60, 62, 160, 80};
    for (int c = 0; c < PointsModel::ColumnCount; ++c)
        fitColumn(*m_table, c, widths[static_cast<std::size_t>(c)]);
    m_table->horizontalHeader()->setStretchLastSection(true); // a bottleneck's name is long
    m_table->setMinimumWidth(160);
    m_table->installEventFilter(this);
    m_errors->setAccessibleName(tr("Errors against measured points"));
    m_errors->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_errors->setWordWrap(true);
    auto *numbers = new QWidget;
    auto *under = new QVBoxLayout(numbers);
    under->setContentsMargins(0, 0, 0, 0);
    under->setSpacing(2);
    under->addWidget(m_table, 1);
    under->addWidget(m_errors);
    return numbers;
}

QWidget *ThroughputPanel::makeResults() {
    auto *results = new Results;
    auto *column = new QVBoxLayout(results);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto *line = new QHBoxLayout;
    m_state->setAccessibleName(tr("State of the prediction"));
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setWordWrap(true);
    m_runButton->setAccessibleName(tr("Cancel the prediction, or start it again"));
    line->addWidget(m_state, 1);
    line->addWidget(m_runButton, 0, Qt::AlignTop);
    column->addLayout(line);
    m_split->addWidget(m_plot);
    m_split->addWidget(m_numbers = makeNumbers());
    m_split->setChildrenCollapsible(false);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    shareRoom(*m_split);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_split, tr("Throughput"));
    m_tabs->addTab(m_overhead, tr("Parsing overhead"));
    nameTabs();
    m_ownPage = new QWidget(results);
    m_ownPage->hide();
    auto *beside = new QHBoxLayout(m_ownPage);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(8);
    column->addWidget(m_tabs, 1);
    for (QWidget *child : m_plot->findChildren<QWidget *>())
        child->installEventFilter(this);
    return results;
}

void ThroughputPanel::nameTabs() {
    m_tabs->setAccessibleName(m_isNarrow ? tr("Throughput, parsing overhead and curves") : tr("Throughput and parsing overhead"));
    m_tabs->setToolTip(m_isNarrow ? tr("The plot, how long received tensors take to parse, or the curves and their points")
                                  : tr("The curve, or how long received tensors take to parse"));
}

void ThroughputPanel::arrange() {
    constexpr int tallPanel = 430;
    const bool isTall = height() >= tallPanel;
    m_split->setOrientation(isTall ? Qt::Vertical : Qt::Horizontal);
    const QMargins margins = m_row->contentsMargins();
    const int plot = m_plot->minimumSizeHint().width(), numbers = m_numbers->minimumSizeHint().width(),
              results = isTall ? std::max(plot, numbers) : plot + m_split->handleWidth() + numbers;
    setNarrow(width() < margins.left() + m_controls->minimumWidth() + m_curves->minimumWidth() + 2 * m_row->spacing() +
                            std::max(results, m_overhead->minimumSizeHint().width()) + margins.right());
}

void ThroughputPanel::setNarrow(bool narrow) {
    if (narrow == m_isNarrow)
        return;
    m_isNarrow = narrow;
    const QPointer<QWidget> focus = QApplication::focusWidget();
    const bool hadFocus = focus && (m_curves->isAncestorOf(focus) || m_numbers->isAncestorOf(focus));
    const bool onOwnPage = narrow ? hadFocus : m_tabs->currentWidget() == m_ownPage;
    if (narrow) {
        for (QWidget *part : {m_curves, m_numbers})
            m_ownPage->layout()->addWidget(part);
        m_tabs->addTab(m_ownPage, tr("Curves"));
    } else {
        m_row->insertWidget(1, m_curves);
        m_split->addWidget(m_numbers);
        shareRoom(*m_split);
        m_tabs->removeTab(m_tabs->indexOf(m_ownPage));
    }
    nameTabs();
    if (onOwnPage) // the user's place, where it is now
        m_tabs->setCurrentWidget(narrow ? m_ownPage : m_split);
    for (QWidget *part : {m_curves, m_numbers}) // not only later, as layouts do, or the focus could not return
        part->show();
    if (hadFocus && focus)
        focus->setFocus();
}

} // namespace syncopate::ui
