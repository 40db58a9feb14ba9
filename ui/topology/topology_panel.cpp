// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/topology_panel.h"

#include "ui/session/loaded_state.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/glyph.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/topology/link_legend.h"
#include "ui/topology/topology_field.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr double playSeconds = 4;    ///< on screen, per iteration
constexpr double momentShare = 0.02; ///< of the iteration: the averaging window while playing

} // namespace

TopologyPanel::TopologyPanel(const Theme &theme, Session &session, TimeAxis &axis, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_axis(axis), m_axisOfB(&axis), m_view(new TopologyView(theme)),
      m_side(new QComboBox), m_paint(new QComboBox), m_legend(new LinkLegend(theme, *m_view)), m_play(new QToolButton),
      m_summary(new ElidedLabel), m_formTitle(plainLabel()) {
    auto *left = new QVBoxLayout;
    left->setContentsMargins(0, 0, 0, 0);
    left->addLayout(makeBar());
    left->addWidget(m_view, 1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addLayout(left, 1);
    row->addWidget(makeForm());

    m_playTimer.setInterval(16);
    connect(&m_playTimer, &QTimer::timeout, this, &TopologyPanel::showTimeWindow);
    connect(m_play, &QToolButton::toggled, this, &TopologyPanel::play);
    connect(m_paint, &QComboBox::currentIndexChanged, this, [this](int index) {
        const auto paint = static_cast<LinkPaint>(index);
        m_view->setLinkPaint(paint);
        m_legend->refresh();
        if (paint != LinkPaint::Load)
            play(false); // a link's worth does not depend on the time
        showTimeWindow();
    });
    connect(m_side, &QComboBox::currentIndexChanged, this, &TopologyPanel::refresh);
    connect(m_view, &TopologyView::selectionChanged, this, &TopologyPanel::showForm);
    connect(&session, &Session::runsChanged, this, &TopologyPanel::refresh);
    m_pause.setSingleShot(true);
    m_pause.setInterval(150);
    connect(&m_pause, &QTimer::timeout, this, &TopologyPanel::simulateSavings);
    connect(&session, &Session::stateChanged, this, [this] {
        cancelSavings(); // of a run that is being replaced, or in the way of the other side's
        if (m_seen && m_data)
            m_pause.start();
        m_side->setEnabled(m_session.state().compare);
        if (!m_session.state().compare)
            m_side->setCurrentIndex(0);
    });
    connect(&axis, &TimeAxis::windowChanged, this, &TopologyPanel::showTimeWindow);
    showForm();
}

QLayout *TopologyPanel::makeBar() {
    m_side->addItems({tr("A"), tr("B")});
    m_side->setAccessibleName(tr("Side whose cluster is shown"));
    m_side->setToolTip(tr("The side whose cluster, links and placement are shown"));
    m_paint->addItems({tr("Load"), tr("Worth of a faster link")});
    m_paint->setAccessibleName(tr("Meaning of the links' colours"));
    m_paint->setToolTip(
        tr("Load: the share of a link's capacity that is used over the visible time.\n"
           "Worth: by how much 1 Gbit/s more, in both directions of a node's link, shortens the iteration; simulated."));
    m_play->setText(tr("Play"));
    m_play->setIcon(glyph(m_theme, QStringLiteral("play")));
    m_play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_play->setCheckable(true);
    m_play->setToolTip(tr("Run through the iteration: the cursor moves, and the links show the load at that moment"));
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 0);
    top->addWidget(m_side);
    top->addWidget(m_paint);
    top->addWidget(m_play);
    top->addSpacing(4);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long text must not widen the panel
    top->addWidget(m_summary, 1);
    top->addSpacing(8);
    top->addWidget(m_legend);
    return top;
}

QWidget *TopologyPanel::makeForm() {
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(6);
    m_formTitle->setWordWrap(true);
    m_formTitle->setMinimumHeight(2 * m_formTitle->fontMetrics().lineSpacing()); // a title of one line must not move the fields
    m_formTitle->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(m_formTitle);
    auto *form = new QFormLayout;
    form->setVerticalSpacing(4);
    for (const Field &field : Field::all()) {
        auto *edit = new QLineEdit;
        edit->setObjectName(QLatin1String(field.id));
        edit->setToolTip(plainTip(tr(field.toolTip)));
        edit->setAccessibleName(tr(field.name));
        edit->setMaximumWidth(120);
        auto *label = plainLabel(tr(field.name));
        label->setToolTip(plainTip(tr(field.toolTip)));
        label->setBuddy(edit);
        form->addRow(label, edit);
        m_fields.push_back(edit);
        connect(edit, &QLineEdit::editingFinished, this, [this, edit, &field] {
            if (edit->isModified())
                apply(field, edit->text());
        });
    }
    column->addLayout(form);
    m_add = new QPushButton(tr("Add a node"));
    m_add->setToolTip(tr("Another node like the selected one (or the last)"));
    m_add->setIcon(glyph(m_theme, QStringLiteral("add")));
    m_remove = new QPushButton(tr("Remove"));
    m_remove->setIcon(glyph(m_theme, QStringLiteral("remove")));
    m_remove->setToolTip(tr("Remove the selected nodes from the cluster"));
    m_save = new QPushButton(tr("Save as resource_spec.yml…"));
    m_save->setToolTip(tr("Write the cluster as AutoDist reads it, with the knobs' changes"));
    for (QPushButton *button : {m_add, m_remove, m_save})
        button->setAutoDefault(true); // Return presses it
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    column->addLayout(buttons);
    column->addWidget(m_save);
    column->addStretch();
    connect(m_add, &QPushButton::clicked, this, &TopologyPanel::addNode);
    connect(m_remove, &QPushButton::clicked, this, &TopologyPanel::removeNodes);
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (cluster())
            Q_EMIT saveRequested(presentCluster());
    });
    auto *scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // focus belongs to its fields
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(250);
    return scroll;
}

