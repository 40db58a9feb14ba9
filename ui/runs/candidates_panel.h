// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/candidates_model.h"
#include "ui/runs/runs_table.h"

namespace syncopate::ui {

/// The table of a search's candidates. Enter or a double click puts one on side A, the keys A and B on that side.
class CandidatesPanel final : public RunsTable {
    Q_OBJECT
public:
    CandidatesPanel(const Theme &theme, Searcher &searcher, QWidget *parent = nullptr);

    [[nodiscard]] CandidatesModel &model() { return static_cast<CandidatesModel &>(runs()); }

private:
    [[nodiscard]] QString emptyText() const;

    Searcher &m_searcher;
};

} // namespace syncopate::ui
