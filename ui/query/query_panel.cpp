// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/query/query_panel.h"

#include "engine/export/write_file.h"
#include "engine/query/query_export.h"
#include "ui/runs/searcher.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

/// A side as a query sees it; what it refers to lives as long as `run`.
QuerySide querySideOf(const char *name, const std::shared_ptr<const ShownRun> &run,
                      const std::shared_ptr<const ImportedProfile> &profile) {
    QuerySide side{name, std::shared_ptr<const Recording>(run, &run->recording())};
    side.run = run->simulation();
    side.graph = run->simulation() ? static_cast<const GraphRun *>(run->simulation()) : run->plan();
    if (run->recording().measured)
        side.profile = profile;
    return side;
}

QString tableHelp() {
    QString text;
    for (const auto &table : queryTables({})) {
        text += QString::fromStdString(table->name()) + QStringLiteral(": ");
        QStringList columns;
        for (const QueryColumn &column : table->columns())
            columns += QString::fromStdString(column.name);
        text += columns.join(QStringLiteral(", ")) + QLatin1Char('\n');
    }
    return text.trimmed();
}

} // namespace

QueryPanel::QueryPanel(Session &session, const Searcher &searcher, QWidget *parent)
    : QWidget(parent), m_session(session), m_searcher(searcher) {
    auto *parts = new QSplitter;
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeQuestion());
    parts->addWidget(makeAnswer());
    parts->setSizes({420, 700});
    parts->setStretchFactor(1, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(parts);
    chooseExample(0);
    showRunning(false);
    say(tr("Ctrl+Enter asks. Rows with a span_id select their span."));
}

QWidget *QueryPanel::makeQuestion() {
    m_examples = new QComboBox;
    for (const QueryExample &example : queryExamples())
        m_examples->addItem(tr(example.title));
    m_examples->setToolTip(tr("Examples to begin with"));
    m_examples->setAccessibleName(tr("Examples"));
    connect(m_examples, &QComboBox::activated, this, [this](int index) {
        chooseExample(index);
        ask();
    });
    m_run = new QPushButton(tr("Run"));
    m_run->setToolTip(tr("Ask (Ctrl+Enter)"));
    connect(m_run, &QPushButton::clicked, this, &QueryPanel::ask);
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop the query (Esc)"));
    connect(m_cancel, &QPushButton::clicked, this, &QueryPanel::cancel);
    m_editor = new QPlainTextEdit;
    m_editor->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_editor->setAccessibleName(tr("SQL"));
    m_editor->setToolTip(plainTip(tr("One SELECT in SQLite's SQL. Times are in ns, sizes in bytes.\n\n%1").arg(tableHelp())));
    m_editor->setPlaceholderText(tr("SELECT ... FROM spans"));
    m_editor->setTabChangesFocus(true);
    m_editor->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_editor->installEventFilter(this);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_examples, 1);
    buttons->addWidget(m_run);
    buttons->addWidget(m_cancel);
    auto *question = new QWidget;
    auto *column = new QVBoxLayout(question);
    column->setContentsMargins(6, 6, 0, 6);
    column->addLayout(buttons);
    column->addWidget(m_editor, 1);
    return question;
}

QWidget *QueryPanel::makeAnswer() {
    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(QueryModel::sortRole);
    m_table = new QTableView;
    m_table->setModel(&m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setAccessibleName(tr("Answer"));
    m_table->setToolTip(tr("A row with a span_id selects that span and brings it into sight"));
    m_table->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &QueryPanel::chooseRow);
    m_state = plainLabel();
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_export = new QPushButton(tr("Export…"));
    m_export->setToolTip(tr("Write the answer as CSV or JSON"));
    connect(m_export, &QPushButton::clicked, this, &QueryPanel::chooseFile);
    auto *line = new QHBoxLayout;
    line->addWidget(m_state, 1);
    line->addWidget(m_export);
    auto *answer = new QWidget;
    auto *column = new QVBoxLayout(answer);
    column->setContentsMargins(0, 6, 6, 0);
    column->addLayout(line);
    column->addWidget(m_table, 1);
    return answer;
}

QString QueryPanel::state() const { return m_state->text(); }

void QueryPanel::chooseExample(int index) {
    m_editor->setPlainText(QString::fromUtf8(queryExamples()[static_cast<std::size_t>(index)].sql));
}

