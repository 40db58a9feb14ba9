// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_sheet.h"

#include "engine/base/units.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/save_dialog.h"
#include "ui/theme/screen_fit.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

/// Returns their paths. Writes all files or none.
Result<QStringList> writeInto(const QDir &folder, const std::vector<ExportFile> &files) {
    QStringList paths;
    std::vector<OutputFile> outputs;
    for (const ExportFile &file : files) {
        paths.push_back(folder.filePath(file.name));
        const std::string_view bytes(file.bytes.constData(), static_cast<std::size_t>(file.bytes.size()));
        outputs.push_back({paths.back().toStdString(),
                           file.text ? file.text : TextSource([bytes](const TextSink &sink) { return sink(bytes); })});
    }
    TRY(writeFiles(outputs));
    return paths;
}

} // namespace

ExportSheet::ExportSheet(Session &session, ExportSources sources, QWidget *parent)
    : QDialog(parent), m_session(session), m_sources(std::move(sources)), m_tabs(new QTabWidget), m_preview(new QStackedWidget),
      m_text(new QPlainTextEdit), m_image(plainLabel()), m_problem(plainLabel()), m_making(plainLabel(tr("Making the preview…"))),
      m_files(plainLabel()), m_folder(new QLineEdit), m_name(new QLineEdit),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Export"));
    resizeWithinScreen(*this, {720, 620});
    m_tabs->setAccessibleName(tr("What to export"));
    m_tabs->setToolTip(tr("Each tab writes one kind of file"));

    makeStrategyTab();
    makeTraceTab();
    makeTableTab();
    makePictureTab();
    makeSettingsTab();
    addTab(tr("&Report"), tr("One HTML file: A and B, knobs with units, timelines, strategy, assumptions and versions. Dark or "
                             "light as the reader's browser, light on paper."));

    makePreview();
    QLayout *target = makeTarget();
    auto *save = m_buttons->addButton(tr("E&xport"), QDialogButtonBox::AcceptRole);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_tabs);
    column->addWidget(m_preview, 1);
    column->addLayout(target);
    column->addWidget(m_buttons);
    save->setDefault(true); // only once the dialog owns it: earlier, the dialog's first button would become the default
    connectAll();
    make();
}

void ExportSheet::makePreview() {
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("Preview"));
    m_text->setToolTip(tr("The beginning of the file to be written"));
    m_image->setAlignment(Qt::AlignCenter);
    m_image->setMinimumSize(100, 100);
    m_image->setAccessibleName(tr("Preview"));
    m_problem->setWordWrap(true);
    m_problem->setAlignment(Qt::AlignCenter);
    m_problem->setMargin(24);
    m_making->setAlignment(Qt::AlignCenter);
    constexpr int noTimeMs = 100;
    m_makingTimer.setSingleShot(true);
    m_makingTimer.setInterval(noTimeMs);
    connect(&m_makingTimer, &QTimer::timeout, this, [this] {
        if (!m_made)
            m_preview->setCurrentWidget(m_making);
    });
    for (QWidget *page : std::initializer_list<QWidget *>{m_making, m_problem, m_text, m_image})
        m_preview->addWidget(page);
    m_preview->setMinimumHeight(80); // on a low screen the choices above it have to fit, too
}

QLayout *ExportSheet::makeTarget() {
    m_name->setText(QFileInfo(QString::fromStdString(m_session.state().source)).baseName());
    m_name->setAccessibleName(tr("Name"));
    m_name->setToolTip(tr("Prefix of the files' names"));
    m_folder->setText(exportFolder());
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setToolTip(tr("Where the files are written"));
    m_files->setWordWrap(true);
    m_files->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *browse = new QPushButton(tr("Choose…"));
    browse->setToolTip(tr("Choose the folder"));
    auto *folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder);
    folderRow->addWidget(browse);
    auto *target = new QFormLayout;
    auto *folderLabel = plainLabel(tr("F&older"));
    folderLabel->setBuddy(m_folder);
    target->addRow(folderLabel, folderRow);
    target->addRow(tr("&Name"), m_name);
    target->addRow(tr("Writes"), m_files);
    connect(browse, &QPushButton::clicked, this, &ExportSheet::chooseFolder);
    return target;
}

void ExportSheet::chooseFolder() {
    // Not exec(): the sheet may finish and be deleted while the user browses folders.
    auto *folders = new QFileDialog(this, tr("Export into"), m_folder->text());
    folders->setAttribute(Qt::WA_DeleteOnClose);
    folders->setFileMode(QFileDialog::Directory);
    folders->setOption(QFileDialog::ShowDirsOnly);
    connect(folders, &QFileDialog::fileSelected, this, &ExportSheet::setFolder);
    folders->open();
}

