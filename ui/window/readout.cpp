// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/readout.h"

#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/timeline/ruler.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {
constexpr int mostTerse = 4;
}

Readout::Readout(const Theme &theme, const Session &session, TimeAxis &axis, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_axis(axis) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Readout"));
    connect(&m_axis, &TimeAxis::cursorChanged, this, qOverload<>(&QWidget::update));
    connect(&session, &Session::runsChanged, this, &Readout::refresh);
    connect(&session, &Session::stateChanged, this, &Readout::refresh);
    connect(&session, &Session::staleChanged, this, &Readout::refresh);
    refresh();
}

void Readout::refresh() {
    const QString usual =
        tr("Iteration time of A and B in the steady state, and B's difference from A.\n"
           "Overlap, of the last full iteration: %1\n"
           "Exposed: %2\n"
           "The bound of a plan: no plan of its collectives on its channels is faster.\n"
           "At the cursor: what worker 0 does in A and B, and how much each has exposed since its iteration began.")
            .arg(explained("Overlap"), explained("Exposed communication"));
    const QString why = whyNoDifference();
    setToolTip(
        plainTip(why.isEmpty() ? usual : usual + QLatin1Char('\n') + tr("Exposed times are not compared (–): %1").arg(why)));
    setAccessibleDescription(plainText());
    update();
}

void Readout::addSide(std::vector<Piece> &to, Side side, int detail) const {
    const QColor dim = m_theme.color(ColorId::DimText), text = m_theme.color(ColorId::Text);
    to.push_back({side == Side::A ? QStringLiteral("A ") : QStringLiteral("B "), true, m_theme.color(ColorId::Accent)});
    const SideState &asked = m_session.state().side(side);
    const QString strategy = QString::fromStdString(strategyTitle(asked));
    if (detail == 0)
        to.push_back({strategy +
                          (asked.hasScenario() ? QStringLiteral(" · ") + QString::fromStdString(asked.policy) : QString()) +
                          QStringLiteral("  "),
                      false, dim});
    else if (detail <= 2)
        to.push_back({strategy.section(QLatin1Char('('), 0, 0).section(QLatin1Char('/'), -1) + QStringLiteral("  "), false, dim});
    const auto run = m_session.run(side);
    const bool stale = m_session.isMarkedStale(side);
    if (!run) {
        to.push_back({m_session.error(side) ? tr("not simulated") : tr("simulating…"), false, dim});
        return;
    }
    to.push_back({secondsText(run->recording().iterationSeconds), !stale, stale ? dim : text});
    if (stale) {
        to.push_back({QStringLiteral("  ") + tr("(previous value; simulating…)"), false, dim});
        return;
    }
    const bool communicates = run->window().communicationSeconds > 0;
    if (communicates && detail <= 3)
        to.push_back({QStringLiteral("  ") + tr("overlap %1 %").arg(100 * run->window().overlapRatio(), 0, 'f', 0), false, dim});
    if (communicates && detail <= 1)
        to.push_back({QStringLiteral(", ") + tr("exposed %1").arg(secondsText(run->window().exposedSeconds)), false, dim});
    if (const PlannedRecording *plan = run->plan(); plan && plan->boundSeconds > 0 && detail <= 1)
        to.push_back({QStringLiteral(", ") +
                          tr("%1 % above the bound").arg(100 * (plan->iterationSeconds / plan->boundSeconds - 1), 0, 'f', 1),
                      false, dim});
}

Nanoseconds Readout::cursorTime(const TimelineData &data, Side side) const {
    return data.origin() + static_cast<Nanoseconds>(*m_axis.cursor() + (side == Side::B ? m_offset : 0));
}

QString Readout::atCursor(Side side) const {
    const auto run = m_session.run(side);
    if (!run || !m_axis.cursor())
        return {};
    const TimelineData &data = run->timeline();
    const Nanoseconds time = cursorTime(data, side);
    QStringList kinds;
    for (std::size_t l = 0; l < data.laneCount(); ++l)
        if (data.lane(l).worker == 0)
            if (const std::int64_t span = data.index(l).spanAt(time); span >= 0) {
                const QString kind = worded({nameOf(data.lane(l).category[static_cast<std::size_t>(span)])});
                if (!kinds.contains(kind))
                    kinds.push_back(kind);
            }
    return kinds.isEmpty() ? tr("idle") : kinds.join(QStringLiteral("+"));
}

