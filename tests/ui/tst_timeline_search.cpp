// SPDX-License-Identifier: GPL-3.0-or-later
// Finding things from the keyboard: the search bar, spans and names by their keys, the palette.
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/knobs/knob.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/scenarios_panel.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/variables_panel.h"
#include "ui/window/command_palette.h"
#include "ui/window/fuzzy.h"

#include <QAction>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::ui;

class TestTimelineSearch : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        window().activateWindow();
        QVERIFY(open());
    }
    void cleanup() { stop(); }

    void searchCountsMarksAndWalks() {
        TimelineView &view = window().view(Side::B);
        view.setFocus();
        const QImage before = view.grab().toImage();
        QTest::keyClick(&view, Qt::Key_Slash);
        SearchBar &bar = window().searchBar();
        QVERIFY(!bar.isHidden());
        const Timeline &timeline = view.data()->timeline();
        const std::string name = timeline.labels.front();
        QTest::keyClicks(bar.field(), QString::fromStdString(name).toUpper());
        QVERIFY(searched());
        QVERIFY(view.grab().toImage() != before);
        std::vector<std::uint8_t> wanted(timeline.labels.size(), 0);
        std::size_t expected = 0;
        for (std::size_t l = 0; l < wanted.size(); ++l)
            wanted[l] = QString::fromStdString(timeline.labels[l]).contains(QString::fromStdString(name), Qt::CaseInsensitive);
        for (const Lane &lane : timeline.lanes)
            for (const std::int32_t label : lane.label)
                expected += wanted[static_cast<std::size_t>(label)];
        QVERIFY2(bar.count().contains(QStringLiteral("%1 in B").arg(expected)), qPrintable(bar.count()));
        // Enter goes forward from the visible stretch, Shift+Enter back; both wrap around.
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(view.selectedSpan().has_value());
        const SpanRef first = *view.selectedSpan();
        QVERIFY(wanted[static_cast<std::size_t>(timeline.lanes[first.lane].label[first.span])] != 0);
        QVERIFY(bar.count().contains(QStringLiteral(" of %1 in B").arg(expected)));
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(*view.selectedSpan() != first);
        QTest::keyClick(bar.field(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(*view.selectedSpan() == first);
        for (std::size_t i = 0; i < expected; ++i)
            QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(*view.selectedSpan() == first);
        // The selection is visible.
        const auto [from, to] = view.axis().window();
        const double at = static_cast<double>(timeline.lanes[first.lane].start[first.span] - view.data()->origin());
        COMPARE_BELOW(at, to);
        COMPARE_ABOVE(at, from - 1e9);
        // A bucket of A is found by the names of its variables.
        const auto run = session().run(Side::A);
        const std::string variable = session().state().job->variables.front().name;
        bar.field()->setText(QString::fromStdString(variable));
        const auto found = run->labelsMatching(variable);
        COMPARE_ABOVE(std::count(found.begin(), found.end(), 1), 0);
        bar.field()->setText(QStringLiteral("no such thing"));
        QVERIFY(searched());
        QVERIFY(!bar.count().isEmpty() && !bar.count().contains(QLatin1Char('0')));
        QTest::keyClick(bar.field(), Qt::Key_Escape);
        QVERIFY(bar.isHidden());
        view.selectSpan({});
        view.axis().back();
    }

    void searchStaysWhileKnobsMove() {
        window().action(QStringLiteral("find"))->trigger();
        QTest::keyClicks(window().searchBar().field(), QStringLiteral("conv"));
        QVERIFY(searched());
        const QString before = window().searchBar().count();
        SessionState state = session().state();
        state.side(Side::B).source = Built{"AllReduce(chunk_size=1)"};
        session().change(state, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(searched());
        QVERIFY(window().searchBar().count() != before);
    }

    /// A search that was opened for B goes on in A once B is hidden.
    void aHiddenPaneIsNotSteppedThrough() {
        SearchBar &bar = window().searchBar();
        QTest::keyClick(&window().view(Side::B), Qt::Key_Slash);
        bar.field()->setText(QStringLiteral("conv"));
        QVERIFY(searched());
        window().action(QStringLiteral("compare"))->trigger();
        QVERIFY(!session().state().compare && settle() && searched());
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(window().view(Side::A).selectedSpan().has_value());
        QVERIFY2(bar.count().contains(QStringLiteral(" of ")), qPrintable(bar.count()));
    }

    void anAnswerToAnotherTextIsDropped() {
        window().action(QStringLiteral("find"))->trigger();
        SearchBar &bar = window().searchBar();
        bar.field()->setText(QStringLiteral("conv"));
        QVERIFY(searched());
        const QString conv = bar.count();
        bar.field()->setText(QStringLiteral("fc"));
        QVERIFY(searched());
        const QString fc = bar.count();
        QVERIFY(conv != fc);
        for (int round = 0; round < 10; ++round) {
            bar.field()->setText(QStringLiteral("conv"));
            QTest::qSleep(10); // found by now, but not delivered yet
            bar.field()->setText(QStringLiteral("fc"));
            QCOMPARE(bar.count(), QStringLiteral("Searching…"));
            QVERIFY(searched());
            QCOMPARE(bar.count(), fc);
        }
        // Enter before the results arrive goes to the first hit as soon as they do.
        TimelineView &view = window().view(Side::A);
        view.selectSpan({});
        bar.field()->setText(QStringLiteral("conv"));
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QVERIFY(!view.selectedSpan() && !window().view(Side::B).selectedSpan());
        QVERIFY(searched());
        QVERIFY(view.selectedSpan() || window().view(Side::B).selectedSpan());
    }

    void keysWalkLanesSpansAndNames() {
        TimelineView &view = window().view(Side::B);
        view.setFocus();
        view.setAllExpanded(true); // in a strip the keys walk all lanes, see below
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentLane().value(), view.layout().rows().front().lane);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentLane().value(), view.layout().rows()[1].lane);
        const SpanRef at = *view.selectedSpan();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(*view.selectedSpan(), (SpanRef{at.lane, at.span + 1}));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(*view.selectedSpan(), at);
        const Timeline &timeline = view.data()->timeline();
        const auto nameOf = [&](const SpanRef &span) {
            return timeline.labels[static_cast<std::size_t>(timeline.lanes[span.lane].label[span.span])];
        };
        QTest::keyClick(&view, Qt::Key_Period);
        const SpanRef next = *view.selectedSpan();
        QVERIFY(next != at);
        QCOMPARE(nameOf(next), nameOf(at));
        // No span of that name lies in between.
        for (std::size_t l = 0; l < timeline.lanes.size(); ++l)
            for (std::size_t i = 0; i < timeline.lanes[l].size(); ++i)
                if (nameOf({l, i}) == nameOf(at))
                    QVERIFY(timeline.lanes[l].start[i] <= timeline.lanes[at.lane].start[at.span] ||
                            timeline.lanes[l].start[i] >= timeline.lanes[next.lane].start[next.span]);
        QTest::keyClick(&view, Qt::Key_Comma);
        QCOMPARE(*view.selectedSpan(), at);
        const auto shown = view.axis().window();
        QTest::keyClick(&view, Qt::Key_Return);
        COMPARE_BELOW(view.axis().span(), shown.second - shown.first);
        QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(view.axis().window(), shown);
        QTest::keyClick(&view, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(view.axis().window() != shown);
    }

    void fuzzyPrefersWordsAndPieces() {
        QVERIFY(!fuzzyMatch(QStringLiteral("xyz"), QStringLiteral("Compare A/B")));
        QVERIFY(!fuzzyMatch(QStringLiteral("ba"), QStringLiteral("ab")));
        const auto score = [](const char *pattern, const char *text) {
            const auto match = fuzzyMatch(QString::fromLatin1(pattern), QString::fromLatin1(text));
            return match ? match->score : -1000000;
        };
        COMPARE_ABOVE(score("cab", "Compare A/B"), score("cab", "Collapse a table"));
        COMPARE_ABOVE(score("fit", "Fit selection"), score("fit", "Profit"));
        COMPARE_ABOVE(score("conv1", "conv1/kernel"), score("conv1", "conv10/kernel"));
        QVERIFY(score("conv 1", "conv1/kernel") == score("conv1", "conv1/kernel"));
        QVERIFY(score("", "anything") == 0);
        const auto match = fuzzyMatch(QStringLiteral("sw"), QStringLiteral("Also Swap"));
        QCOMPARE(match->positions, (std::vector<int>{5, 6}));
    }

    void paletteFindsAnything() {
        const auto palette = [&] {
            window().action(QStringLiteral("palette"))->trigger();
            return window().findChild<CommandPalette *>();
        };
        // An action, by letters.
        CommandPalette *box = palette();
        QVERIFY(box);
        QTest::keyClicks(box->field(), QStringLiteral("swap"));
        QCOMPARE(box->list()->currentItem()->text(), QStringLiteral("Swap A and B"));
        const SessionState before = session().state();
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return session().state().side(Side::A) == before.side(Side::B); },
                                syncopate::testing::patience));
        QVERIFY(settle());
        QTest::qWait(1);
        // An ampersand that is no mark of a letter.
        window().action(QStringLiteral("swap"))->setText(QStringLiteral("&Swap R&&D"));
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("R&D"));
        QCOMPARE(box->list()->currentItem()->text(), QStringLiteral("Swap R&D"));
        QTest::keyClick(box->field(), Qt::Key_Escape);
        window().action(QStringLiteral("swap"))->setText(QStringLiteral("S&wap A and B"));
        QTest::qWait(1);
        // A tool tip with what looks like markup, such as the name of a step, is escaped once.
        const QString tip = window().action(QStringLiteral("swap"))->toolTip();
        window().action(QStringLiteral("swap"))->setToolTip(plainTip(QStringLiteral("Undo <b>x</b>")));
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("Swap A and B"));
        QCOMPARE(box->list()->currentItem()->toolTip(), plainTip(QStringLiteral("Undo <b>x</b>")));
        QTest::keyClick(box->field(), Qt::Key_Escape);
        window().action(QStringLiteral("swap"))->setToolTip(tip);
        QTest::qWait(1);
        // A variable, which is then selected.
        const std::string name = session().state().job->variables[5].name;
        box = palette();
        QTest::keyClicks(box->field(), QString::fromStdString(name));
        QCOMPARE(box->list()->currentItem()->text(), QString::fromStdString(name));
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return window().variables().selectedVariable() == 5; }, syncopate::testing::patience));
        QTest::qWait(1);
        // Also where a filter hides it in the table.
        window().variables().filter()->setText(QStringLiteral("nothing like that"));
        QCOMPARE(window().variables().selectedVariable(), -1);
        box = palette();
        QTest::keyClicks(box->field(), QString::fromStdString(name));
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return window().variables().selectedVariable() == 5; }, syncopate::testing::patience));
        QTest::qWait(1);
        // A lane, which becomes the current one.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("lane of b compute"));
        COMPARE_ABOVE(box->list()->count(), 0);
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return window().view(Side::B).currentLane().has_value(); }, syncopate::testing::patience));
        QTest::qWait(1);
        // A knob, whose field has the focus then.
        box = palette();
        const Knob *bandwidth = window().knobs().knob(QStringLiteral("bandwidth"));
        QTest::keyClicks(box->field(), QStringLiteral("knob bandwidth"));
        QCOMPARE(box->list()->currentItem()->text(), bandwidth->info().name);
        QTest::keyClick(box->field(), Qt::Key_Return);
        QTRY_COMPARE(window().focusWidget(), bandwidth->field()); // it has the focus once the window is active
        QTest::qWait(1);
        // A knob of another policy says why it cannot be turned.
        const auto &knobs = window().knobs().knobs();
        const auto unusable = std::ranges::find_if(knobs, [](const Knob *knob) { return !knob->whyNotUsable().isEmpty(); });
        QVERIFY(unusable != knobs.end());
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("knob ") + (*unusable)->info().name);
        QListWidgetItem *listed = nullptr;
        for (int row = 0; row < box->list()->count(); ++row)
            if (box->list()->item(row)->text() == (*unusable)->info().name)
                listed = box->list()->item(row);
        QVERIFY(listed && !listed->flags().testFlag(Qt::ItemIsEnabled));
        QCOMPARE(listed->toolTip(), plainTip((*unusable)->whyNotUsable()));
        box->reject();
        QTest::qWait(20);
        // A policy, which its side gets.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("policy of b bytescheduler"));
        QTest::keyClick(box->field(), Qt::Key_Return);
        QTRY_COMPARE(session().state().side(Side::B).policy, std::string("bytescheduler"));
        QVERIFY(settle());
        // A kept scenario, which is shown again.
        const SessionState kept = session().state();
        window().action(QStringLiteral("keep"))->trigger();
        SessionState other = kept;
        other.bandwidthGbits = 3;
        session().change(other, QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("scenario ") + window().scenarios().model()->rows()[0].name);
        COMPARE_ABOVE(box->list()->count(), 0);
        QTest::keyClick(box->field(), Qt::Key_Return);
        QTRY_VERIFY(session().state().bandwidthGbits == kept.bandwidthGbits);
        QVERIFY(settle());
        // Redo is disabled: it is grey, says why, and Enter on it does nothing.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("redo"));
        QListWidgetItem *redo = nullptr;
        for (int row = 0; row < box->list()->count(); ++row)
            if (box->list()->item(row)->text() == QLatin1String("Redo"))
                redo = box->list()->item(row);
        QVERIFY(redo);
        QVERIFY(!redo->flags().testFlag(Qt::ItemIsEnabled));
        QVERIFY(!redo->toolTip().isEmpty());
        box->list()->setCurrentItem(redo);
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(box->isVisible());
        // Nor does a click on it, which leaves the current one, an enabled one, as it is.
        box->field()->setText(QStringLiteral("do"));
        QVERIFY(box->list()->currentItem()->flags().testFlag(Qt::ItemIsEnabled));
        const QList<QListWidgetItem *> again = box->list()->findItems(QStringLiteral("Redo"), Qt::MatchExactly);
        QCOMPARE(again.size(), 1);
        box->list()->scrollToItem(again.front());
        QTest::mouseClick(box->list()->viewport(), Qt::LeftButton, {}, box->list()->visualItemRect(again.front()).center());
        QVERIFY(box->isVisible());
        QTest::keyClick(box->field(), Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return !window().findChild<CommandPalette *>(); }, syncopate::testing::patience));
        // A job of the catalogue.
        box = palette();
        QTest::keyClicks(box->field(), QStringLiteral("vgg16"));
        QTest::keyClick(box->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return session().state().source.find("vgg16") != std::string::npos; },
                                syncopate::testing::patience));
        QVERIFY(settle());
    }

private:
    /// The text in the search bar has been searched and its hits counted.
    bool searched() {
        return QTest::qWaitFor([this] { return window().searchBar().count() != QStringLiteral("Searching…"); },
                               syncopate::testing::patience);
    }
};

QTEST_MAIN(TestTimelineSearch)
#include "tst_timeline_search.moc"
