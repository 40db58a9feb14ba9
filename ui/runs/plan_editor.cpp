// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_editor.h"

#include "ui/runs/figure_line.h"
#include "ui/runs/plan_shapes.h"
#include "ui/theme/format.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr std::size_t maxShown = 4000; ///< motifs; longer lists would block the window

constexpr int maxParts = 64; ///< segments or splines, of a cut by hand

enum OpColumn { Collective, Cut, Channels };

QPushButton *smallButton(const QString &label, const QString &name, const QString &toolTip) {
    auto *button = new QPushButton(label);
    button->setAccessibleName(name);
    button->setToolTip(plainTip(toolTip));
    button->setAutoDefault(false);
    return button;
}

} // namespace

PlanEditor::PlanEditor(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_title(figureLine(tr("The plan that is edited"))),
      m_answer(figureLine(tr("Why the last change was refused"))), m_ops(new QTableWidget(0, 3)),
      m_segments(numberBox<QSpinBox>(1, maxParts, 1, tr("Segments"), tr("Parts of the payload, one after the other."))),
      m_splines(numberBox<QSpinBox>(
          1, maxParts, 1, tr("Splines"),
          tr("Parts of the pattern of transfers, of all but all-reduces; must divide the number of processes."))),
      m_shape(new QComboBox), m_channel(new QComboBox), m_orderOf(new QComboBox), m_order(new QListWidget),
      m_earlier(smallButton(QStringLiteral("↑"), tr("Earlier"), tr("Runs the motif one place earlier."))),
      m_later(smallButton(QStringLiteral("↓"), tr("Later"), tr("Runs the motif one place later."))),
      m_sooner(smallButton(tr("+1 iteration"), tr("+1 iteration: the next one's motif"),
                           tr("Runs the next iteration's motif at this place."))),
      m_afterwards(smallButton(tr("−1 iteration"), tr("−1 iteration: the previous one's motif"),
                               tr("Runs the previous iteration's motif at this place."))),
      m_body(new QWidget) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 0);
    column->setSpacing(3);
    column->addWidget(m_title);
    column->addWidget(m_body, 1);
    column->addWidget(m_answer);
    auto *body = new QHBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(8);
    body->addWidget(makeOps(), 3);
    body->addWidget(makeOrder(), 2);
    connectAll();
    refresh();
}

QWidget *PlanEditor::makeOps() {
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    m_ops->setHorizontalHeaderLabels({tr("Collective"), tr("Motifs"), tr("Channel")});
    m_ops->setAccessibleName(tr("Collectives of the plan"));
    m_ops->setToolTip(plainTip(tr("The fields below change motifs and channel of the selected collective.")));
    m_ops->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_ops->setSelectionMode(QAbstractItemView::SingleSelection);
    m_ops->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_ops->setTabKeyNavigation(false);
    m_ops->verticalHeader()->hide();
    m_ops->verticalHeader()->setDefaultSectionSize(20);
    m_ops->horizontalHeader()->setSectionResizeMode(Collective, QHeaderView::Stretch);
    m_ops->horizontalHeader()->setSectionResizeMode(Cut, QHeaderView::ResizeToContents);
    m_ops->horizontalHeader()->setSectionResizeMode(Channels, QHeaderView::ResizeToContents);
    m_ops->setMinimumHeight(48);
    column->addWidget(m_ops, 1);
    column->addWidget(makeForm());
    return page;
}

QWidget *PlanEditor::makeForm() {
    auto *form = new QWidget;
    auto *row = new QHBoxLayout(form);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_segments->setPrefix(tr("segments "));
    m_splines->setPrefix(tr("splines "));
    m_shape->setAccessibleName(tr("Algorithm of the collective"));
    m_shape->setToolTip(
        plainTip(tr("Ring: reduce-scatter, then all-gather. Tree: reduces in groups, an all-reduce of their roots, "
                    "broadcasts. Groups: in groups of neighbours, then across them.")));
    m_channel->setAccessibleName(tr("Channel"));
    m_channel->setToolTip(plainTip(tr("The channel of all its motifs, or all channels in turn.")));
    for (QSpinBox *box : {m_segments, m_splines})
        box->setMinimumWidth(box->fontMetrics().horizontalAdvance(tr("segments ") + QStringLiteral("64")) + 36);
    for (QWidget *field : {static_cast<QWidget *>(m_segments), static_cast<QWidget *>(m_splines), static_cast<QWidget *>(m_shape),
                           static_cast<QWidget *>(m_channel)})
        row->addWidget(field, 1);
    return form;
}

