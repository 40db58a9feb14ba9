// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/export_files.h"
#include "ui/session/session.h"

#include <QDialog>
#include <functional>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace syncopate::ui {

/// One sheet for everything that can be taken away: strategies, traces, tables, a picture.
class ExportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `picture` draws the panes at a scale of 1 to 4.
    ExportDialog(Session &session, std::function<QImage(int scale)> picture, QWidget *parent = nullptr);

    void setFolder(const QString &folder);
    [[nodiscard]] ExportRequest request() const;

Q_SIGNALS:
    void exported(const QStringList &paths);
    void exportFailed(const syncopate::Error &error);

public Q_SLOTS:
    void accept() override;

private:
    void refresh();

    Session &m_session;
    std::function<QImage(int)> m_picture;
    std::array<QCheckBox *, 2> m_sides{};
    QCheckBox *m_proto, *m_json, *m_trace, *m_table, *m_png;
    QComboBox *m_scale;
    QLineEdit *m_folder, *m_name;
    QLabel *m_preview;
    QDialogButtonBox *m_buttons;
};

} // namespace syncopate::ui
