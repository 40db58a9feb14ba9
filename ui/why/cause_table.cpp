// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/cause_table.h"

#include "ui/tables/dense_table.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translation.h"
#include "ui/why/cause_bar.h"
#include "ui/why/why_parts.h"

#include <QHeaderView>
#include <QPixmap>
#include <QSignalBlocker>
#include <algorithm>
#include <numeric>

namespace syncopate::ui {

namespace {

/// Maximum rows: chains have thousands of pieces if messages are partitioned finely, which took a third of a second to fill in.
constexpr std::size_t mostCauses = 100;

/// The indices of the `most` longest causes, in order of time.
std::vector<std::size_t> longest(const std::vector<CauseRow> &causes, std::size_t most) {
    std::vector<std::size_t> numbers(causes.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    if (numbers.size() <= most)
        return numbers;
    const auto seconds = [&causes](std::size_t c) { return causes[c].endSeconds - causes[c].startSeconds; };
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(numbers.begin(), end, numbers.end(), [&](std::size_t a, std::size_t b) { return seconds(a) > seconds(b); });
    numbers.erase(end, numbers.end());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

const QString howSeparator = QStringLiteral("; "); // between the pieces of CauseRow::how

} // namespace

CauseTable::CauseTable(const Theme &theme, QWidget *parent) : QTableWidget(parent), m_theme(theme) {
    setUpWhyTable(*this, {tr("Cause"), tr("Time"), tr("Share"), tr("How")}, tr("Causes"));
    setToolTip(tr("The critical path in stretches of one kind, in their order; a row shows its place in the timeline"));
    QHeaderView *header = horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    fitColumn(*this, 1, 68);
    fitColumn(*this, 2, 54);
    cutColumnBetween(*this, 0, QStringLiteral(" "));
    cutColumnBetween(*this, 3, howSeparator);
    connect(this, &QTableWidget::currentCellChanged, this, [this](int row, int, int, int) {
        if (hasFocus())
            choose(row);
    });
    connect(this, &QTableWidget::cellClicked, this, [this](int row, int) { choose(row); });
}

void CauseTable::choose(int row) {
    if (!m_answer || row < 0 || row >= std::ssize(m_shown))
        return;
    const CauseRow &cause = m_answer->causes[m_shown[static_cast<std::size_t>(row)]];
    Q_EMIT stretchWanted(m_answer->question.side, cause.startSeconds, cause.endSeconds, cause.task);
}

void CauseTable::fill(std::shared_ptr<const WhyAnswer> answer) {
    m_answer = std::move(answer);
    m_shown.clear();
    if (m_answer)
        m_shown = longest(m_answer->causes, mostCauses);
    {
        const QSignalBlocker quiet(this); // the current row may go, which chooses no other cause
        setRowCount(static_cast<int>(m_shown.size()));
    }
    m_whatWidth = m_howWidth = m_firstWidth = 0;
    const QFontMetrics metrics = fontMetrics();
    int r = 0;
    for (const std::size_t c : m_shown) {
        const CauseRow &cause = m_answer->causes[c];
        const double seconds = cause.endSeconds - cause.startSeconds;
        const QString how = worded(cause.how);
        QTableWidgetItem *what = whyCell(worded(cause.what));
        what->setToolTip(plainTip(how.isEmpty() ? what->text() : what->text() + QStringLiteral("\n") + how));
        QPixmap mark(10, 10);
        mark.fill(causeColor(m_theme, cause.kind));
        what->setIcon(mark);
        const double total = m_answer->chain.toSeconds - m_answer->chain.fromSeconds;
        setItem(r, 0, what);
        setItem(r, 1, whyCell(secondsText(seconds), Qt::AlignRight));
        setItem(r, 2, whyCell(tr("%1 %").arg(100 * seconds / total, 0, 'f', 1), Qt::AlignRight));
        setItem(r, 3, whyCell(how));
        m_whatWidth = std::max(m_whatWidth, metrics.horizontalAdvance(what->text()));
        m_howWidth = std::max(m_howWidth, metrics.horizontalAdvance(how));
        const QString first = how.section(howSeparator, 0, 0);
        m_firstWidth =
            std::max(m_firstWidth, metrics.horizontalAdvance(first == how ? how : first + howSeparator + QChar(0x2026)));
        ++r;
    }
    fitColumns();
}

void CauseTable::fitColumns() {
    constexpr int margins = 12, mark = 18; // around a text; before a cause
    const int room = viewport()->width() - columnWidth(1) - columnWidth(2);
    const int header = horizontalHeader()->sectionSizeHint(3);
    const int least = std::max(m_firstWidth + margins, header), most = std::max(m_howWidth + margins, header);
    setColumnHidden(3, m_howWidth == 0 || 2 * least > room);
    if (!isColumnHidden(3))
        setColumnWidth(3, std::clamp(room - m_whatWidth - margins - mark, least, most));
}

void CauseTable::resizeEvent(QResizeEvent *event) {
    QTableWidget::resizeEvent(event);
    fitColumns();
}

} // namespace syncopate::ui
