// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inspector/inspector_model.h"
#include "ui/session/session.h"
#include "ui/timeline/time_axis.h"

#include <QWidget>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QTableView;
class QTextBrowser;

namespace syncopate::ui {

class ScrolledLabel;
class Theme;

/// The right dock: statistics of the iteration or the selection, the selected span, and the assumptions behind the numbers.
class Inspector final : public QWidget {
    Q_OBJECT
public:
    Inspector(const Theme &theme, Session &session, TimeAxis &axis, QWidget *parent = nullptr);

    /// Nanoseconds after the start of B's iteration that are shown at time 0 of the axis.
    void setOffset(double nanoseconds);
    /// Also counts the traffic of this variable; empty: of none.
    void setVariable(const QString &name);
    /// The worker whose numbers are shown: each side's with the longest exposed communication, any worker of either side, or the
    /// mean of all. Empty where both sides have a single one. An item's data is AreaQuery::whose.
    [[nodiscard]] QComboBox *workerBox() { return m_worker; }
    /// Shows the numbers of a selected span's worker, unless the user wants the mean of all. Servers and host threads have no
    /// worker (-1), and are ignored.
    void showWorker(Side side, std::int32_t worker);
    /// No span is selected any more: a worker that showWorker() chose is left again.
    void leaveWorker();
    [[nodiscard]] QTableView *table() { return m_table; }
    /// Rich text about the selected span; empty hides it.
    void showSpan(const QString &html);
    [[nodiscard]] InspectorModel *model() { return &m_model; }
    [[nodiscard]] QSize sizeHint() const override { return {336, 420}; }

private:
    using NoteSections = std::vector<std::pair<QString, std::vector<std::string>>>; ///< headings with their lines
    void makeTable();
    void makeTexts();
    void refresh();
    void refreshNotes();
    void fillWorkers();
    /// Null: the list has no such item. The name matters for Named only.
    [[nodiscard]] std::optional<int> itemOf(AreaQuery::Whose whose, const QString &name) const;
    [[nodiscard]] bool isChosen(AreaQuery::Whose whose) const;
    /// The iterations that the figures cover, or the whole recording.
    [[nodiscard]] QString stretchOfFigures() const;
    /// ", worker 0" where there is no list to name the figures' worker; empty if the sides differ.
    [[nodiscard]] QString onlyWorker() const;
    void setAnswer(const AreaAnswer &answer);
    [[nodiscard]] AreaQuery query() const;

    Session &m_session;
    TimeAxis &m_axis;
    InspectorModel m_model;
    double m_offset = 0;
    QString m_variable;
    AreaQuery m_shown;       ///< the query that the model's figures answer
    bool m_isOfSpan = false; ///< showWorker() chose the worker, not the user
    NoteSections m_noted;    ///< the sections in m_notes
    QLabel *m_what;
    QComboBox *m_worker;
    QTableView *m_table;
    QLabel *m_spanText;
    ScrolledLabel *m_span;
    QTextBrowser *m_notes;
};

} // namespace syncopate::ui