void ExportSheet::connectAll() {
    connect(m_tabs, &QTabWidget::currentChanged, this, &ExportSheet::make);
    for (QComboBox *choice : findChildren<QComboBox *>())
        connect(choice, &QComboBox::currentIndexChanged, this, &ExportSheet::make);
    // The stub contains the file names, too. A panel's table may be large, and is read on this thread: it stays.
    connect(m_name, &QLineEdit::textChanged, this, [this] {
        m_keepsTable = true;
        make();
        m_keepsTable = false;
    });
    connect(m_folder, &QLineEdit::textChanged, this, &ExportSheet::refreshPaths);
    connect(&m_session, &Session::runsChanged, this, &ExportSheet::make);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ExportSheet::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ExportSheet::reject);
}

void ExportSheet::setTab(Tab tab) { m_tabs->setCurrentIndex(tab); }
void ExportSheet::setFolder(const QString &folder) { m_folder->setText(folder); }
QString ExportSheet::baseName() const { return m_name->text().trimmed(); }

void ExportSheet::make() {
    if (m_left)
        return;
    for (const char *name : {"pictureArea", "pictureScale"}) {
        const bool area = name[7] == 'A';
        choice(name)->setEnabled(area ? choice("picture")->currentIndex() == 0
                                      : choice("pictureFormat")->currentData().toInt() == static_cast<int>(PictureFormat::Png));
    }
    showPlanChoices();
    m_made = false;
    m_makingTimer.start();
    m_files->setText(tr("…"));
    for (QAbstractButton *button : m_buttons->buttons())
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
            button->setEnabled(false);
    m_maker.start([work = task()](const std::stop_token &stop, const auto &post) { post(work(stop)); });
}

void ExportSheet::take(const Result<ExportContent> &content) {
    if (m_left)
        deleteLater(); // goWhenIdle() waited for its thread
    else
        show(content);
}

bool ExportSheet::saysThatItIsMaking() const { return m_preview->currentWidget() == m_making; }

void ExportSheet::show(const Result<ExportContent> &content) {
    m_makingTimer.stop();
    m_content = content;
    m_made = true;
    if (!content) {
        const auto sentence = [](const std::string &text) {
            QString capital = QString::fromStdString(text);
            if (!capital.isEmpty())
                capital[0] = capital[0].toUpper();
            return capital;
        };
        m_problem->setText(QStringLiteral("⚠ %1.\n%2.").arg(sentence(content.error().what), sentence(content.error().remedy)));
        m_preview->setCurrentWidget(m_problem);
    } else if (!content->previewImage.isNull()) {
        const qreal ratio = devicePixelRatioF();
        QPixmap pixmap = QPixmap::fromImage(content->previewImage)
                             .scaled(m_preview->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        pixmap.setDevicePixelRatio(ratio);
        m_image->setPixmap(pixmap);
        m_preview->setCurrentWidget(m_image);
    } else {
        m_text->setPlainText(content->previewText);
        m_preview->setCurrentWidget(m_text);
    }
    refreshPaths();
    Q_EMIT contentReady();
    if (m_acceptWhenMade)
        accept();
}

void ExportSheet::refreshPaths() {
    if (!m_made)
        return;
    const bool folder = QFileInfo(m_folder->text()).isDir();
    const bool named = !baseName().isEmpty() && !baseName().contains(QLatin1Char('/'));
    QStringList names;
    bool replaces = false;
    if (m_content)
        for (const ExportFile &file : m_content->files) {
            names.push_back(
                QStringLiteral("%1 (%2)").arg(file.name, QString::fromStdString(formatBytes(static_cast<double>(file.size())))));
            replaces = replaces || QFileInfo::exists(QDir(m_folder->text()).filePath(file.name));
        }
    QString text = !folder  ? tr("There is no such folder.")
                   : !named ? tr("Give the files a name without /.")
                            : names.join(QStringLiteral(", "));
    if (folder && named && replaces)
        text += QLatin1Char('\n') + tr("An existing file of this name will be replaced.");
    m_files->setText(m_content ? text : tr("nothing"));
    for (QAbstractButton *button : m_buttons->buttons())
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
            button->setEnabled(folder && named && m_content.has_value());
}

void ExportSheet::accept() {
    m_acceptWhenMade = !m_made;
    if (!m_made || m_left)
        return;
    if (!m_content) {
        Q_EMIT exportFailed(m_content.error());
        return; // the preview says why; another choice may do
    }
    m_left = true;
    m_writer.start([files = m_content->files, folder = QDir(m_folder->text())](const std::stop_token &, const auto &post) {
        post(writeInto(folder, files));
    });
    QDialog::accept();
}

void ExportSheet::tell(const Result<QStringList> &written) {
    if (written) {
        rememberExportFolder(written->first());
        Q_EMIT exported(*written);
    } else
        Q_EMIT exportFailed(written.error());
}

void ExportSheet::goWhenIdle() {
    if (std::exchange(m_left, true))
        return;
    // Queued behind the task being made, which is asked to stop.
    m_maker.start([](const std::stop_token &, const auto &post) { post(ExportContent{}); });
}

} // namespace syncopate::ui
