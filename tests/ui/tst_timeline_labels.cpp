// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a timeline stay inside their rows and cover no other: ruler, marks, legend, lane names.
#include "tests/checks.h"
#include "ui/theme/theme.h"
#include "ui/timeline/font_of_pixels.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

class TestTimelineLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The last column of the ruler has ground or a tick's line; at some of these widths a label would have been cut there.
    void noTickLabelIsCutAtTheEnd() {
        Theme theme;
        TimeAxis axis;
        axis.setBounds(0, 1e9);
        axis.setWindow(0, 0.93e9);
        TimelineView view(theme, axis, QStringLiteral("A"));
        for (int width = 400; width < 520; ++width) {
            view.resize(width, 120);
            const QImage picture = view.grab().toImage();
            const QRect plot = view.plotRect();
            for (int y = plot.top() - 18; y < plot.top() - 6; ++y)
                QVERIFY2(picture.pixelColor(plot.right(), y) == theme.color(ColorId::Surface),
                         qPrintable(QStringLiteral("width %1, row %2: %3")
                                        .arg(width)
                                        .arg(y)
                                        .arg(picture.pixelColor(plot.right(), y).name())));
        }
    }

    void tickLabelsAreInsideTheRow() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 11));
        const QString label = QStringLiteral("250 ms");
        const QRect row(140, 24, 300, 20);
        int left = 0, right = 0, none = 0;
        for (int x = row.left(); x <= row.right(); ++x)
            for (const int taken : {row.left(), x - 20}) {
                const QRect rect = tickLabelRect(metrics, label, x, row, taken);
                if (rect.isEmpty()) {
                    ++none;
                    continue;
                }
                QVERIFY(row.contains(rect));
                COMPARE_AT_LEAST(rect.width(), metrics.horizontalAdvance(label));
                COMPARE_ABOVE(rect.left() > x ? rect.right() : rect.left(), rect.left() > x ? x : taken);
                ++(rect.left() > x ? right : left);
            }
        QVERIFY(left > 0 && right > 0 && none > 0);
    }

    void marksAreInsideTheRowAndCoverNoOther() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 10));
        const QStringList names{QStringLiteral("dependency bound"), QStringLiteral("compute bound"),
                                QStringLiteral("network bound")};
        for (int width = 20; width < 600; width += 7) {
            const QRect row(150, 24, width, 19);
            for (const double nearest : {0.01, 0.3, 0.95}) {
                std::vector<std::pair<int, QString>> marks;
                for (int m = 0; m < 3; ++m)
                    marks.emplace_back(row.left() + static_cast<int>((width - 1) * (0.98 - m * (0.98 - nearest) / 2)), names[m]);
                const auto labels = placeMarkLabels(metrics, marks, row);
                QCOMPARE(labels.size(), marks.size());
                int limit = row.right() + 1;
                for (std::size_t m = 0; m < labels.size(); ++m) {
                    if (labels[m].rect.isEmpty())
                        continue;
                    QVERIFY(row.contains(labels[m].rect));
                    COMPARE_AT_MOST(labels[m].rect.right(), limit);
                    COMPARE_AT_MOST(metrics.horizontalAdvance(labels[m].text), labels[m].rect.width());
                    limit = labels[m].rect.left();
                }
                if (width > 400)
                    QCOMPARE(labels[0].text, names[0]);
            }
        }
    }

    /// Notes stand in the same row; a mark's name goes to the other side of its line, is cut or is left out.
    void marksCoverNoNote() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 10));
        const QRect row(150, 24, 420, 19);
        const std::vector<std::pair<int, QString>> marks{{row.left() + 380, QStringLiteral("dependency bound")},
                                                         {row.left() + 200, QStringLiteral("network bound")},
                                                         {row.left() + 20, QStringLiteral("compute bound")}};
        int whole = 0, cut = 0, none = 0;
        for (int first = row.left(); first < row.right(); first += 3)
            for (const int width : {3, 40, 110}) {
                const std::vector<QRect> notes{QRect(first, 26, width, 16), QRect(first + width + 60, 26, width, 16)};
                const auto labels = placeMarkLabels(metrics, marks, row, notes);
                int limit = row.right() + 1;
                for (std::size_t m = 0; m < labels.size(); ++m) {
                    const QRect &rect = labels[m].rect;
                    if (rect.isEmpty()) {
                        ++none;
                        continue;
                    }
                    QVERIFY(row.contains(rect));
                    COMPARE_BELOW(rect.right(), limit);
                    COMPARE_AT_MOST(metrics.horizontalAdvance(labels[m].text), rect.width());
                    for (const QRect &note : notes)
                        QVERIFY2(!rect.intersects(note), qPrintable(QStringLiteral("mark %1, note at %2").arg(m).arg(first)));
                    limit = rect.left();
                    ++(labels[m].text == marks[m].second ? whole : cut);
                }
            }
        QVERIFY2(whole > 4 * none && cut > 0,
                 qPrintable(QStringLiteral("%1 whole, %2 cut, %3 none").arg(whole).arg(cut).arg(none)));
    }

    void aLegendSaysWhatItLeavesOut() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 11));
        const QStringList names{QStringLiteral("forward"), QStringLiteral("backward"), QStringLiteral("update"),
                                QStringLiteral("all-reduce")};
        QCOMPARE(fitLegend(metrics, names, 26, 10000).names, qsizetype{4});
        QCOMPARE(fitLegend(metrics, names, 26, 10000).rest, QString());
        for (int width = 0; width < 500; width += 5) {
            const LegendRoom room = fitLegend(metrics, names, 26, width);
            if (room.names == 0)
                continue;
            COMPARE_AT_MOST(room.width, width);
            QCOMPARE(room.rest, room.names == 4 ? QString() : QStringLiteral("+%1").arg(4 - room.names));
        }
        QCOMPARE(fitLegend(metrics, names, 26, metrics.horizontalAdvance(names[0]) + 60).names, qsizetype{1});
    }

    void laneNamesKeepWhatTellsThemApart() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 11));
        const QString one = QStringLiteral("communication of the gloo thread 12"),
                      other = QStringLiteral("communication of the gloo thread 13");
        const qsizetype alike = one.size() - 1;
        const int width = metrics.horizontalAdvance(QStringLiteral("gloo thread 12 …"));
        QVERIFY(elidedLaneName(metrics, one, alike, width).endsWith(QStringLiteral("12")));
        QVERIFY(elidedLaneName(metrics, one, alike, width) != elidedLaneName(metrics, other, alike, width));
        QVERIFY(elidedLaneName(metrics, one, alike, width).startsWith(QChar(0x2026)));
        const QString alone = elidedLaneName(metrics, one, 0, width);
        QVERIFY2(alone.startsWith(QStringLiteral("comm")) && alone.endsWith(QStringLiteral("12")), qPrintable(alone));
        COMPARE_AT_MOST(metrics.horizontalAdvance(alone), width);
    }
};

QTEST_MAIN(TestTimelineLabels)
#include "tst_timeline_labels.moc"
