// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"
#include "engine/timeline/span_ref.h"
#include "ui/query/query_model.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLayout;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace syncopate::ui {

class ScrolledLabel;
class Searcher;

/// Queries the shown runs and the search with SQL (docs/query.md): a statement, examples to start from, and the table of its
/// answer. Runs on a worker thread; a row that names a span can select it.
class QueryPanel final : public QWidget {
    Q_OBJECT
public:
    QueryPanel(Session &session, const Searcher &searcher, QWidget *parent = nullptr);

    [[nodiscard]] QPlainTextEdit &editor() { return *m_editor; }
    [[nodiscard]] QTableView &table() { return *m_table; }
    [[nodiscard]] QComboBox &examples() { return *m_examples; }
    [[nodiscard]] const QueryModel &model() const { return m_model; }
    [[nodiscard]] QString state() const;
    [[nodiscard]] bool isRunning() const { return m_runner.isPending(); }
    [[nodiscard]] bool isWriting() const { return m_writer.isPending(); }
    [[nodiscard]] bool isSorting() const { return m_sorter.isPending(); }

public Q_SLOTS:
    /// Runs the editor's statement; the answer of an earlier one is dropped.
    void ask();
    void cancel();
    /// Writes the answer as it is sorted on screen; JSON if the file name ends in .json, else CSV. state() tells the outcome.
    void exportTo(const QString &path);

Q_SIGNALS:
    /// A row was chosen whose span is still shown.
    void spanWanted(syncopate::Side side, const syncopate::SpanRef &span);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// A side that was queried: an answer keeps no run, which may be large, but can map a key to its span.
    struct AskedSide {
        Side side;
        std::weak_ptr<const ShownRun> run;
        std::int64_t spans; ///< number of its keys, which follow those of the side before
    };
    struct Answer {
        std::vector<AskedSide> asked;
        Result<std::shared_ptr<const QueryResult>> result;
    };

    QWidget *makeQuestion();
    QWidget *makeAnswer();
    /// The line with the query's outcome, and the button that exports the answer, over the panel's full width.
    QLayout *makeStateLine();
    void chooseExample(int index);
    void chooseFile();
    void take(const Answer &answer);
    void tell(const Result<QString> &written);
    void chooseRow(const QModelIndex &index);
    void say(const QString &text, bool isError = false);
    void showRunning(bool running);
    void sortBy(int column, Qt::SortOrder order);
    [[nodiscard]] QuerySide querySideOf(Side side, const std::shared_ptr<const ShownRun> &run) const;

    Session &m_session;
    const Searcher &m_searcher;
    QueryModel m_model;
    QPlainTextEdit *m_editor = nullptr;
    QComboBox *m_examples = nullptr;
    QPushButton *m_run = nullptr, *m_cancel = nullptr, *m_export = nullptr;
    QLabel *m_state = nullptr;
    ScrolledLabel *m_stateLine = nullptr; ///< holds m_state
    QTableView *m_table = nullptr;
    std::vector<AskedSide> m_asked; ///< the sides behind the answer that is shown
    // Last: their threads end before the rest goes.
    Background<Answer> m_runner{this, [this](const Answer &answer) { take(answer); }};
    Background<std::vector<std::size_t>> m_sorter{this, [this](const auto &order) { m_model.setOrder(order); }};
    Background<Result<QString>> m_writer{this, [this](const Result<QString> &written) { tell(written); }};
};

} // namespace syncopate::ui
