// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/why/analyst.h"

#include <QTableWidget>
#include <cstdint>
#include <memory>
#include <vector>

namespace syncopate::ui {

class Theme;

/// The pieces of a chain of causes in order of time; if there are too many, only the longest.
class CauseTable final : public QTableWidget {
    Q_OBJECT
public:
    explicit CauseTable(const Theme &theme, QWidget *parent = nullptr);

    void fill(std::shared_ptr<const WhyAnswer> answer); ///< null: empties it
    /// Whether there are fewer rows than causes.
    [[nodiscard]] bool isCut() const { return m_answer && m_shown.size() < m_answer->causes.size(); }

Q_SIGNALS:
    /// A cause was chosen: show this stretch (seconds from the run's start) and task of `side`.
    void stretchWanted(syncopate::Side side, double fromSeconds, double toSeconds, syncopate::TaskId task);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void choose(int row);
    /// Gives "How" what its texts need and the causes leave; hides it where not even its first figures have room.
    void fitColumns();

    const Theme &m_theme;
    std::shared_ptr<const WhyAnswer> m_answer;
    std::vector<std::size_t> m_shown; ///< per row, its index in the answer
    /// Widths that the texts need in full, in pixels: of causes, of how, and of the first piece of how.
    int m_whatWidth = 0, m_howWidth = 0, m_firstWidth = 0;
};

} // namespace syncopate::ui
