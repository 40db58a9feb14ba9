// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/stragglers.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <QString>
#include <memory>

class QTableWidget;

namespace syncopate::ui {

class Theme;

/// What recorded ranks cost each other: how far each was behind, and the step time had it been like the median rank; and the same
/// step by step. Computed on a worker thread, once per profile.
class StragglerTables final : public QObject {
    Q_OBJECT
public:
    explicit StragglerTables(const Theme &theme, QObject *parent = nullptr);

    /// Whether the profile has several ranks to compare.
    [[nodiscard]] static bool areKnownOf(const ImportedProfile &profile) { return profile.ranks.size() > 1; }
    void ask(const std::shared_ptr<const ImportedProfile> &profile);
    /// Null until computed, or if it cannot be.
    [[nodiscard]] const Stragglers *found() const { return m_found && *m_found ? &**m_found : nullptr; }
    /// The owner lays these out.
    [[nodiscard]] QTableWidget *rankTable() const { return m_ranks; }
    [[nodiscard]] QTableWidget *stepTable() const { return m_steps; }
    [[nodiscard]] QString rankText() const; ///< above the table of ranks
    [[nodiscard]] QString stepText() const;
    [[nodiscard]] QString assumptions() const; ///< one per line

Q_SIGNALS:
    void changed();

private:
    using Answer = std::shared_ptr<const Result<Stragglers>>;
    void take(const Answer &answer);
    void fill();
    void fillRanks(const Stragglers &stragglers);
    void fillSteps(const Stragglers &stragglers);

    const Theme &m_theme;
    std::weak_ptr<const ImportedProfile> m_profile; ///< the one m_found is about; not kept alive, as profiles are large
    Answer m_found;
    QTableWidget *m_ranks, *m_steps;
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }}; ///< last: ends before what it reports to
};

} // namespace syncopate::ui
