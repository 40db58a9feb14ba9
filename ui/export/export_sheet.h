// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/export/export.h"
#include "engine/timeline/annotations.h"
#include "ui/export/model_table.h"
#include "ui/export/picture_file.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QDialog>
#include <QImage>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTabWidget;

namespace syncopate::ui {

/// A file that an export writes.
struct ExportFile {
    QString name; ///< without its folder
    QByteArray bytes;
    /// If set, written instead of `bytes`: text too large to hold in memory, with its size.
    TextSource text = nullptr;
    qint64 textBytes = 0;

    [[nodiscard]] qint64 size() const { return text ? textBytes : bytes.size(); }
};

/// The files that a tab of the sheet would write, and their preview.
struct ExportContent {
    std::vector<ExportFile> files;
    QString previewText;
    QImage previewImage; ///< where there is one, in place of the text
};

/// The explorer's views beside the session's runs.
struct ExportSources {
    /// The first one is the timelines, over the stretch on screen or the whole iteration; then all open panels.
    std::function<std::vector<Picture>(bool wholeIteration)> pictures;
    std::function<std::vector<NamedTable>()> tables; ///< of the open panels
    std::function<std::vector<Note>()> notes = {};   ///< on the timelines, for the report
};

/// One sheet for everything that can be exported: strategy, trace, table, picture, launcher's settings, report. The files of the
/// current tab are made at once on a worker thread, so that preview and sizes are theirs.
class ExportSheet final : public QDialog {
    Q_OBJECT
public:
    enum Tab { StrategyTab, TraceTab, TableTab, PictureTab, SettingsTab, ReportTab };

    ExportSheet(Session &session, ExportSources sources, QWidget *parent = nullptr);

    void setTab(Tab tab);
    void setFolder(const QString &folder);
    /// One of the tabs' choices: "strategySide", "strategyFormat", where a side shows a plan "planFormat" and "planOp",
    /// "traceSide", "traceFormat", "table", "tableFormat", "picture", "pictureArea", "pictureFormat", "pictureScale",
    /// "pictureTheme", "settingsSide", "settingsSystem".
    [[nodiscard]] QComboBox *choice(const char *name) const;
    /// The files to write; null until they are made, an error if they cannot be.
    [[nodiscard]] const Result<ExportContent> *content() const { return m_made ? &m_content : nullptr; }
    /// The preview says that it is being made; nothing of the previous choice is visible.
    [[nodiscard]] bool saysThatItIsMaking() const;

Q_SIGNALS:
    void contentReady();
    void exported(const QStringList &paths);
    void exportFailed(const syncopate::Error &error);

public Q_SLOTS:
    /// Writes the files of the current tab as soon as they are made.
    void accept() override;
    /// Deletes the sheet when its thread is done: making is cancelled, writing is finished. Does not block.
    void goWhenIdle();

private:
    /// The result of a stopped task is ignored.
    using Task = std::function<Result<ExportContent>(const std::stop_token &)>;
    QComboBox *addChoice(QFormLayout *form, const char *name, const QString &label, const QString &toolTip);
    QComboBox *addSides(QFormLayout *form, const char *name);
    /// Chooses B, whose simulation has a strategy to export, where A is measured.
    void chooseSimulated(QComboBox &sides) const;
    QFormLayout *addTab(const QString &title, const QString &about);
    void makeStrategyTab();
    /// Offers the formats of the strategy tab's side: of a strategy, or of a plan.
    void showPlanChoices();
    void makeTraceTab();
    void makeTableTab();
    void makePictureTab();
    void makeSettingsTab();
    void makePreview();
    QLayout *makeTarget();
    void connectAll();
    void chooseFolder();
    void make();
    void take(const Result<ExportContent> &content);
    void show(const Result<ExportContent> &content);
    void tell(const Result<QStringList> &written);
    void refreshPaths();
    /// What is to be exported shows a run of an older state than its side's name and settings; panels show both sides.
    [[nodiscard]] bool isOutdated() const;
    [[nodiscard]] Task task();
    [[nodiscard]] Task strategyTask();
    [[nodiscard]] Task planTask(const std::shared_ptr<const PlannedWork> &work, Side side);
    [[nodiscard]] Task traceTask();
    [[nodiscard]] Task tableTask();
    [[nodiscard]] Task pictureTask();
    [[nodiscard]] Task settingsTask();
    [[nodiscard]] Task reportTask();
    [[nodiscard]] Side sideOf(const char *name) const;
    [[nodiscard]] QString baseName() const;
    [[nodiscard]] QString sideName(Side side) const;

    Session &m_session;
    ExportSources m_sources;
    std::shared_ptr<const PlannedWork> m_opsOf; ///< whose collectives "planOp" lists
    QTabWidget *m_tabs;
    QStackedWidget *m_preview;
    QPlainTextEdit *m_text;
    QLabel *m_image, *m_problem, *m_making, *m_files;
    QLineEdit *m_folder, *m_name;
    QDialogButtonBox *m_buttons;
    QTimer m_makingTimer; ///< delays the "making" message, so that quick tasks do not flash it
    bool m_made = false;
    bool m_acceptWhenMade = false;
    bool m_left = false;                       ///< accepted or rejected: no new task is started
    std::shared_ptr<const NamedTable> m_table; ///< the panel's that was exported last
    bool m_keepsTable = false;                 ///< only the name has changed: m_table is not read again
    Result<ExportContent> m_content = ExportContent{};
    // Last: their threads end before the members that they report to are destroyed.
    Background<Result<ExportContent>> m_maker{this, [this](const Result<ExportContent> &content) { take(content); }};
    Background<Result<QStringList>> m_writer{this, [this](const Result<QStringList> &written) { tell(written); }};
};

} // namespace syncopate::ui
