// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_ref.h"
#include "ui/difference/difference_model.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace syncopate::ui {

class RunsTable;
class Theme;

/// Compares the open profile with another trace by op, layer or stream: what takes longer in a step. The other trace is read on a
/// worker thread; only its sums are kept.
class DifferencePanel final : public QWidget {
    Q_OBJECT
public:
    DifferencePanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    /// Asks for the other trace's file, then compare().
    void chooseFile();
    /// Compares the open profile with this file, folder or archive of ranks.
    void compare(const QString &path);
    void cancel();
    /// Writes all rows as CSV on a worker thread; refuses to overwrite one of the traces. state() tells the outcome.
    void exportTo(const QString &path);
    [[nodiscard]] bool isRunning() const { return m_reader.isPending(); }
    [[nodiscard]] bool isWriting() const { return m_writer.isPending(); }
    [[nodiscard]] bool isFinding() const { return m_finder.isPending(); }
    [[nodiscard]] QString state() const;
    [[nodiscard]] QComboBox &by() { return *m_by; } ///< in the order of DifferenceBy
    [[nodiscard]] RunsTable &table() { return *m_table; }
    [[nodiscard]] DifferenceModel &model() { return *m_model; }

Q_SIGNALS:
    /// A row was chosen: highlight the spans with these labels (none: clear the search) on the side that shows the open profile,
    /// and scroll to one of them.
    void spansWanted(syncopate::Side side, const std::vector<std::uint8_t> &labels, const syncopate::SpanRef &first);
    /// The row whose spans are highlighted is no longer chosen or no longer visible.
    void spansCleared();

protected:
    void hideEvent(QHideEvent *event) override;

private:
    using Compared = Result<std::shared_ptr<const TraceDifference>>;
    /// The spans of a row, found in the run that was searched.
    struct Found {
        Side side = Side::A;
        std::weak_ptr<const ShownRun> run;
        std::vector<std::uint8_t> labels;
        std::size_t count = 0;
        SpanRef first;
    };
    void makeTop();
    void take(const Compared &compared);
    void take(const Found &found);
    void take(const Result<std::string> &written); ///< the path
    void chooseRow(qint64 row);
    /// Clears the highlighted spans of the chosen row, or stops looking for them.
    void clearLights();
    void refresh();
    void say(const QString &text, bool isError = false);

    Session &m_session;
    std::shared_ptr<const ImportedProfile> m_profile; ///< A of the comparison
    DifferenceModel *m_model;
    RunsTable *m_table;
    QComboBox *m_by;
    QPushButton *m_open, *m_cancel, *m_export;
    QLabel *m_traces, *m_state;
    bool m_isLit = false; ///< a row's spans are highlighted in the timeline
    // Last: their threads end before the rest goes.
    Background<Compared> m_reader{this, [this](const Compared &compared) { take(compared); }};
    Background<Found> m_finder{this, [this](const Found &found) { take(found); }};
    Background<Result<std::string>> m_writer{this, [this](const Result<std::string> &written) { take(written); }};
};

} // namespace syncopate::ui
