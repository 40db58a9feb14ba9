// SPDX-License-Identifier: GPL-3.0-or-later
// Notes in a TimelineView: flags in the ruler, and an editor at the note.
#include "engine/base/units.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {
constexpr int flagWidth = 110; ///< maximum; the tooltip shows long notes in full
}

void TimelineView::setNotes(Notes *notes, std::uint8_t side) {
    m_notes = notes;
    m_side = side;
    connect(notes, &Notes::changed, this, qOverload<>(&QWidget::update));
    update();
}

std::vector<TimelineView::Flag> TimelineView::flags() const {
    std::vector<Flag> flags;
    if (!m_notes || !m_data)
        return flags;
    const QFont small = fontOfPixels(font(), 10);
    const QFontMetrics metrics(small);
    for (std::size_t n = 0; n < m_notes->notes().size(); ++n) {
        const Note &note = m_notes->notes()[n];
        if (note.side != m_side)
            continue;
        const double x = xOf(note.fromNanoseconds - m_offset), end = xOf(note.toNanoseconds - m_offset);
        if (!(std::max(x, end) >= plotRect().left()) || !(x <= plotRect().right()))
            continue;
        const int left = static_cast<int>(std::clamp(x, double(plotRect().left()), double(plotRect().right())));
        const int right = static_cast<int>(std::clamp(end, double(left), double(plotRect().right())));
        const QString text = QString::fromStdString(note.text).simplified();
        flags.push_back({n,
                         QRect(left, titleHeight + 2, std::min(flagWidth, metrics.horizontalAdvance(text) + 12), rulerHeight - 4),
                         right, metrics.elidedText(text, Qt::ElideRight, flagWidth - 10)});
    }
    // A flag that would cover the next one is reduced to its pole.
    std::sort(flags.begin(), flags.end(), [](const Flag &a, const Flag &b) { return a.box.left() < b.box.left(); });
    for (std::size_t i = 0; i + 1 < flags.size(); ++i)
        flags[i].box.setRight(std::max(flags[i].box.left() + 3, std::min(flags[i].box.right(), flags[i + 1].box.left() - 2)));
    return flags;
}

std::vector<QRect> TimelineView::flagBoxes() const {
    std::vector<QRect> boxes;
    for (const Flag &flag : flags())
        boxes.push_back(flag.box);
    return boxes;
}

void TimelineView::paintNotes(QPainter &painter) const {
    const QFont small = fontOfPixels(font(), 10);
    painter.setFont(small);
    const QColor color = m_theme.color(ColorId::Accent);
    for (const Flag &flag : flags()) {
        painter.fillRect(QRect(flag.box.left(), titleHeight, 1, height() - titleHeight), color);
        if (flag.end > flag.box.left()) { // a stretch: its other end, and a bar in between
            painter.fillRect(QRect(flag.end, titleHeight + rulerHeight - 2, 1, height() - titleHeight), color);
            painter.fillRect(QRect(flag.box.left(), titleHeight + rulerHeight - 2, flag.end - flag.box.left(), 2), color);
        }
        painter.fillRect(flag.box, color);
        painter.setPen(m_theme.color(ColorId::AccentText));
        painter.drawText(flag.box.adjusted(5, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, flag.text);
    }
}

std::optional<std::size_t> TimelineView::noteAt(const QPoint &position) const {
    for (const Flag &flag : flags())
        if (flag.box.contains(position))
            return flag.note;
    return {};
}

QString TimelineView::describeNote(std::size_t number) const {
    const Note &note = m_notes->notes()[number];
    QString place = formatTime(note.fromNanoseconds, 1000);
    if (note.toNanoseconds > note.fromNanoseconds)
        place += QStringLiteral(", ") + QString::fromStdString(formatSeconds((note.toNanoseconds - note.fromNanoseconds) * 1e-9));
    if (!note.lane.empty())
        place += QStringLiteral(", ") + QString::fromStdString(note.lane);
    return QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
        .arg(QString::fromStdString(note.text).toHtmlEscaped(), place.toHtmlEscaped(),
             tr("Double click edits; an empty note is removed").toHtmlEscaped());
}

void TimelineView::writeNote() {
    if (!m_notes || !m_data)
        return;
    Note note;
    note.side = m_side;
    if (const auto selection = m_axis->selection()) {
        note.fromNanoseconds = selection->first + m_offset;
        note.toNanoseconds = selection->second + m_offset;
    } else if (m_selected) {
        const Lane &lane = m_data->lane(m_selected->lane);
        note.fromNanoseconds = static_cast<double>(lane.start[m_selected->span] - m_data->origin());
        note.toNanoseconds = static_cast<double>(lane.end[m_selected->span] - m_data->origin());
        note.lane = lane.name;
    } else {
        const auto [from, to] = m_axis->window();
        note.fromNanoseconds = note.toNanoseconds = m_axis->cursor().value_or((from + to) / 2) + m_offset;
    }
    editNote(note, true);
}

void TimelineView::editNote(const Note &note, bool isNew) {
    endNote();
    m_noteEditor = new QLineEdit(QString::fromStdString(note.text), this);
    QLineEdit *editor = m_noteEditor;
    editor->setPlaceholderText(tr("Note; Enter keeps it, Esc does not"));
    editor->setAccessibleName(tr("Note"));
    constexpr int width = 240;
    const int x =
        static_cast<int>(std::clamp(xOf(note.fromNanoseconds - m_offset), 0.0, double(std::max(0, this->width() - width))));
    editor->setGeometry(x, titleHeight, std::min(width, this->width()), 24);
    editor->installEventFilter(this);
    editor->show();
    editor->setFocus();
    connect(editor, &QLineEdit::returnPressed, this, [this, editor, note, isNew] {
        Note done = note;
        done.text = editor->text().trimmed().toStdString();
        endNote();
        if (isNew) {
            if (!done.text.empty())
                m_notes->add(std::move(done));
            return;
        }
        // An undo, the list of notes or a swap of A and B may have given the note another number or side, or removed it.
        const auto &notes = m_notes->notes();
        auto known = std::ranges::find(notes, note); // first: the other side may have one that is alike
        if (known == notes.end())
            known = std::ranges::find_if(notes, [&](const Note &other) {
                Note moved = note;
                moved.side = other.side;
                return other == moved;
            });
        if (known != notes.end())
            m_notes->setText(static_cast<std::size_t>(known - notes.begin()), done.text);
    });
}

void TimelineView::endNote() {
    if (!m_noteEditor)
        return;
    QLineEdit *editor = m_noteEditor;
    m_noteEditor = nullptr;
    editor->hide();
    editor->deleteLater();
    setFocus();
}

bool TimelineView::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_noteEditor) {
        const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
        if (key && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                endNote();
            return true;
        }
        if (event->type() == QEvent::KeyPress && (static_cast<QKeyEvent *>(event)->key() == Qt::Key_Return ||
                                                  static_cast<QKeyEvent *>(event)->key() == Qt::Key_Enter)) {
            // A line edit also passes the key to its parent, which would zoom to the selected span.
            Q_EMIT m_noteEditor->returnPressed();
            return true;
        }
        if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent *>(event)->reason() == Qt::MouseFocusReason)
            endNote();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace syncopate::ui