QWidget *PlanEditor::makeOrder() {
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    m_orderOf->setAccessibleName(tr("Channel whose order is shown"));
    m_orderOf->setToolTip(plainTip(tr("Motifs that this channel runs in every iteration, in their order")));
    m_order->setAccessibleName(tr("Order of the channel"));
    m_order->setToolTip(plainTip(tr("Drag a motif to another place, or move it with the buttons.")));
    m_order->setDragDropMode(QAbstractItemView::InternalMove);
    m_order->setDefaultDropAction(Qt::MoveAction);
    m_order->setMinimumHeight(48);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QPushButton *button : {m_earlier, m_later, m_sooner, m_afterwards})
        buttons->addWidget(button);
    column->addWidget(m_orderOf);
    column->addWidget(m_order, 1);
    column->addLayout(buttons);
    return page;
}

void PlanEditor::connectAll() {
    connect(&m_session, &Session::stateChanged, this, &PlanEditor::refresh);
    connect(m_ops, &QTableWidget::itemSelectionChanged, this, &PlanEditor::fillForm);
    for (QSpinBox *box : {m_segments, m_splines})
        connect(box, &QSpinBox::valueChanged, this, &PlanEditor::recut);
    for (QComboBox *box : {m_shape, m_channel})
        connect(box, &QComboBox::currentIndexChanged, this, &PlanEditor::recut);
    connect(m_orderOf, &QComboBox::currentIndexChanged, this, &PlanEditor::fillOrder);
    connect(m_earlier, &QPushButton::clicked, this, [this] { moveEntry(-1); });
    connect(m_later, &QPushButton::clicked, this, [this] { moveEntry(1); });
    connect(m_sooner, &QPushButton::clicked, this, [this] { moveIteration(1); });
    connect(m_afterwards, &QPushButton::clicked, this, [this] { moveIteration(-1); });
    connect(m_order->model(), &QAbstractItemModel::rowsMoved, this,
            [this](const QModelIndex & /*parent*/, int from, int /*end*/, const QModelIndex & /*to*/, int before) {
                if (!m_filling)
                    moveTo(from, before > from ? before - 1 : before);
            });
}

void PlanEditor::refresh() {
    const SessionState &state = m_session.state();
    m_side.reset();
    std::shared_ptr<const PlannedWork> shown;
    for (const Side side : {Side::A, Side::B})
        if (const auto *planned = std::get_if<Planned>(&state.side(side).source); planned && (side == Side::A || state.compare)) {
            m_side = side;
            shown = planned->work;
        }
    if (shown && shown->plan.motifs.size() > maxShown) {
        m_side.reset();
        shown.reset();
        m_title->setText(tr("This plan has more than %1 motifs, too many to be edited here.").arg(maxShown));
    } else if (!shown) {
        m_title->setText(tr("A click on a planner's row shows its plan in B, where it can be edited."));
    } else {
        m_title->setText(tr("%1: %2").arg(m_side == Side::A ? tr("A") : tr("B"), planText(shown->title)));
    }
    m_body->setVisible(shown != nullptr);
    if (std::exchange(m_work, shown) == shown)
        return;
    m_answer->clear();
    m_answer->hide();
    if (!m_work)
        return;
    fillOps();
    {
        const QSignalBlocker blocker(m_orderOf);
        const int before = std::max(0, m_orderOf->currentIndex());
        m_orderOf->clear();
        for (const Channel &channel : work().plan.channels)
            m_orderOf->addItem(tr("order of %1").arg(planText(channel.name)));
        m_orderOf->setCurrentIndex(std::min(before, m_orderOf->count() - 1));
    }
    fillOrder();
}

DagOpId PlanEditor::op() const {
    const int row = m_ops->currentRow();
    return m_work && row >= 0 ? DagOpId(m_ops->item(row, Collective)->data(Qt::UserRole).toInt()) : DagOpId();
}

std::vector<Motif> PlanEditor::motifsOf(DagOpId op) const {
    std::vector<Motif> motifs;
    for (const PlannedMotif &planned : work().plan.motifs)
        if (planned.op == op)
            motifs.push_back(planned.motif);
    return motifs;
}

std::vector<ChannelId> PlanEditor::channelsOf(DagOpId op) const {
    std::vector<ChannelId> channels;
    for (std::size_t c = 0; c < work().plan.channels.size(); ++c)
        if (std::any_of(work().plan.motifs.begin(), work().plan.motifs.end(),
                        [&](const PlannedMotif &planned) { return planned.op == op && planned.channel == ChannelId(c); }))
            channels.emplace_back(c);
    return channels;
}

QString PlanEditor::channelsText(DagOpId op) const {
    QStringList names;
    for (const ChannelId channel : channelsOf(op))
        names << planText(work().plan.channels[channel.index()].name);
    return names.join(QStringLiteral(", "));
}

