// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_palette.h"

#include "ui/theme/plain_text.h"
#include "ui/window/fuzzy.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

namespace syncopate::ui {

namespace {

constexpr int maxRows = 200; ///< more are never read
enum Role { EntryRole = Qt::UserRole, KindRole, HintRole };

/// Whether every word of `pattern` is part of `text`, ignoring case. No fuzzy match: scattered letters match any long sentence.
bool hasWords(const QString &pattern, const QString &text) {
    const QStringList words = pattern.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return !words.isEmpty() &&
           std::all_of(words.begin(), words.end(), [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// How well an entry matches, larger is better; null: not at all. Name and id count in full; the kind helps to narrow ("job vgg")
/// but does not outweigh them, and words of the description count only for entries that match nowhere else.
std::optional<int> scoreOf(const PaletteEntry &entry, const QString &pattern) {
    constexpr int described = -1000; // ranks after all matches by name
    std::optional<int> best;
    const auto take = [&best](int score) { best = std::max(best.value_or(score), score); };
    for (const QString &name : {entry.text, entry.id})
        if (const auto match = fuzzyMatch(pattern, name); match && !name.isEmpty())
            take(match->score);
    if (const auto match = fuzzyMatch(pattern, entry.kind + QLatin1Char(' ') + entry.text); match && !best)
        take(match->score / 2 - 40);
    if (!best && hasWords(pattern, entry.about))
        take(described);
    return best;
}

/// Name left, dimmed kind and description behind it, keys (or why not) right.
class RowDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        const QPalette &palette = option.palette;
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        painter->save();
        if (selected)
            painter->fillRect(option.rect, palette.highlight());
        const QColor text = selected ? palette.color(QPalette::HighlightedText)
                                     : palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Text);
        const QColor dim = selected ? text : palette.color(QPalette::PlaceholderText);
        QRect row = option.rect.adjusted(10, 0, -10, 0);
        const QFontMetrics &metrics = option.fontMetrics;
        painter->setPen(dim);
        const QString hint = metrics.elidedText(index.data(HintRole).toString(), Qt::ElideRight, row.width() / 2);
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight, hint);
        row.setRight(row.right() - metrics.horizontalAdvance(hint) - 12);
        painter->setPen(text);
        const QString name = metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideMiddle, row.width());
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignLeft, name);
        row.setLeft(row.left() + metrics.horizontalAdvance(name) + 10);
        painter->setPen(dim);
        if (row.width() > 20)
            painter->drawText(row, Qt::AlignVCenter | Qt::AlignLeft,
                              metrics.elidedText(index.data(KindRole).toString(), Qt::ElideRight, row.width()));
        painter->restore();
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override {
        return {200, option.fontMetrics.height() + 8};
    }
};

} // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget *parent)
    : QDialog(parent), m_entries(std::move(entries)), m_field(new QLineEdit), m_list(new QListWidget) {
    setWindowTitle(tr("Find anything"));
    setModal(true);
    setAttribute(Qt::WA_DeleteOnClose);
    m_field->setPlaceholderText(tr("Action, job, cluster, knob, strategy, policy, kept scenario, variable or lane"));
    m_field->setAccessibleName(tr("Find anything"));
    m_field->setToolTip(
        tr("Letters in their order are enough: \"cab\" finds Compare A/B. Words of a description are found too."));
    m_field->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Results"));
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_field);
    column->addWidget(m_list, 1);
    resize(620, 420);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run); // a disabled one does not become the current one
    fill();
    m_field->setFocus();
}

void CommandPalette::fill() {
    struct Found {
        std::size_t entry;
        int score;
    };
    std::vector<Found> found;
    const QString pattern = m_field->text();
    for (std::size_t e = 0; e < m_entries.size(); ++e) {
        if (const auto score = scoreOf(m_entries[e], pattern))
            found.push_back({e, *score - (m_entries[e].enabled ? 0 : 100000)});
    }
    std::stable_sort(found.begin(), found.end(), [](const Found &a, const Found &b) { return a.score > b.score; });
    m_list->clear();
    for (const Found &one : found) {
        if (m_list->count() == maxRows)
            break;
        const PaletteEntry &entry = m_entries[one.entry];
        auto *item = new QListWidgetItem(entry.text, m_list);
        item->setData(EntryRole, static_cast<int>(one.entry));
        item->setData(KindRole, entry.kind);
        item->setData(HintRole, entry.hint);
        item->setToolTip(plainTip(entry.enabled && !entry.about.isEmpty() ? entry.about : entry.hint));
        if (!entry.enabled)
            item->setFlags(Qt::ItemIsSelectable);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run(const QListWidgetItem *item) {
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const auto action = m_entries[static_cast<std::size_t>(item->data(EntryRole).toInt())].run;
    accept();
    // After the palette has closed: the action may open a dialog of its own.
    QTimer::singleShot(0, parent(), action);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    const auto walk = [this](int step) {
        if (m_list->count() > 0)
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
    };
    switch (key) {
    case Qt::Key_Up:
        walk(-1);
        return true;
    case Qt::Key_Down:
        walk(1);
        return true;
    case Qt::Key_PageUp:
        walk(-10);
        return true;
    case Qt::Key_PageDown:
        walk(10);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run(m_list->currentItem());
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace syncopate::ui
