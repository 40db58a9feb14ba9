// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/strategy/node_edit.h"
#include "ui/session/session.h"

#include <QDialog>
#include <memory>
#include <vector>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace syncopate::ui {

/// Changes how the selected variables are synchronised on one side, all at once. Settings left at "unchanged" keep their values.
/// `variables` are those of the job of the side's run. Closes when the session shows another job.
class NodeEditSheet final : public QDialog {
    Q_OBJECT
public:
    NodeEditSheet(Session &session, Side side, std::vector<std::int32_t> variables, QWidget *parent = nullptr);

    /// The edit in the fields; the error names an invalid field.
    [[nodiscard]] Result<NodeEdit> edit() const;
    [[nodiscard]] QComboBox *box(const QString &name) const; ///< by object name, for tests
    [[nodiscard]] QLineEdit *field(const QString &name) const;
    void accept() override;

private:
    QComboBox *addBox(const char *name, const QString &label, const QString &toolTip, const QStringList &choices);
    QLineEdit *addField(const char *name, const QString &label, const QString &toolTip);
    void refresh();

    Session &m_session;
    const Side m_side;
    const std::vector<std::int32_t> m_variables;
    std::shared_ptr<const Job> m_job; ///< whose variables they are
    QComboBox *m_kind, *m_server, *m_proxy, *m_sync, *m_compressor;
    QLineEdit *m_parts, *m_staleness, *m_group;
    QLabel *m_state;
    QDialogButtonBox *m_buttons;
};

} // namespace syncopate::ui
