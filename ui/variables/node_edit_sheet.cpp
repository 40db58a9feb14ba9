// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/variables/node_edit_sheet.h"

#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

namespace syncopate::ui {

namespace {

/// The number in a field; none if the field is empty.
Result<std::optional<std::int32_t>> numberIn(const QLineEdit *field, int least, int most) {
    const QString text = field->text().trimmed();
    if (text.isEmpty())
        return std::optional<std::int32_t>();
    bool ok = false;
    const int value = text.toInt(&ok);
    if (!ok || value < least || value > most)
        return fail(NodeEditSheet::tr("%1: “%2” is not a number from %3 to %4")
                        .arg(field->accessibleName(), text, QString::number(least), QString::number(most))
                        .toStdString());
    return std::optional<std::int32_t>(value);
}

} // namespace

NodeEditSheet::NodeEditSheet(Session &session, Side side, std::vector<std::int32_t> variables, QWidget *parent)
    : QDialog(parent), m_session(session), m_side(side), m_variables(std::move(variables)), m_state(plainLabel()),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(
        tr("Synchronise variables of %1 (%2 selected)").arg(side == Side::A ? tr("A") : tr("B")).arg(m_variables.size()));
    auto *column = new QVBoxLayout(this);
    auto *what = plainLabel(side == Side::A ? tr("Changes A, %1. Shift+E in the table changes B.")
                                            : tr("Changes B, %1. E in the table changes A."));
    what->setText(what->text().arg(QString::fromStdString(strategyTitle(session.state().side(side)))));
    what->setObjectName(QStringLiteral("what"));
    what->setWordWrap(true);
    column->addWidget(what);
    auto *form = new QFormLayout;
    form->setObjectName(QStringLiteral("form"));
    column->addLayout(form);
    m_kind = addBox("kind", tr("Synchroniser"), tr("How the gradients of all workers are combined."),
                    {tr("unchanged"), tr("parameter server"), tr("all-reduce")});
    QStringList servers{tr("unchanged"), tr("all servers in turn")};
    if (const auto run = session.run(side); run && run->simulation()) {
        m_job = run->recording().job;
        for (const std::string &device : run->simulation()->scenario.cluster->reductionDevices())
            servers += QString::fromStdString(device);
    }
    m_server =
        addBox("server", tr("Server"), tr("Parameter server: the CPU that reduces the gradients and keeps the value."), servers);
    m_proxy = addBox("proxy", tr("Proxy"), tr("Parameter server: each node keeps a copy that its devices read."),
                     {tr("unchanged"), tr("on"), tr("off")});
    m_sync = addBox("sync", tr("Consistency"), tr("Parameter server: whether a step waits for every worker's gradient."),
                    {tr("unchanged"), tr("synchronous"), tr("asynchronous")});
    m_staleness = addField("staleness", tr("Staleness"),
                           tr("Parameter server: steps that a worker may be ahead of the slowest; 0 = none."));
    m_group = addField("group", tr("Group"), tr("All-reduce: variables of one group are reduced together."));
    m_compressor =
        addBox("compressor", tr("Compressor"), tr("All-reduce: the type that gradients are cast to on the wire."),
               {tr("unchanged"), tr("none"), QStringLiteral("Horovod (float16)"), QStringLiteral("Horovod EF (float16)")});
    m_parts =
        addField("parts", tr("Parts"),
                 tr("Parts that each variable is synchronised in, along its first dimension that is long enough; 1 = whole."));
    m_state->setWordWrap(true);
    column->addWidget(m_state);
    column->addStretch();
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &NodeEditSheet::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &NodeEditSheet::reject);
    // A job that was being loaded may take the place of the one whose variables were selected.
    connect(&session, &Session::stateChanged, this, [this] {
        if (m_session.state().job != m_job)
            reject();
    });
    resize(420, sizeHint().height());
    refresh();
}