std::optional<double> Readout::exposedToCursor(Side side) const {
    const auto run = m_session.run(side);
    if (!run || !m_axis.cursor())
        return {};
    const TimelineData &data = run->timeline();
    const Nanoseconds to = std::max(data.origin(), cursorTime(data, side));
    // The lane of exposed communication has this category only.
    return static_cast<double>(data.exposed().busy(data.origin(), to)[static_cast<std::size_t>(Category::OtherComm)]) * 1e-9;
}

void Readout::setOffset(double nanoseconds) {
    m_offset = nanoseconds;
    refresh();
}

QString Readout::whyNoDifference() const {
    return said(whyNotComparable(Quantity::Device, m_session.run(Side::A).get(), m_session.run(Side::B).get()));
}

QColor Readout::differenceColor(double from, double to) const {
    return m_theme.color(sameSeconds(from, to) ? ColorId::DimText : to < from ? ColorId::Better : ColorId::Worse);
}

std::vector<Readout::Piece> Readout::pieces(int detail) const {
    std::vector<Piece> line;
    const QColor dim = m_theme.color(ColorId::DimText);
    const QString bar = QStringLiteral("   │   ");
    if (!m_session.state().job)
        return line;
    addSide(line, Side::A, detail);
    if (m_session.state().compare) {
        line.push_back({bar, false, m_theme.color(ColorId::Border)});
        addSide(line, Side::B, detail);
        const auto a = m_session.run(Side::A), b = m_session.run(Side::B);
        if (a && b && !m_session.isMarkedStale(Side::A) && !m_session.isMarkedStale(Side::B)) {
            const double from = a->recording().iterationSeconds, to = b->recording().iterationSeconds;
            line.push_back({bar, false, m_theme.color(ColorId::Border)});
            line.push_back({tr("B − A "), false, dim});
            line.push_back({secondsDeltaText(from, to), true, differenceColor(from, to)});
        }
    }
    if (const auto cursor = m_axis.cursor(); cursor && detail <= 2) {
        line.push_back({bar, false, m_theme.color(ColorId::Border)});
        QString text = tr("cursor %1").arg(formatTime(*cursor, m_axis.span() / 1000));
        if (detail <= 1) {
            text += QStringLiteral(": A ") + atCursor(Side::A);
            if (m_session.run(Side::B))
                text += QStringLiteral(", B ") + atCursor(Side::B);
        }
        line.push_back({text, false, dim});
        const auto a = exposedToCursor(Side::A), b = exposedToCursor(Side::B);
        if (detail <= 1 && a && b && m_session.state().compare) {
            line.push_back(
                {QStringLiteral("  ") + tr("exposed so far %1, %2, B − A ").arg(secondsText(*a), secondsText(*b)), false, dim});
            if (whyNoDifference().isEmpty())
                line.push_back({secondsDeltaText(*a, *b).section(QStringLiteral(" ("), 0, 0), false, differenceColor(*a, *b)});
            else
                line.push_back({QStringLiteral("–"), false, dim});
        }
    }
    return line;
}

QString Readout::plainText() const {
    QString text;
    for (const Piece &piece : pieces(0))
        text += piece.text;
    return text;
}

void Readout::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    QFont plain = font(), bold = font();
    bold.setBold(true);
    const QFontMetrics plainMetrics(plain), boldMetrics(bold);
    std::vector<Piece> line;
    for (int detail = 0; detail <= mostTerse; ++detail) {
        line = pieces(detail);
        int needed = 20;
        for (const Piece &piece : line)
            needed += (piece.bold ? boldMetrics : plainMetrics).horizontalAdvance(piece.text);
        if (needed <= width())
            break;
    }
    int x = 10;
    for (const Piece &piece : line) {
        const QFontMetrics &metrics = piece.bold ? boldMetrics : plainMetrics;
        painter.setFont(piece.bold ? bold : plain);
        painter.setPen(piece.color);
        painter.drawText(QRect(x, 0, width() - x - 6, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(piece.text, Qt::ElideRight, width() - x - 6));
        x += metrics.horizontalAdvance(piece.text);
    }
}

} // namespace syncopate::ui