std::shared_ptr<const QueryPanel::Asked> QueryPanel::whatIsShown() const {
    auto asked = std::make_shared<Asked>();
    asked->runs = {m_session.run(Side::A), m_session.state().compare ? m_session.run(Side::B) : nullptr};
    for (std::size_t s = 0; s < asked->runs.size(); ++s)
        if (asked->runs[s])
            asked->input.sides.push_back(querySideOf(s == 0 ? "A" : "B", asked->runs[s], m_session.state().profile));
    asked->input.search = m_searcher.state();
    return asked;
}

void QueryPanel::ask() {
    const auto asked = whatIsShown();
    say(tr("Asking…"));
    m_since.start();
    m_runner.start([asked, sql = m_editor->toPlainText().toStdString()](const std::stop_token &stop, const auto &post) {
        auto result = runQuery(asked->input, sql, {}, stop);
        if (result)
            post({asked, std::make_shared<const QueryResult>(*std::move(result))});
        else
            post({asked, Unexpected(std::move(result).error())});
    });
    showRunning(true);
}

void QueryPanel::cancel() {
    if (!isRunning())
        return;
    m_runner.cancel();
    showRunning(false);
    say(tr("Cancelled"));
}

void QueryPanel::take(const Answer &answer) {
    showRunning(false);
    if (!answer.result) {
        say(QString::fromStdString(answer.result.error().toString()), true);
        return;
    }
    m_asked = answer.asked;
    m_sorted.sort(-1);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_model.set(*answer.result);
    constexpr int widest = 320, rowsForWidths = 100;
    m_table->horizontalHeader()->setResizeContentsPrecision(rowsForWidths);
    m_table->resizeColumnsToContents();
    for (int c = 0; c < m_model.columnCount(); ++c)
        m_table->setColumnWidth(c, std::min(m_table->columnWidth(c), widest));
    const QueryResult &result = **answer.result;
    const QString rows = result.isCut ? tr("the first %n rows", "", static_cast<int>(result.rows.size()))
                                      : tr("%n rows", "", static_cast<int>(result.rows.size()));
    say(tr("%1 in %2").arg(rows, secondsText(result.wallSeconds)));
    m_export->setEnabled(true);
}

void QueryPanel::chooseRow(const QModelIndex &index) {
    const auto key = m_model.spanKey(m_sorted.mapToSource(index).row());
    if (!key || !m_asked)
        return;
    const auto place = spanOfKey(m_asked->input, *key);
    if (!place)
        return;
    const Side side = m_asked->input.sides[place->side].name == "A" ? Side::A : Side::B;
    if (m_session.run(side) != m_asked->runs[indexOf(side)]) {
        say(tr("The timeline has changed since: run the query again to select its spans."));
        return;
    }
    Q_EMIT spanWanted(side, place->span);
}

void QueryPanel::chooseFile() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the answer"), QStringLiteral("query.csv"),
                                                      tr("CSV (*.csv);;JSON (*.json)"));
    if (!path.isEmpty())
        exportTo(path);
}

void QueryPanel::exportTo(const QString &path) {
    if (!m_model.result())
        return;
    const bool isJson = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    const std::string text =
        isJson ? queryResultJson(*m_model.result()) : writeTable(tableOf(*m_model.result()), TableFormat::Csv);
    if (const auto written = writeFile(path.toStdString(), text); !written)
        say(QString::fromStdString(written.error().toString()), true);
    else
        say(tr("Wrote %1").arg(QFileInfo(path).fileName()));
}

void QueryPanel::say(const QString &text, bool isError) {
    m_state->setText(text);
    m_state->setToolTip(plainTip(text));
    QFont font = m_state->font();
    font.setBold(isError);
    m_state->setFont(font);
}

void QueryPanel::showRunning(bool running) {
    m_cancel->setVisible(running);
    m_export->setEnabled(!running && m_model.result() != nullptr);
}

bool QueryPanel::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (watched == m_editor && isEnter && (key->modifiers() & Qt::ControlModifier) != 0) {
            ask();
            return true;
        }
        if (key->key() == Qt::Key_Escape && isRunning()) {
            cancel();
            return true;
        }
        if (watched == m_table && isEnter) {
            chooseRow(m_table->currentIndex());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace syncopate::ui