Side TopologyPanel::side() const { return m_side->currentIndex() == 1 ? Side::B : Side::A; }

QLineEdit *TopologyPanel::field(const QString &name) const { return findChild<QLineEdit *>(name); }

const Cluster *TopologyPanel::cluster() const { return m_data ? m_data->cluster.get() : nullptr; }

Cluster TopologyPanel::presentCluster() const {
    const SessionState &state = m_session.state();
    return state.cluster ? effectiveCluster(state, side()) : *cluster();
}

std::vector<std::size_t> TopologyPanel::selectedIn(const Cluster &present) const {
    if (present == *cluster())
        return m_view->selectedNodes();
    std::vector<std::size_t> nodes;
    for (const std::size_t node : m_view->selectedNodes()) {
        const auto same = std::ranges::find(present.nodes, cluster()->nodes[node].address, &Node::address);
        if (same != present.nodes.end())
            nodes.push_back(static_cast<std::size_t>(same - present.nodes.begin()));
    }
    return nodes;
}

void TopologyPanel::setOffset(double nanoseconds) {
    if (std::exchange(m_offset, nanoseconds) != nanoseconds)
        showTimeWindow();
}

void TopologyPanel::setAxisOfB(TimeAxis &axis) {
    m_axisOfB = &axis;
    connect(&axis, &TimeAxis::windowChanged, this, &TopologyPanel::showTimeWindow, Qt::UniqueConnection);
    showTimeWindow();
}

void TopologyPanel::setSeen(bool seen) {
    m_seen = seen;
    if (seen) {
        refresh();
        return;
    }
    play(false);
    m_counter.cancel();
    cancelSavings();
}

void TopologyPanel::refresh() {
    if (!m_seen)
        return;
    cancelSavings();
    const SessionState &state = m_session.state();
    const bool isRecording = state.job && showsRecording(state);
    m_view->setEmptyText(isRecording ? tr("A recording is shown as it was made: it is not simulated on a cluster.")
                                     : tr("No cluster is loaded."));
    if (!state.job || !state.cluster || isRecording) {
        m_counter.cancel();
        setData(nullptr);
        return;
    }
    m_counter.start(
        [cluster = effectiveCluster(state, side()), run = m_session.run(side())](const std::stop_token &, const auto &post) {
            post(std::make_shared<const TopologyData>(makeTopologyData(cluster, run)));
        });
}

void TopologyPanel::simulateSavings() {
    if (!m_seen || m_counter.isPending() || !m_data || !m_data->run || m_data->savingsKnown)
        return; // pending savings are simulated once the data is here
    if (m_session.isStale(side())) {
        m_pause.start();
        return;
    }
    m_simulator.start([data = *m_data](const std::stop_token &stop, const auto &post) mutable {
        ui::simulateSavings(data, stop);
        post(std::make_shared<const TopologyData>(std::move(data)));
    });
}

void TopologyPanel::cancelSavings() {
    m_pause.stop();
    m_simulator.cancel();
}

void TopologyPanel::setData(std::shared_ptr<const TopologyData> data) {
    m_data = std::move(data);
    if (m_playTimer.isActive() && !(m_data && m_data->run))
        play(false);
    if (m_data && m_data->run && !m_data->savingsKnown)
        m_pause.start();
    m_view->setData(m_data);
    m_legend->refresh();
    showTimeWindow();
    showForm();
}

void TopologyPanel::showTimeWindow() {
    if (!m_seen)
        return;
    if (!m_data || !m_data->run) {
        m_summary->setText(m_data ? tr("Nothing is simulated on it: links have no load to show.") : QString());
        m_view->setWindow(0, 0);
        return;
    }
    const Run &run = *m_data->run;
    const double start = run.windowStartSeconds;
    if (m_playTimer.isActive()) {
        const double at = static_cast<double>(m_playing.elapsed()) / 1000 / playSeconds;
        if (at >= 1) {
            play(false);
            return;
        }
        const double moment = at * run.iterationSeconds, half = momentShare / 2 * run.iterationSeconds;
        axis().setCursor(moment * 1e9 - offset());
        m_view->setWindow(start + moment - half, start + moment + half);
        m_summary->setText(tr("At %1: ↑ sent, ↓ received").arg(secondsText(moment)));
        return;
    }
    const auto [from, to] = axis().window();
    m_view->setWindow(start + (from + offset()) * 1e-9, start + (to + offset()) * 1e-9);
    if (m_view->linkPaint() == LinkPaint::Worth) {
        m_summary->setText(tr("Iteration time saved by 1 Gbit/s more; folded nodes are sped up together"));
        return;
    }
    m_summary->setText(tr("Over the visible %1: ↑ sent, ↓ received").arg(secondsText((to - from) * 1e-9)));
}

