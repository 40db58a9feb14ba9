// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inspector/inspector_model.h"
#include "ui/session/session.h"
#include "ui/timeline/time_axis.h"

#include <QWidget>

class QLabel;
class QTableView;
class QTextBrowser;

namespace syncopate::ui {

class Theme;

/// The right dock: statistics of the iteration or the selection, the selected span, and what the numbers rest on.
class Inspector final : public QWidget {
    Q_OBJECT
public:
    Inspector(const Theme &theme, Session &session, TimeAxis &axis, QWidget *parent = nullptr);

    /// Rich text about the selected span; empty hides it.
    void showSpan(const QString &html);
    [[nodiscard]] InspectorModel *model() { return &m_model; }
    [[nodiscard]] QSize sizeHint() const override { return {336, 420}; }

private:
    void refresh();
    void refreshNotes();
    void setAreas(const AreaStatistics &a, const AreaStatistics &b);

    Session &m_session;
    TimeAxis &m_axis;
    InspectorModel m_model;
    QLabel *m_what;
    QTableView *m_table;
    QLabel *m_span;
    QTextBrowser *m_notes;
};

} // namespace syncopate::ui