QComboBox *NodeEditSheet::addBox(const char *name, const QString &label, const QString &toolTip, const QStringList &choices) {
    auto *box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    box->addItems(choices);
    box->setToolTip(plainTip(toolTip));
    box->setAccessibleName(label);
    findChild<QFormLayout *>(QStringLiteral("form"))->addRow(label, box);
    connect(box, &QComboBox::currentIndexChanged, this, &NodeEditSheet::refresh);
    return box;
}

QLineEdit *NodeEditSheet::addField(const char *name, const QString &label, const QString &toolTip) {
    auto *field = new QLineEdit;
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(tr("unchanged"));
    field->setToolTip(plainTip(toolTip));
    field->setAccessibleName(label);
    findChild<QFormLayout *>(QStringLiteral("form"))->addRow(label, field);
    connect(field, &QLineEdit::textChanged, this, &NodeEditSheet::refresh);
    return field;
}

QComboBox *NodeEditSheet::box(const QString &name) const { return findChild<QComboBox *>(name); }
QLineEdit *NodeEditSheet::field(const QString &name) const { return findChild<QLineEdit *>(name); }

Result<NodeEdit> NodeEditSheet::edit() const {
    NodeEdit edit;
    constexpr int many = 1 << 20;
    if (m_kind->currentIndex() > 0)
        edit.kind = m_kind->currentIndex() == 1 ? SynchronizerKind::ParameterServer : SynchronizerKind::AllReduce;
    if (m_server->currentIndex() == 1)
        for (int i = 2; i < m_server->count(); ++i)
            edit.destinations.push_back(m_server->itemText(i).toStdString());
    else if (m_server->currentIndex() > 1)
        edit.destinations = {m_server->currentText().toStdString()};
    if (m_proxy->currentIndex() > 0)
        edit.localReplication = m_proxy->currentIndex() == 1;
    if (m_sync->currentIndex() > 0)
        edit.sync = m_sync->currentIndex() == 1;
    if (m_compressor->currentIndex() > 0)
        edit.compressor = static_cast<Compressor>(m_compressor->currentIndex() - 1);
    for (const auto &[field, target, least] :
         {std::tuple{m_parts, &edit.parts, 1}, {m_staleness, &edit.staleness, 0}, {m_group, &edit.group, 0}}) {
        const auto value = TRY(numberIn(field, least, many));
        *target = value;
    }
    return edit;
}

void NodeEditSheet::refresh() {
    // Not all fields exist while the form is being built.
    if (m_buttons->parent() == nullptr)
        return;
    const Result<NodeEdit> asked = edit();
    m_state->setText(asked ? QString() : QString::fromStdString(asked.error().toString()));
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(asked && !asked->isEmpty());
    const bool all = m_kind->currentIndex() == 2, server = m_kind->currentIndex() == 1;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_server, m_proxy, m_sync, m_staleness})
        widget->setEnabled(!all);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_group, m_compressor})
        widget->setEnabled(!server);
}

void NodeEditSheet::accept() {
    const auto run = m_session.run(m_side);
    const Result<NodeEdit> asked = edit();
    if (!run || !run->simulation() || !asked || m_session.isStale(m_side)) {
        m_state->setText(asked ? tr("This side is not simulated yet.") : m_state->text());
        return;
    }
    const Scenario &scenario = run->simulation()->scenario;
    const std::vector<std::string> servers = scenario.cluster->reductionDevices();
    auto strategy =
        editNodes(*scenario.strategy, *scenario.job, m_variables, *asked, servers.empty() ? std::string() : servers.front());
    if (!strategy) {
        m_state->setText(QString::fromStdString(strategy.error().toString()));
        return;
    }
    SessionState next = m_session.state();
    Source &source = next.side(m_side).source;
    source = edited(source, std::make_shared<const Strategy>(*std::move(strategy)));
    m_session.change(std::move(next),
                     tr("Edit variables of %1 (%2)").arg(m_side == Side::A ? tr("A") : tr("B")).arg(m_variables.size()));
    QDialog::accept();
}

} // namespace syncopate::ui
