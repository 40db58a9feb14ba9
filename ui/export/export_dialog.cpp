// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace syncopate::ui {

ExportDialog::ExportDialog(Session &session, std::function<QImage(int scale)> picture, QWidget *parent)
    : QDialog(parent), m_session(session), m_picture(std::move(picture)),
      m_proto(new QCheckBox(tr("Strategy, AutoDist .pb, with the builder that loads it"))),
      m_json(new QCheckBox(tr("Strategy, JSON"))), m_trace(new QCheckBox(tr("Timeline, Chrome trace JSON (opens in Perfetto)"))),
      m_table(new QCheckBox(tr("Table of variables, CSV"))), m_png(new QCheckBox(tr("Picture of the panes, PNG at"))),
      m_scale(new QComboBox), m_folder(new QLineEdit), m_name(new QLineEdit), m_preview(new QLabel),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Export"));
    setMinimumWidth(520);
    m_proto->setObjectName(QStringLiteral("proto"));
    m_json->setObjectName(QStringLiteral("json"));
    m_trace->setObjectName(QStringLiteral("trace"));
    m_table->setObjectName(QStringLiteral("table"));
    m_png->setObjectName(QStringLiteral("png"));
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(16);
    auto *sides = new QHBoxLayout;
    for (std::size_t s = 0; s < 2; ++s) {
        const Side side = s == 0 ? Side::A : Side::B;
        m_sides[s] = new QCheckBox(tr("%1: %2").arg(s == 0 ? QStringLiteral("A") : QStringLiteral("B"),
                                                    QString::fromStdString(strategyTitle(session.state().side(side)))));
        m_sides[s]->setEnabled(session.run(side) != nullptr);
        m_sides[s]->setChecked(session.run(side) != nullptr);
        sides->addWidget(m_sides[s]);
    }
    sides->addStretch();
    form->addRow(tr("Of"), sides);
    auto *what = new QVBoxLayout;
    for (QCheckBox *box : {m_proto, m_json, m_trace, m_table})
        what->addWidget(box);
    for (int scale = 1; scale <= 4; ++scale)
        m_scale->addItem(QStringLiteral("%1×").arg(scale), scale);
    m_scale->setCurrentIndex(1);
    m_scale->setAccessibleName(tr("Scale of the picture"));
    auto *pictureRow = new QHBoxLayout;
    pictureRow->addWidget(m_png);
    pictureRow->addWidget(m_scale);
    pictureRow->addStretch();
    what->addLayout(pictureRow);
    form->addRow(tr("What"), what);
    for (QCheckBox *box : {m_proto, m_json, m_trace, m_table, m_png})
        box->setChecked(true);

    m_name->setText(QFileInfo(QString::fromStdString(session.state().source)).baseName());
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    m_folder->setText(QFileInfo(documents).isDir() ? documents : QDir::homePath()); // a server account may have no Documents
    auto *browse = new QPushButton(tr("Choose…"));
    auto *folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder);
    folderRow->addWidget(browse);
    form->addRow(tr("Folder"), folderRow);
    form->addRow(tr("Name"), m_name);
    m_preview->setWordWrap(true);
    m_preview->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form->addRow(tr("Writes"), m_preview);
    auto *save = m_buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    save->setDefault(true);
    auto *column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addStretch();
    column->addWidget(m_buttons);

    connect(browse, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Export into"), m_folder->text());
        if (!folder.isEmpty())
            setFolder(folder);
    });
    for (QCheckBox *box : {m_sides[0], m_sides[1], m_proto, m_json, m_trace, m_table, m_png})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(m_name, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ExportDialog::reject);
    refresh();
}

void ExportDialog::setFolder(const QString &folder) { m_folder->setText(folder); }

ExportRequest ExportDialog::request() const {
    ExportRequest request;
    request.folder = m_folder->text();
    request.name = m_name->text();
    for (std::size_t s = 0; s < 2; ++s)
        if (const auto run = m_session.run(s == 0 ? Side::A : Side::B); run && m_sides[s]->isChecked())
            request.runs[s] = run->runPointer();
    request.strategyProto = m_proto->isChecked();
    request.strategyJson = m_json->isChecked();
    request.trace = m_trace->isChecked();
    request.table = m_table->isChecked();
    return request;
}

void ExportDialog::refresh() {
    ExportRequest wanted = request();
    if (m_png->isChecked())
        wanted.picture = QImage(1, 1, QImage::Format_RGB32); // stands for the real one, which takes longer to draw
    QStringList names;
    bool overwrites = false;
    for (const QString &path : exportPaths(wanted)) {
        names.push_back(QFileInfo(path).fileName());
        overwrites = overwrites || QFileInfo::exists(path);
    }
    QString text = names.isEmpty() ? tr("nothing") : names.join(QStringLiteral(", "));
    if (overwrites)
        text += QStringLiteral("\n") + tr("Files of these names are there and will be replaced.");
    m_preview->setText(text);
    const bool possible = !names.isEmpty() && !m_name->text().trimmed().isEmpty() && !m_name->text().contains(QLatin1Char('/')) &&
                          QFileInfo(m_folder->text()).isDir();
    if (!QFileInfo(m_folder->text()).isDir())
        m_preview->setText(tr("There is no such folder."));
    for (QAbstractButton *button : m_buttons->buttons())
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
            button->setEnabled(possible);
}

void ExportDialog::accept() {
    ExportRequest wanted = request();
    if (m_png->isChecked())
        wanted.picture = m_picture(m_scale->currentData().toInt());
    m_session.runInBackground(
        [wanted]() -> Result<QString> {
            const auto written = writeExports(wanted);
            if (!written)
                return Unexpected(written.error());
            return written->join(QLatin1Char('\n'));
        },
        // The dialog may be gone when the files are written; its signals are not needed then.
        [self = QPointer<ExportDialog>(this)](const Result<QString> &done) {
            if (!self)
                return;
            if (done)
                Q_EMIT self->exported(done->split(QLatin1Char('\n')));
            else
                Q_EMIT self->exportFailed(done.error());
        });
    QDialog::accept();
}

} // namespace syncopate::ui