void PlanEditor::fillOps() {
    {
        const QSignalBlocker blocker(m_ops);
        const std::int32_t before = m_ops->currentRow();
        m_ops->setRowCount(static_cast<int>(work().dag.submissionOrder.size()));
        int row = 0;
        for (const DagOpId o : work().dag.submissionOrder) {
            const DagOp &of = work().dag.ops[o.index()];
            const std::vector<Motif> motifs = motifsOf(o);
            const QStringList cells{planText(of.name),
                                    cutText(cutOf(*of.collective, motifs, work().dag.groupSize(of)), motifs.size()),
                                    channelsText(o)};
            for (int column = 0; column < cells.size(); ++column) {
                auto *item = new QTableWidgetItem(cells[column]);
                item->setToolTip(plainTip(
                    tr("%1: %2, %3")
                        .arg(planText(of.name), planText(std::string(nameOf(*of.collective))), bytesText(of.sizeBytes))));
                m_ops->setItem(row, column, item);
            }
            m_ops->item(row++, Collective)->setData(Qt::UserRole, o.number());
        }
        m_ops->setCurrentCell(std::clamp(before, 0, std::max(0, row - 1)), Collective);
    }
    fillForm();
}

void PlanEditor::fillShapes(const DagOp &of) {
    const std::int32_t processes = work().dag.groupSize(of);
    const auto add = [this](int shape) { m_shape->addItem(shapeText(shape), shape); };
    m_shape->clear();
    add(WholeShape);
    if (of.collective == CollectiveKind::Permute)
        return; // pairs of ranks cannot form groups
    const bool reduces = of.collective == CollectiveKind::AllReduce;
    if (reduces)
        add(RingShape);
    for (const int kind : {TreeShape, GroupsShape})
        for (std::int32_t size = 2; size < processes && (reduces || kind == GroupsShape); ++size)
            if (processes % size == 0)
                add(kind + size);
}

void PlanEditor::fillForm() {
    const DagOpId selected = op();
    if (!selected.exists())
        return;
    m_filling = true;
    const DagOp &of = work().dag.ops[selected.index()];
    const std::vector<Motif> motifs = motifsOf(selected);
    const MotifCut cut = cutOf(*of.collective, motifs, work().dag.groupSize(of)).value_or(MotifCut{});
    fillShapes(of);
    for (const auto &[box, parts] : {std::pair(m_segments, cut.segments), std::pair(m_splines, cut.splines)}) {
        box->setMaximum(std::max(maxParts, parts)); // plans from files may have more: another edit keeps them
        box->setValue(parts);
    }
    m_shape->setCurrentIndex(std::max(0, m_shape->findData(shapeOf(cut))));
    m_channel->clear();
    for (const Channel &channel : work().plan.channels)
        m_channel->addItem(planText(channel.name));
    if (work().plan.channels.size() > 1)
        m_channel->addItem(tr("all in turn"));
    const std::vector<ChannelId> used = channelsOf(selected);
    if (used.size() > 1 && used.size() < work().plan.channels.size()) // neither one channel nor all: an entry of its own
        m_channel->addItem(channelsText(selected));
    m_channel->setCurrentIndex(used.size() == 1 ? static_cast<int>(used.front().index()) : m_channel->count() - 1);
    m_filling = false;
}

QString PlanEditor::nameOfMotif(MotifId motif) const {
    const PlannedMotif &planned = work().plan.motifs[motif.index()];
    return tr("%1: %2").arg(planText(work().dag.ops[planned.op.index()].name), planText(nameOf(planned.motif)));
}

void PlanEditor::fillOrder() {
    const int channel = m_orderOf->currentIndex();
    if (!m_work || channel < 0)
        return;
    m_filling = true;
    const int before = m_order->currentRow();
    m_order->clear();
    for (const OrderEntry &entry : work().plan.orders[static_cast<std::size_t>(channel)]) {
        QString line = nameOfMotif(entry.motif);
        if (entry.iterationOffset != 0)
            line += tr(", of iteration %1%2")
                        .arg(entry.iterationOffset > 0 ? QStringLiteral("+") : QStringLiteral("−"))
                        .arg(std::abs(entry.iterationOffset));
        m_order->addItem(line);
    }
    m_order->setCurrentRow(std::clamp(before, 0, std::max(0, m_order->count() - 1)));
    for (QPushButton *button : {m_earlier, m_later, m_sooner, m_afterwards})
        button->setEnabled(m_order->count() > 0);
    m_filling = false;
}

} // namespace syncopate::ui