void TopologyPanel::play(bool on) {
    const QSignalBlocker quiet(m_play);
    on = on && m_data && m_data->run;
    m_play->setChecked(on);
    m_play->setText(on ? tr("Stop") : tr("Play"));
    m_play->setIcon(glyph(m_theme, on ? QStringLiteral("stopSearch") : QStringLiteral("play")));
    if (on) {
        m_paint->setCurrentIndex(static_cast<int>(LinkPaint::Load));
        m_playing.start();
        m_playTimer.start();
    } else {
        m_playTimer.stop();
    }
    showTimeWindow();
}

void TopologyPanel::showForm() {
    const std::vector<std::size_t> nodes = m_view->selectedNodes();
    const Cluster *shown = cluster();
    const bool valid = shown && (nodes.empty() || nodes.back() < shown->nodes.size());
    m_formTitle->setText(!valid              ? m_view->emptyText()
                         : nodes.empty()     ? tr("The whole cluster; select nodes to change only them.")
                         : nodes.size() == 1 ? QString::fromStdString(shown->nodes[nodes.front()].address)
                                             : tr("%1 nodes are selected.").arg(nodes.size()));
    const std::vector<Field> &fields = Field::all();
    for (std::size_t f = 0; f < fields.size(); ++f) {
        QLineEdit *edit = m_fields[f];
        edit->setEnabled(valid);
        if (!valid || (edit->hasFocus() && edit->isModified()))
            continue;
        // Differing values are shown as such; typing makes them equal.
        const auto text = fields[f].sharedText(*shown, nodes);
        edit->setText(text.value_or(QString()));
        edit->setPlaceholderText(text ? QString() : tr("they differ"));
    }
    m_add->setEnabled(valid);
    m_remove->setEnabled(valid && !nodes.empty() && nodes.size() < shown->nodes.size());
    m_save->setEnabled(valid);
    m_play->setEnabled(m_data && m_data->run);
}

void TopologyPanel::apply(const Field &field, const QString &text) {
    if (!cluster())
        return;
    const Cluster present = presentCluster();
    Cluster next = present;
    std::vector<std::size_t> nodes = selectedIn(present);
    if (m_view->selectedNodes().empty() || !field.ofNodes) {
        nodes.resize(field.ofNodes ? next.nodes.size() : 1);
        for (std::size_t n = 0; n < nodes.size(); ++n)
            nodes[n] = n;
    }
    if (nodes.empty()) { // the selected ones are not in the present cluster
        showForm();
        return;
    }
    for (const std::size_t n : nodes)
        if (const Result<void> set = field.set(next, n, text); !set) {
            Error error = set.error();
            error.place = tr(field.name).toStdString();
            Q_EMIT m_session.failed(error, false);
            m_fields[static_cast<std::size_t>(&field - Field::all().data())]->setModified(false);
            showForm();
            return;
        }
    change(withoutStaleCurves(std::move(next), present), tr("%1: %2").arg(tr(field.name), text.trimmed()));
}

void TopologyPanel::change(Cluster cluster, const QString &text) {
    if (cluster.replicaCount() < 1) {
        Q_EMIT m_session.failed(
            {"no replica would be left to train on", "leave a node with a GPU or a CPU that does not only serve", {}, {}}, false);
        showForm();
        return;
    }
    for (QLineEdit *edit : m_fields)
        edit->setModified(false);
    // The edited cluster has the knobs' changes applied.
    SessionState next = withKnobsInClusters(m_session.state());
    auto shared = std::make_shared<const Cluster>(std::move(cluster));
    if (next.side(side()).cluster) {
        next.side(side()).cluster = std::move(shared);
    } else {
        next.cluster = std::move(shared);
        next.clusterEdited = true;
    }
    m_session.change(std::move(next), text);
}

void TopologyPanel::addNode() {
    if (!cluster())
        return;
    const Cluster present = presentCluster();
    const std::vector<std::size_t> nodes = selectedIn(present);
    change(withNodeLike(present, nodes.empty() ? present.nodes.size() - 1 : nodes.back()), tr("Add a node"));
}

void TopologyPanel::removeNodes() {
    if (!cluster())
        return;
    const Cluster present = presentCluster();
    const std::vector<std::size_t> nodes = selectedIn(present);
    std::vector<bool> removed(present.nodes.size(), false);
    for (const std::size_t node : nodes)
        removed[node] = true;
    if (!nodes.empty())
        change(withoutNodes(present, removed), tr("Remove nodes"));
}

} // namespace syncopate::ui
