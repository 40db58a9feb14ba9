// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a timeline stay inside their rows and cover no other: ruler, marks, legend, lane names.
#include "tests/checks.h"
#include "ui/theme/cut_text.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/legend_room.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QSignalSpy>
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
                COMPARE_ABOVE(rect.left() > x ? rect.right() : rect.left(), rect.left() > x ? x : taken + 4);
                ++(rect.left() > x ? right : left);
            }
        QVERIFY(left > 0 && right > 0 && none > 0);
    }

    /// The last label of a ruler stands left of its line, and read "220 ms240 ms" with the one before.
    void tickLabelsStandApart() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 11));
        const QString label = QStringLiteral("240 ms");
        const QRect row(0, 24, 400, 20);
        const int wide = metrics.horizontalAdvance(label), x = row.right() - 4;
        for (int taken = x - wide - 20; taken < x; ++taken) {
            const QRect rect = tickLabelRect(metrics, label, x, row, taken);
            QVERIFY2(rect.isEmpty() || rect.left() - taken > 4,
                     qPrintable(QStringLiteral("%1 after %2").arg(rect.left()).arg(taken)));
        }
        QVERIFY(tickLabelRect(metrics, label, 100, row, 104).isEmpty()); // as where labels are wider than their ticks are apart
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

    void nestedLanesOmitTheirWorker() {
        const auto owner = [](const QStringList &names) { return laneOwner(names); };
        QCOMPARE(owner({"worker 0 compute", "worker 0 push", "worker 0 push 2"}), QStringLiteral("worker 0 "));
        QCOMPARE(owner({"GPU 0 stream 7", "GPU 0 stream 24"}), QStringLiteral("GPU 0 "));
        QCOMPARE(owner({"GPU:0 Stream #2", "GPU:0 Stream #2 (2)"}), QStringLiteral("GPU:0 "));
        QCOMPARE(owner({"GPU 7", "GPU 8"}), QString());
        QCOMPARE(owner({"24", "25"}), QString());
        QCOMPARE(owner({"compute"}), QString());
        QCOMPARE(owner({"process 1 device 0 kernels stream 7", "process 1 device 0 kernels stream 7 (2)",
                        "process 1 device 0 communication stream 7"}),
                 QStringLiteral("process 1 device 0 "));
        QCOMPARE(owner({"process 1 host thread 145", "process 1 host thread 145 (2)", "process 1 host thread 242"}),
                 QStringLiteral("process 1 host "));
        QCOMPARE(owner({"process 1 device 0 kernels stream 7", "process 1 host thread 145"}), QStringLiteral("process 1 "));
    }

    void namesKeepWhatTellsThemApart() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 11));
        using Name = std::pair<QString, QString>; // and the part that differs
        const std::vector<std::vector<Name>> columns{
            {{"communication of the gloo thread 12", "12"}, {"communication of the gloo thread 13", "13"}},
            {{"bert/embeddings/word_embeddings:0", "word"},
             {"bert/embeddings/token_type_embeddings:0", "token_type"},
             {"bert/embeddings/position_embeddings:0", "position"}},
            {{"bert/layer_3/query/kernel:0", "kernel:0"},
             {"bert/layer_3/query/kernel_with_bias:0", "kernel_with_bias"},
             {"bert/layer_3/query/bias:0", "bias"}},
            {{"process 0 device 0 kernels stream 7", "7"},
             {"process 0 device 0 kernels stream 7 (2)", "(2)"},
             {"process 0 device 0 communication stream 7", "communication"}}};
        const int width = metrics.horizontalAdvance(QStringLiteral("\u2026communication stream 7")) + 1;
        for (const Qt::TextElideMode mode : {Qt::ElideLeft, Qt::ElideMiddle, Qt::ElideRight})
            for (const std::vector<Name> &names : columns)
                for (std::size_t n = 0; n < names.size(); ++n) {
                    QStringList neighbours;
                    for (const std::size_t other : {n - 1, n + 1})
                        if (other < names.size())
                            neighbours += names[other].first;
                    const QString cut = cutWhereAlike(metrics, names[n].first, neighbours, width, mode);
                    QVERIFY2(cut.contains(names[n].second), qPrintable(names[n].first + QStringLiteral(": ") + cut));
                    COMPARE_AT_MOST(metrics.horizontalAdvance(cut), width);
                }
        // A neighbour that shares nothing, and one with the same text, say nothing about where to cut: the mode decides.
        const QString &thread = columns[0][0].first, &type = columns[1][1].first;
        const QString alone = cutWhereAlike(metrics, thread, {QStringLiteral("24"), thread}, width);
        QCOMPARE(alone, metrics.elidedText(thread, Qt::ElideMiddle, width));
        for (int narrow = 0; narrow < width; ++narrow) // the differing part has no room as a whole
            COMPARE_AT_MOST(
                metrics.horizontalAdvance(cutWhereAlike(metrics, type, {columns[1][0].first, columns[1][2].first}, narrow)),
                std::max(narrow, metrics.horizontalAdvance(QChar(0x2026))));
    }

    /// Where the differing part has no room as a whole, any cut that reads differently will do.
    void longNamesReadApart() {
        const QFontMetrics metrics(fontOfPixels(QFont(), 11));
        const QStringList names{"Build with UnevenPartitionedPS(local_proxy_variable=True)",
                                "Build with PartitionedPS(local_proxy_variable=True)", "Build with UnevenPartitionedPS",
                                "Policy bytescheduler: parts, those of the first layers first"};
        for (int width = metrics.horizontalAdvance(QStringLiteral("Build with Uneven\u2026")); width < 500; width += 5) {
            QSet<QString> shown;
            for (const QString &name : names)
                shown += cutWhereAlike(metrics, name, names, width, Qt::ElideRight);
            QVERIFY2(shown.size() == names.size(),
                     qPrintable(QStringList(shown.begin(), shown.end()).join(QStringLiteral(" | "))));
        }
    }

    /// Names have the room that they need, up to a quarter of a pane's width, and times of both panes line up.
    void paneMakesRoomForItsNames() {
        Theme theme;
        TimeAxis axis;
        axis.setBounds(0, 1e6);
        QWidget window; // a top level would be hidden until it is shown
        TimelineView a(theme, axis, QStringLiteral("A"), &window), b(theme, axis, QStringLiteral("B"), &window);
        TimelineView::stack(a, b);
        const auto show = [](TimelineView &view, const std::vector<std::string> &names) {
            auto timeline = std::make_shared<Timeline>();
            timeline->labels = {"op"};
            timeline->duration = 1'000'000;
            for (const std::string &name : names) {
                Lane lane;
                lane.name = name;
                lane.start = {0};
                lane.end = {1000};
                lane.category = {Category::Forward};
                lane.label = {0};
                lane.variable = lane.task = {-1};
                lane.sizeBytes = {0};
                timeline->lanes.push_back(lane);
            }
            view.setData(std::make_shared<const TimelineData>(timeline, 0, timeline->duration));
        };
        const std::vector<std::string> names{"worker 0 compute", "worker 0 push"};
        const std::vector<std::string> longNames{"process 0 device 0 communication and memory stream 7",
                                                 "process 0 device 0 stream 8"};
        const int needed = QFontMetrics(fontOfPixels(a.font(), 11)).horizontalAdvance(QString::fromStdString(longNames[0])) + 20;
        for (TimelineView *view : {&a, &b}) {
            view->resize(1600, 200);
            show(*view, names);
        }
        const int usual = a.plotRect().left();
        COMPARE_BELOW(usual, needed);
        const QSignalSpy changed(&b, &TimelineView::namesChanged);
        show(b, longNames);
        QCOMPARE(changed.count(), 1);
        COMPARE_AT_LEAST(b.plotRect().left(), needed);
        COMPARE_AT_MOST(b.plotRect().left(), needed + 4);
        QCOMPARE(a.plotRect().left(), b.plotRect().left());
        b.resize(800, 200);
        QCOMPARE(b.plotRect().left(), 200);
        b.hide();
        QCOMPARE(a.plotRect().left(), usual);
    }
};

QTEST_MAIN(TestTimelineLabels)
#include "tst_timeline_labels.moc"
