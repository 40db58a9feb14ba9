// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenarios_panel.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>
#include <array>

namespace syncopate::ui {

namespace {

QString nameOfState(const SessionState &state) {
    const auto side = [&](Side s) {
        return QString::fromStdString(strategyTitle(state.side(s))).section(QLatin1Char('('), 0, 0);
    };
    QString name = side(Side::A);
    if (state.compare)
        name = ScenariosPanel::tr("%1 and %2").arg(name, side(Side::B));
    if (state.bandwidthGbits)
        name += ScenariosPanel::tr(", %1 Gb/s").arg(*state.bandwidthGbits, 0, 'g', 3);
    if (state.workers)
        name += ScenariosPanel::tr(", %1 workers").arg(*state.workers);
    return name;
}

} // namespace

ScenariosPanel::ScenariosPanel(Session &session, ProjectKeeper &keeper, QWidget *parent)
    : QWidget(parent), m_session(session), m_keeper(keeper),
      m_model([&keeper](std::vector<KeptScenario> next, const QString &text) { keeper.changeScenarios(std::move(next), text); }),
      m_table(new QTableView), m_empty(plainLabel()) {
    m_table->setModel(&m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(22);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Kept scenarios"));
    m_table->setToolTip(tr("Enter: go to it. A, B: put its A onto that side. F2: change name or note. Del: remove."));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    const std::array<int, ScenariosModel::ColumnCount> widths{220, 210, 80, 210, 80, 150, 120, 120, 160};
    for (int c = 0; c < ScenariosModel::ColumnCount; ++c)
        m_table->setColumnWidth(c, widths[static_cast<std::size_t>(c)]);
    m_empty->setText(tr("Nothing is kept yet. Ctrl+D keeps what A and B are now, to come back to or to compare with."));
    m_empty->setWordWrap(true);
    m_empty->setMargin(12);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_empty);
    column->addWidget(m_table, 1);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex &index) { goTo(index.row()); });
    connect(m_table, &QTableView::customContextMenuRequested, this, &ScenariosPanel::showMenu);
    connect(&keeper, &ProjectKeeper::scenariosChanged, this, &ScenariosPanel::refresh);
    refresh();
}

void ScenariosPanel::refresh() {
    const int row = currentRow();
    m_model.set(m_keeper.scenarios());
    m_table->setVisible(m_model.rowCount() > 0);
    m_empty->setVisible(m_model.rowCount() == 0);
    if (row >= 0 && m_model.rowCount() > 0)
        m_table->selectRow(std::min(row, m_model.rowCount() - 1));
}

int ScenariosPanel::currentRow() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.first().row();
}

void ScenariosPanel::keep() {
    if (!m_session.state().job)
        return;
    m_keeper.keepPresent(nameOfState(m_session.state()));
    const QModelIndex added = m_model.index(m_model.rowCount() - 1, ScenariosModel::Name);
    m_table->setCurrentIndex(added);
    m_table->scrollTo(added);
}

void ScenariosPanel::goTo(int row) {
    const KeptScenario &kept = m_keeper.scenarios()[static_cast<std::size_t>(row)];
    m_session.change(kept.state, tr("Go to “%1”").arg(QString::fromStdString(kept.name)));
}

void ScenariosPanel::putOn(int row, Side from, Side to) {
    const KeptScenario &kept = m_keeper.scenarios()[static_cast<std::size_t>(row)];
    if (!kept.state.job)
        return;
    SessionState next = m_session.state();
    if (next.job != kept.state.job && !(next.job && next.job->name == kept.state.job->name)) {
        Q_EMIT m_session.failed({"that scenario is of another job", "go to it (Enter), then compare", {}, {}}, false);
        return;
    }
    SideState &side = next.side(to);
    side = kept.state.side(from);
    // The cluster as the knobs of that scenario made it, unless the window's is the same.
    if (kept.state.cluster && side.hasScenario()) {
        const Cluster then = effectiveCluster(kept.state, from);
        if (then != effectiveCluster(next, to)) {
            next = withKnobsInClusters(std::move(next)); // they would turn this one too
            side.cluster = std::make_shared<const Cluster>(then);
            side.clusterSource = kept.name;
        }
    }
    if (to == Side::B)
        next.compare = true;
    m_session.change(std::move(next), tr("“%1” as %2").arg(QString::fromStdString(kept.name), to == Side::A ? tr("A") : tr("B")));
}

void ScenariosPanel::remove(int row) {
    std::vector<KeptScenario> next = m_keeper.scenarios();
    const QString name = QString::fromStdString(next[static_cast<std::size_t>(row)].name);
    next.erase(next.begin() + row);
    m_keeper.changeScenarios(std::move(next), tr("Remove “%1”").arg(name));
}

void ScenariosPanel::showMenu(const QPoint &at) {
    const int row = m_table->rowAt(at.y());
    if (row < 0)
        return;
    // Its rows are those of now: it closes when the scenarios change.
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_keeper, &ProjectKeeper::scenariosChanged, menu, &QWidget::close);
    menu->addAction(tr("Go to it (Enter)"), this, [this, row] { goTo(row); });
    menu->addSeparator();
    menu->addAction(tr("Its A as A (A)"), this, [this, row] { putOn(row, Side::A, Side::A); });
    menu->addAction(tr("Its A as B (B)"), this, [this, row] { putOn(row, Side::A, Side::B); });
    if (m_keeper.scenarios()[static_cast<std::size_t>(row)].state.compare) {
        menu->addAction(tr("Its B as A"), this, [this, row] { putOn(row, Side::B, Side::A); });
        menu->addAction(tr("Its B as B"), this, [this, row] { putOn(row, Side::B, Side::B); });
    }
    menu->addSeparator();
    menu->addAction(tr("Rename (F2)"), this, [this, row] { m_table->edit(m_model.index(row, ScenariosModel::Name)); });
    menu->addAction(tr("Remove (Del)"), this, [this, row] { remove(row); });
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

bool ScenariosPanel::eventFilter(QObject *watched, QEvent *event) {
    const int row = currentRow();
    if (watched != m_table || row < 0)
        return QWidget::eventFilter(watched, event);
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QWidget::eventFilter(watched, event);
    const bool press = event->type() == QEvent::KeyPress;
    auto *key = static_cast<QKeyEvent *>(event);
    if (key->modifiers() & ~Qt::KeypadModifier && !key->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (press)
            goTo(row);
        break;
    case Qt::Key_A:
    case Qt::Key_B:
        if (press)
            putOn(row, Side::A, key->key() == Qt::Key_A ? Side::A : Side::B);
        break;
    case Qt::Key_Delete:
        if (press)
            remove(row);
        break;
    default:
        return QWidget::eventFilter(watched, event);
    }
    event->accept(); // also as ShortcutOverride: in this table the key is not a shortcut of the window's
    return true;
}

} // namespace syncopate::ui
