// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/query/query_panel.h"

#include "engine/export/write_file.h"
#include "engine/query/query_export.h"
#include "ui/runs/searcher.h"
#include "ui/tables/dense_table.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/save_dialog.h"
#include "ui/theme/scrolled_label.h"

#include <QComboBox>
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
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

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

/// The result with its rows in QueryModel::order().
QueryResult inOrder(const QueryResult &result, const std::vector<std::size_t> &order) {
    if (order.empty())
        return result;
    QueryResult sorted{result.columns, {}, result.isCut, result.wallSeconds};
    sorted.rows.reserve(order.size());
    for (const std::size_t row : order)
        sorted.rows.push_back(result.rows[row]);
    return sorted;
}

} // namespace

QueryPanel::QueryPanel(Session &session, const Searcher &searcher, QWidget *parent)
    : QWidget(parent), m_session(session), m_searcher(searcher) {
    auto *parts = new QSplitter;
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeQuestion());
    parts->addWidget(makeAnswer());
    parts->setSizes({420, 700});
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 5);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(parts, 1);
    column->addLayout(makeStateLine());
    chooseExample(0);
    m_editor->document()->clearUndoRedoStacks();
    showRunning(false);
    say(tr("Ctrl+Enter asks. Rows with a span_id select their span."));
}

QWidget *QueryPanel::makeQuestion() {
    m_examples = new QComboBox;
    for (const QueryExample &example : queryExamples())
        m_examples->addItem(tr(example.title));
    m_examples->setToolTip(tr("Examples to begin with"));
    m_examples->setAccessibleName(tr("Examples"));
    m_examples->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_examples->setMinimumContentsLength(12);
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
    column->setContentsMargins(6, 6, 0, 0);
    column->addLayout(buttons);
    column->addWidget(m_editor, 1);
    return question;
}

QWidget *QueryPanel::makeAnswer() {
    m_table = new QTableView;
    m_table->setModel(&m_model);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setSortIndicatorShown(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &QueryPanel::sortBy);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    makeDense(*m_table);
    m_table->setAccessibleName(tr("Answer"));
    m_table->setToolTip(tr("A row with a span_id selects that span and brings it into sight"));
    m_table->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &QueryPanel::chooseRow);
    auto *answer = new QWidget;
    auto *column = new QVBoxLayout(answer);
    column->setContentsMargins(0, 6, 6, 0);
    column->addWidget(m_table);
    return answer;
}

QLayout *QueryPanel::makeStateLine() {
    m_state = plainLabel();
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_stateLine = new ScrolledLabel(m_state);
    m_stateLine->setAccessibleName(tr("State of the query"));
    m_stateLine->setAccessibleDescription(tr("How many rows the answer has, or why there is none"));
    m_export = new QPushButton(tr("Export…"));
    m_export->setToolTip(tr("Write the answer as CSV or JSON"));
    connect(m_export, &QPushButton::clicked, this, &QueryPanel::chooseFile);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(6, 0, 6, 0);
    line->addWidget(m_stateLine, 1);
    line->addWidget(m_export);
    return line;
}

QString QueryPanel::state() const { return m_state->text(); }

void QueryPanel::chooseExample(int index) {
    QTextCursor all(m_editor->document());
    all.select(QTextCursor::Document);
    all.insertText(QString::fromUtf8(queryExamples()[static_cast<std::size_t>(index)].sql)); // Ctrl+Z brings back what was typed
}

QuerySide QueryPanel::querySideOf(Side side, const std::shared_ptr<const ShownRun> &run) const {
    QuerySide querySide{side == Side::A ? "A" : "B", std::shared_ptr<const Recording>(run, &run->recording())};
    querySide.run = run->simulation(); // lives as long as `run`
    querySide.graph = run->simulation() ? static_cast<const GraphRun *>(run->simulation()) : run->plan();
    if (run->recording().measured)
        querySide.profile = m_session.state().profile;
    return querySide;
}

void QueryPanel::ask() {
    QueryInput input;
    std::vector<AskedSide> asked;
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side); run && (side == Side::A || m_session.state().compare)) {
            input.sides.push_back(querySideOf(side, run));
            asked.push_back({side, run, static_cast<std::int64_t>(run->recording().timeline.spanCount())});
        }
    input.search = m_searcher.state();
    say(tr("Asking…"));
    m_runner.start([input = std::move(input), asked = std::move(asked),
                    sql = m_editor->toPlainText().toStdString()](const std::stop_token &stop, const auto &post) {
        auto result = runQuery(input, sql, {}, stop);
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
    m_sorter.cancel();
    m_model.set(*answer.result);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
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

void QueryPanel::sortBy(int column, Qt::SortOrder order) {
    const auto &result = m_model.result();
    if (!result)
        return;
    if (column < 0 || column >= m_model.columnCount()) {
        m_sorter.cancel();
        m_model.setOrder({});
        return;
    }
    m_sorter.start([result, column, order](const std::stop_token &, const auto &post) {
        post(rowOrder(*result, static_cast<std::size_t>(column), order == Qt::DescendingOrder));
    });
}

void QueryPanel::chooseRow(const QModelIndex &index) {
    auto key = m_model.spanKey(index.row());
    if (!key || *key < 0)
        return;
    auto asked = m_asked.begin();
    for (; asked != m_asked.end() && *key >= asked->spans; ++asked)
        *key -= asked->spans;
    if (asked == m_asked.end())
        return;
    if (asked->side == Side::B && !m_session.state().compare) {
        say(tr("B is not shown: compare A and B (Ctrl+B) to select its spans."));
        return;
    }
    const auto run = asked->run.lock();
    if (!run || run != m_session.run(asked->side)) {
        say(tr("The timeline has changed since: run the query again to select its spans."));
        return;
    }
    QueryInput one;
    one.sides.push_back(querySideOf(asked->side, run));
    if (const auto place = spanOfKey(one, *key))
        Q_EMIT spanWanted(asked->side, place->span);
}

void QueryPanel::chooseFile() {
    const QString path =
        askWhereToExport(this, tr("Export the answer"), QStringLiteral("query.csv"), tr("CSV (*.csv);;JSON (*.json)"));
    if (!path.isEmpty())
        exportTo(path);
}

void QueryPanel::exportTo(const QString &path) {
    const auto &result = m_model.result();
    if (!result)
        return;
    say(tr("Writing %1…").arg(QFileInfo(path).fileName()));
    m_writer.start([result, order = m_model.order(), path](const std::stop_token &, const auto &post) {
        const bool isJson = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
        const QueryResult shown = inOrder(*result, order);
        const std::string text = isJson ? queryResultJson(shown) : writeTable(tableOf(shown), TableFormat::Csv);
        const auto written = writeFile(path.toStdString(), text);
        post(written ? Result<QString>(path) : Unexpected(written.error()));
    });
}

void QueryPanel::tell(const Result<QString> &written) {
    if (written)
        say(tr("Wrote %1").arg(QFileInfo(*written).fileName()));
    else
        say(QString::fromStdString(written.error().toString()), true);
}

void QueryPanel::say(const QString &text, bool isError) {
    QFont font = m_state->font();
    font.setBold(isError);
    m_state->setFont(font);
    m_state->setToolTip(plainTip(text));
    m_stateLine->setText(text);
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
