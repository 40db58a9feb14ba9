// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"
#include "engine/timeline/span_ref.h"
#include "ui/query/query_model.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QElapsedTimer>
#include <QSortFilterProxyModel>
#include <QWidget>
#include <memory>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace syncopate::ui {

class Searcher;

/// Asks what is shown with SQL (docs/query.md): a statement with examples to begin with, and the table of its answer. Runs on a
/// thread; a row that names a span asks for it.
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

public Q_SLOTS:
    /// Asks what the editor holds; an answer of another question is dropped.
    void ask();
    void cancel();
    /// Writes the answer; JSON where the file's name ends in .json, else CSV.
    void exportTo(const QString &path);

Q_SIGNALS:
    /// A row was chosen whose span is still shown.
    void spanWanted(syncopate::Side side, const syncopate::SpanRef &span);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// What was asked about: the runs live as long as the answer is shown.
    struct Asked {
        QueryInput input;
        std::array<std::shared_ptr<const ShownRun>, 2> runs;
    };
    struct Answer {
        std::shared_ptr<const Asked> asked;
        Result<std::shared_ptr<const QueryResult>> result;
    };

    QWidget *makeQuestion();
    QWidget *makeAnswer();
    void chooseExample(int index);
    void chooseFile();
    void take(const Answer &answer);
    void chooseRow(const QModelIndex &index);
    void say(const QString &text, bool isError = false);
    void showRunning(bool running);
    [[nodiscard]] std::shared_ptr<const Asked> whatIsShown() const;

    Session &m_session;
    const Searcher &m_searcher;
    QueryModel m_model;
    QSortFilterProxyModel m_sorted;
    QPlainTextEdit *m_editor = nullptr;
    QComboBox *m_examples = nullptr;
    QPushButton *m_run = nullptr, *m_cancel = nullptr, *m_export = nullptr;
    QLabel *m_state = nullptr;
    QTableView *m_table = nullptr;
    std::shared_ptr<const Asked> m_asked; ///< of the answer that is shown
    QElapsedTimer m_since;
    Background<Answer> m_runner{this, [this](const Answer &answer) { take(answer); }}; ///< last: ends before the rest goes
};

} // namespace syncopate::ui
