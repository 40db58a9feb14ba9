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

/// What recorded ranks cost each other: how far each was behind, and the step had it been as the median; and the same step by
/// step. Found on a thread of its own, once for a profile.
class StragglerTables final : public QObject {
    Q_OBJECT
public:
    explicit StragglerTables(const Theme &theme, QObject *parent = nullptr);

    /// Whether there are ranks to tell about.
    [[nodiscard]] static bool areKnownOf(const ImportedProfile &profile) { return profile.ranks.size() > 1; }
    void ask(const std::shared_ptr<const ImportedProfile> &profile);
    /// Null until it is found, or where it cannot be.
    [[nodiscard]] const Stragglers *found() const { return m_found && *m_found ? &**m_found : nullptr; }
    /// To be laid out by who has this.
    [[nodiscard]] QTableWidget *rankTable() const { return m_ranks; }
    [[nodiscard]] QTableWidget *stepTable() const { return m_steps; }
    [[nodiscard]] QString rankText() const; ///< above the table of ranks
    [[nodiscard]] QString stepText() const;
    [[nodiscard]] QString assumptions() const; ///< in lines

Q_SIGNALS:
    void changed();

private:
    using Answer = std::shared_ptr<const Result<Stragglers>>;
    void take(const Answer &answer);
    void fill();
    void fillRanks(const Stragglers &stragglers);
    void fillSteps(const Stragglers &stragglers);

    const Theme &m_theme;
    std::weak_ptr<const ImportedProfile> m_profile; ///< that m_found is of; not held, as profiles are large
    Answer m_found;
    QTableWidget *m_ranks, *m_steps;
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }}; ///< last: ends before what it tells goes
};

} // namespace syncopate::ui
