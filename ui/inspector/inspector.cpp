// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector.h"

#include "ui/theme/theme.h"
#include "ui/timeline/ruler.h"
#include "ui/window/format.h"

#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace syncopate::ui {

namespace {

QString list(const QString &heading, const std::vector<std::string> &lines) {
    if (lines.empty())
        return {};
    QString html = QStringLiteral("<p style='margin:8px 0 2px 0'><b>%1</b></p>").arg(heading.toHtmlEscaped());
    for (const std::string &line : lines)
        html += QStringLiteral("<p style='margin:0 0 3px 8px'>%1</p>").arg(QString::fromStdString(line).toHtmlEscaped());
    return html;
}

} // namespace

Inspector::Inspector(const Theme &theme, Session &session, TimeAxis &axis, QWidget *parent)
    : QWidget(parent), m_session(session), m_axis(axis), m_model(theme), m_what(new QLabel), m_table(new QTableView),
      m_span(new QLabel), m_notes(new QTextBrowser) {
    setMinimumWidth(260);
    auto *sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(&m_model);
    sorted->setSortRole(Qt::UserRole);
    m_table->setModel(sorted);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    sorted->sort(-1);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Statistics of A and B"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(48);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const int column : {InspectorModel::MetricColumn, InspectorModel::DeltaColumn})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->setFixedHeight(m_model.rowCount() * 20 + m_table->horizontalHeader()->sizeHint().height() + 2);
    m_what->setWordWrap(true);
    m_what->setContentsMargins(10, 6, 10, 4);
    m_span->setWordWrap(true);
    m_span->setTextFormat(Qt::RichText);
    m_span->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_span->setContentsMargins(10, 6, 10, 6);
    m_span->hide();
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setOpenLinks(false);
    m_notes->setAccessibleName(tr("Assumptions"));
    m_notes->document()->setDocumentMargin(10);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_what);
    column->addWidget(m_table);
    column->addWidget(m_span);
    column->addWidget(m_notes, 1);

    connect(&session, &Session::runsChanged, this, &Inspector::refresh);
    connect(&session, &Session::areaReady, this, [this](const AreaStatistics &a, const AreaStatistics &b) {
        if (m_axis.selection())
            setAreas(a, b);
    });
    connect(&axis, &TimeAxis::selectionChanged, this, &Inspector::refresh);
    connect(&theme, &Theme::themeChanged, m_table->viewport(), qOverload<>(&QWidget::update));
    refresh();
}

void Inspector::setAreas(const AreaStatistics &a, const AreaStatistics &b) {
    m_model.set(m_session.run(Side::A), m_session.run(Side::B), {a, b});
}

void Inspector::refresh() {
    const auto a = m_session.run(Side::A), b = m_session.run(Side::B);
    if (const auto selection = m_axis.selection()) {
        const double pixel = m_axis.span() / 1000;
        m_what->setText(tr("Selection %1 to %2 (%3), worker 0")
                            .arg(formatTime(selection->first, pixel), formatTime(selection->second, pixel),
                                 secondsText((selection->second - selection->first) * 1e-9)));
        m_session.requestArea(selection->first, selection->second);
    } else {
        m_what->setText(a || b ? tr("Last full iteration, worker 0. Drag over a timeline to select.")
                               : tr("Nothing is simulated yet."));
        setAreas(a ? a->window() : AreaStatistics{}, b ? b->window() : AreaStatistics{});
    }
    refreshNotes();
}

void Inspector::refreshNotes() {
    const auto a = m_session.run(Side::A), b = m_session.run(Side::B);
    const SessionState &state = m_session.state();
    // Rich text is slow to lay out; while a knob is dragged the words rarely change.
    QString html;
    if (state.profile) {
        html += list(tr("Read from the profile"), state.profile->read);
        html += list(tr("Inferred from the profile"), state.profile->inferred);
    }
    const bool same = a && b && a->run().assumptions == b->run().assumptions;
    if (a)
        html += list(same ? tr("Assumptions of A and B") : tr("Assumptions of A"), a->run().assumptions);
    if (b && !same)
        html += list(tr("Assumptions of B"), b->run().assumptions);
    if (state.job)
        html += list(tr("Job"), state.job->notes);
    if (state.cluster)
        html += list(tr("Cluster"), state.cluster->notes);
    if (html == m_notes->property("source").toString())
        return;
    m_notes->setProperty("source", html);
    m_notes->setHtml(html);
}

void Inspector::showSpan(const QString &html) {
    m_span->setText(html);
    m_span->setVisible(!html.isEmpty());
}

} // namespace syncopate::ui
