// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/why/analyst.h"

#include <QTableWidget>
#include <memory>
#include <optional>

namespace syncopate::ui {

class Theme;

/// Remedies by gain, each with a button that tries it. Those that do not help are folded away.
class RemedyTable final : public QTableWidget {
    Q_OBJECT
public:
    explicit RemedyTable(const Theme &theme, QWidget *parent = nullptr);

    void fill(std::shared_ptr<const WhyAnswer> answer); ///< null: empties it
    [[nodiscard]] std::size_t helpfulCount() const { return m_helpful; }
    /// Whether to list remedies that change nothing, slow it down or cannot be simulated, too.
    void unfold(bool on);
    /// The remedy that a row shows; none for the fold's row.
    [[nodiscard]] std::optional<std::size_t> remedyAt(int row) const;

Q_SIGNALS:
    /// The remedy with this index in the answer is to be tried.
    void tried(std::size_t index);

private:
    void chooseRow(int row); ///< tries its remedy, or toggles the fold
    void showRemedy(int row, const RemedyRow &remedy, double present);
    void showFold(int row);
    void tryPressed();

    const Theme &m_theme;
    std::shared_ptr<const WhyAnswer> m_answer;
    std::size_t m_helpful = 0; ///< remedies above the fold
    bool m_unfolded = false;
    std::optional<Remedy> m_pressed; ///< whose button is down
};

} // namespace syncopate::ui
