// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/candidates_panel.h"

#include <QShortcut>

namespace syncopate::ui {

namespace {

RunsTable::Words candidatesWords() {
    const auto tr = [](const char *text) { return CandidatesPanel::tr(text); };
    return {.name = tr("Candidates"),
            .toolTip = tr("What the search tried. Enter or A: set as A, B: set as B, P: pin, Ctrl+C: copy rows."),
            .filterName = tr("Filter candidates"),
            .filterExample = tr("Filter, such as exposed<2ms servers>2"),
            .keys = tr("Enter or A: set as A   B: set as B   P: pin"),
            .rows = tr("%1 candidates"),
            .sortColumn = CandidatesModel::Iteration};
}

} // namespace

CandidatesPanel::CandidatesPanel(const Theme &theme, Searcher &searcher, QWidget *parent)
    : RunsTable(theme, new CandidatesModel(searcher), candidatesWords(), parent), m_searcher(searcher) {
    auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    escape->setEnabled(false);
    connect(escape, &QShortcut::activated, &searcher, &Searcher::stop);
    connect(&searcher, &Searcher::statusChanged, this, [this, escape] {
        escape->setEnabled(m_searcher.status() == Searcher::Status::Running);
        setEmptyText(emptyText());
    });
    setEmptyText(emptyText());
}

QString CandidatesPanel::emptyText() const {
    if (m_searcher.status() == Searcher::Status::Idle)
        return tr("No search yet: Ctrl+R starts one.");
    return m_searcher.error() ? QString::fromStdString(m_searcher.error()->toString()) : tr("Waiting for the first…");
}

} // namespace syncopate::ui
