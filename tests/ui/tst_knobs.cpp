// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of knobs shows effective knobs and folds the others; each has its name in every language.
#include "engine/cluster/cluster.h"
#include "engine/profile/profile.h"
#include "engine/session/first_contact.h"
#include "engine/session/recorded_cluster.h"
#include "engine/simulate/run.h"
#include "engine/space/space.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/profile/tiny_trace.h"
#include "tests/ui/window_fixture.h"
#include "ui/knobs/knob_names.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/window/perspectives.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <cmath>

using namespace syncopate;
using namespace syncopate::ui;

class TestKnobs : public QObject, WindowFixture {
    Q_OBJECT

    [[nodiscard]] KnobsPanel &panel() { return window().knobs(); }
    [[nodiscard]] Knob &knob(const Dimension &dimension) { return *panel().knob(QString::fromStdString(dimension.id)); }
    void choosePolicies(const char *a, const char *b) {
        SessionState next = session().state();
        next.side(Side::A).policy = a;
        next.side(Side::B).policy = b;
        session().change(next, QStringLiteral("Policies"));
    }
    [[nodiscard]] QStringList ignored() {
        QStringList names;
        for (const Dimension &dimension : scenarioSpace())
            if (!appliesTo(dimension, session().state()))
                names += knobName(dimension);
        return names;
    }

    /// The fold line's reason for a knob; the names of the knobs with the same reason stand before it.
    [[nodiscard]] QString reasonOf(const QString &name) {
        for (const QString &line : panel().foldButton().toolTip().split(u'\n'))
            if (line.section(QStringLiteral(": "), 0, 0).split(QStringLiteral(", ")).contains(name))
                return line.section(QStringLiteral(": "), 1);
        return {};
    }

    [[nodiscard]] std::size_t shownKnobs() {
        return static_cast<std::size_t>(
            std::ranges::count_if(scenarioSpace(), [this](const Dimension &dimension) { return knob(dimension).isVisible(); }));
    }
    /// The engine's result for B in the present state.
    [[nodiscard]] double simulatedB() { return (*simulate(*makeScenario(session().state(), Side::B)))->iterationSeconds; }

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("SyncopateTests"));
    }
    void init() {
        QSettings().remove(QStringLiteral("knobs"));
        start();
    }
    void cleanup() { stop(); }

    /// Without a job nothing has an effect, for one reason, and nothing is folded.
    void nothingIsFoldedWithoutAJob() {
        QVERIFY(panel().foldButton().isHidden());
        for (const Dimension &dimension : scenarioSpace())
            QVERIFY2(!knob(dimension).isHidden() && !knob(dimension).slider()->isEnabled(), dimension.id.c_str());
    }

    /// A box too narrow for its text showed "lReduce(chunk_size=128)" after the focus had been in it.
    void boxesShowTheBeginningOfTheirTexts() {
        QVERIFY(open());
        QLineEdit &line = *panel().strategyBox(Side::A)->lineEdit();
        QVERIFY(!line.text().isEmpty());
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        panel().strategyBox(Side::A)->setFocus(Qt::TabFocusReason);
        QTRY_COMPARE(line.cursorPosition(), 0);
        QCOMPARE(line.selectedText(), line.text()); // as usual: typed text replaces it
        line.end(false);
        panel().strategyBox(Side::B)->setFocus(Qt::OtherFocusReason);
        QTRY_COMPARE(line.cursorPosition(), 0);
    }

    /// A recording without a training step has nothing to turn: a line says why, and its button opens another file.
    void aRecordingHasNoKnobs() {
        session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/rocpd_v3.db"));
        QVERIFY(
            QTest::qWaitFor([this] { return session().run(Side::A) && !session().isLoading(); }, syncopate::testing::patience));
        QVERIFY(settle());
        window().perspectives().show(QStringLiteral("compare")); // the perspective of recordings has no knobs
        QCOMPARE(shownKnobs(), std::size_t{0});
        QVERIFY(!panel().foldButton().isVisible());
        for (const QComboBox *box : panel().findChildren<QComboBox *>())
            QVERIFY2(!box->isVisible(), qPrintable(box->accessibleName()));
        QVERIFY(panel().idle().isVisible());
        QVERIFY2(panel().idle().text().contains(QStringLiteral("no training step")), qPrintable(panel().idle().text()));
        QObject::disconnect(&panel(), &KnobsPanel::openWanted, nullptr, nullptr); // else a file dialog opens
        const QSignalSpy wanted(&panel(), &KnobsPanel::openWanted);
        QTest::mouseClick(&panel().idle().button(), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QVERIFY(open());
        QVERIFY(!panel().idle().isVisible() && panel().strategyBox(Side::A)->isVisible());
        COMPARE_ABOVE(shownKnobs(), std::size_t{3});
    }

    /// While every side shows a measurement the knobs are folded; the button puts the step's simulation beside it. Where one
    /// side is simulated, its knobs stay.
    void aMeasuredStepOffersItsSimulation() {
        const QTemporaryDir folder;
        syncopate::testing::writeFile(folder.filePath(QStringLiteral("tiny.json")), tiny::trace());
        QVERIFY(openProfile(folder.filePath(QStringLiteral("tiny.json"))));
        QVERIFY(std::holds_alternative<Measured>(session().state().side(Side::A).source));
        Knob &bandwidth = *panel().knob(QStringLiteral("bandwidth"));
        const auto boxes = [this] { // of strategies, policies and clusters
            return std::ranges::count_if(panel().findChildren<QComboBox *>(),
                                         [](const QComboBox *box) { return box->isVisible(); });
        };
        QVERIFY(bandwidth.isVisible() && !panel().idle().isVisible());
        QCOMPARE(boxes(), 1 + 3 + 1); // a measurement has no policy and no cluster of its own
        const SessionState opened = session().state();
        // The policy that A had before it was measured has no knobs and no effect.
        SessionState other = opened;
        other.side(Side::A).policy = "bytescheduler(credit=1MiB)";
        session().change(other, QStringLiteral("Policy A"));
        QVERIFY(!panel().knob(QStringLiteral("credit"))->isVisible());
        other.side(Side::A).policy = "ddp(bucket_cap=90MiB)";
        session().change(other, QStringLiteral("Policy A"));
        QVERIFY(other.side(Side::B).policy == "ddp");
        QCOMPARE(panel().knob(QStringLiteral("bucket_cap"))->field()->text(), QStringLiteral("25 MiB"));
        SessionState alone = opened;
        alone.compare = false;
        session().change(alone, QStringLiteral("A alone"));
        QVERIFY(settle());
        QCOMPARE(shownKnobs(), std::size_t{0});
        QCOMPARE(boxes(), 1 + 1);
        QVERIFY(panel().idle().isVisible() && panel().foldButton().isVisible());
        QVERIFY2(panel().foldButton().text().startsWith(QString::number(scenarioSpace().size()) + u' '),
                 qPrintable(panel().foldButton().text()));
        panel().foldButton().click(); // knobs that searches and Throughput use can still be reached
        QVERIFY(bandwidth.isVisible() && bandwidth.slider()->isEnabled());
        panel().foldButton().click();
        QTest::mouseClick(&panel().idle().button(), Qt::LeftButton); // B comes back
        QVERIFY(settle());
        QVERIFY(session().state() == opened);
        QVERIFY(bandwidth.isVisible() && !panel().idle().isVisible());
        SessionState both = opened;
        both.side(Side::B) = both.side(Side::A);
        session().change(both, QStringLiteral("B as measured"));
        QVERIFY(settle());
        QCOMPARE(shownKnobs(), std::size_t{0});
        QTest::mouseClick(&panel().idle().button(), Qt::LeftButton);
        QVERIFY(settle());
        QVERIFY(session().state().side(Side::B).source == firstContactSides()[1].source);
        QCOMPARE(session().run(Side::B)->recording().iterationSeconds, simulatedB());
        session().undoStack()->undo();
        QVERIFY(session().state() == both);
        QVERIFY(settle());
    }

    /// A profile that names no machines has no cluster of its own to offer, whichever was open before it.
    void onlyProfilesWithRanksOfferTheirCluster() {
        const QTemporaryDir folder;
        syncopate::testing::writeFile(folder.filePath(QStringLiteral("tiny.json")), tiny::trace());
        QVERIFY(openProfile(folder.filePath(QStringLiteral("tiny.json"))));
        const auto offered = [this] {
            for (const QComboBox *box : panel().findChildren<QComboBox *>())
                if (box->accessibleName() == QStringLiteral("Cluster"))
                    return box->findData(QString::fromLatin1(recordedClusterName)) >= 0;
            qFatal("no box of clusters");
        };
        for (const auto &[ranks, want] : {std::pair(2, true), {0, false}, {2, true}}) {
            auto profile = std::make_shared<ImportedProfile>(*session().state().profile);
            profile->platform.ranks = ranks;
            SessionState next = session().state();
            next.profile = std::move(profile);
            next.clusterSource = "A2";
            next.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
            session().change(next, QStringLiteral("Profile"));
            QCOMPARE(offered(), want);
        }
    }

    /// The present cluster chosen again is the one that was chosen: without edits, as a strategy is.
    void aClusterChosenAgainHasNoEdits() {
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("A2")));
        session().openCluster(QStringLiteral("A2"), Side::B);
        QVERIFY(QTest::qWaitFor([this] { return session().state().side(Side::B).cluster && !session().isLoading(); },
                                syncopate::testing::patience));
        const Cluster a2 = *catalogueCluster("A2");
        for (const char *name : {"Cluster", "Cluster of B"}) {
            const auto boxes = panel().findChildren<QComboBox *>();
            const auto found = std::ranges::find(boxes, QLatin1String(name), &QComboBox::accessibleName);
            QVERIFY2(found != boxes.end(), name);
            QComboBox &box = **found;
            Q_EMIT box.activated(box.findData(QStringLiteral("A2")));
            QVERIFY2(!session().isLoading(), name); // there is nothing to discard
            const bool shared = QLatin1String(name) == QStringLiteral("Cluster");
            Cluster slow = a2;
            slow.latencySeconds = 1e-3;
            SessionState next = session().state();
            (shared ? next.cluster : next.side(Side::B).cluster) = std::make_shared<const Cluster>(slow);
            next.clusterEdited = shared;
            session().change(next, QStringLiteral("Edit"));
            Q_EMIT box.activated(box.findData(QStringLiteral("A2")));
            const auto isBack = [&] {
                const SessionState &state = session().state();
                return *(shared ? state.cluster : state.side(Side::B).cluster) == a2 && !state.clusterEdited;
            };
            QVERIFY2(QTest::qWaitFor(isBack, syncopate::testing::patience), name);
        }
        QVERIFY(settle());
    }

    /// The same for a side's own cluster from a file, which is read again.
    void aClusterFileChosenAgainHasNoEdits() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("own.yml"));
        syncopate::testing::writeFile(path, QByteArray::fromStdString(writeResourceSpec(uniformCluster(3, 7))));
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("A2")));
        session().openCluster(path, Side::B);
        QVERIFY(QTest::qWaitFor([this] { return session().state().side(Side::B).cluster && !session().isLoading(); },
                                syncopate::testing::patience));
        const Cluster own = *session().state().side(Side::B).cluster;
        SessionState next = session().state();
        Cluster slow = own;
        slow.latencySeconds = 1e-3;
        QVERIFY(slow != own);
        next.side(Side::B).cluster = std::make_shared<const Cluster>(slow);
        session().change(next, QStringLiteral("Edit"));
        const auto boxes = panel().findChildren<QComboBox *>();
        const auto box = std::ranges::find(boxes, QStringLiteral("Cluster of B"), &QComboBox::accessibleName);
        QVERIFY(box != boxes.end());
        QComboBox &ownBox = **box;
        Q_EMIT ownBox.activated(ownBox.findData(path));
        QVERIFY(QTest::qWaitFor([&] { return *session().state().side(Side::B).cluster == own; }, syncopate::testing::patience));
        QVERIFY(settle());
        // Without edits it is no step.
        const int steps = session().undoStack()->count();
        Q_EMIT ownBox.activated(ownBox.findData(path));
        QVERIFY(QTest::qWaitFor([&] { return !session().isLoading(); }, syncopate::testing::patience) && settle());
        QCOMPARE(session().undoStack()->count(), steps);
    }

    void knobsOfOtherPoliciesAreFolded() {
        QVERIFY(open());
        for (const auto &[a, b] : {std::pair("ddp", "fifo"), {"bytescheduler", "horovod"}, {"fifo", "fifo"}}) {
            choosePolicies(a, b);
            const QStringList names = ignored();
            COMPARE_ABOVE(names.size(), 3);
            QVERIFY2(panel().foldButton().text().startsWith(QString::number(names.size()) + u' '),
                     qPrintable(panel().foldButton().text()));
            for (const Dimension &dimension : scenarioSpace()) {
                const bool applies = appliesTo(dimension, session().state());
                QVERIFY2(knob(dimension).isVisible() == applies, dimension.id.c_str());
                if (!applies) // the line says why
                    QVERIFY2(reasonOf(knobName(dimension)).startsWith(QStringLiteral("Neither A nor B uses")),
                             qPrintable(panel().foldButton().toolTip()));
            }
            // Each reason once, however many knobs share it.
            QStringList reasons;
            for (const QString &line : panel().foldButton().toolTip().split(u'\n'))
                reasons += line.section(QStringLiteral(": "), 1);
            QCOMPARE(reasons.removeDuplicates(), 0);
            COMPARE_BELOW(reasons.size(), names.size());
        }
        QVERIFY(settle());
    }

    /// A policy's knob names its sides, and shows both values where they differ: a value sets both, a click on the handle none.
    void policyKnobsSayWhoseTheyAre() {
        QVERIFY(open());
        const auto marks = [](const Knob *knob) {
            QStringList texts;
            for (const QLabel *label : knob->findChildren<QLabel *>())
                if (label->isVisibleTo(knob) && label->text() != knob->info().name)
                    texts += label->text();
            return texts;
        };
        Knob *cap = panel().knob(QStringLiteral("bucket_cap"));
        choosePolicies("ddp(bucket_cap=30MiB)", "ddp(bucket_cap=100MiB)");
        QCOMPARE(cap->field()->text(), QStringLiteral("30 MiB · 100 MiB"));
        QVERIFY2(cap->field()->toolTip().contains(QStringLiteral("A has 30 MiB and B 100 MiB; this sets both")),
                 qPrintable(cap->field()->toolTip()));
        QCOMPARE(marks(cap), QStringList{QStringLiteral("A, B")});
        const SessionState apart = session().state();
        const double share = static_cast<double>(cap->slider()->value()) / cap->slider()->maximum();
        QTest::mouseClick(cap->slider(), Qt::LeftButton, {},
                          {static_cast<int>(8 + share * (cap->slider()->width() - 16)), cap->slider()->height() / 2});
        QVERIFY(session().state() == apart); // the handle was not moved
        cap->field()->setFocus();
        cap->field()->selectAll();
        QTest::keyClicks(cap->field(), QStringLiteral("30 MiB")); // A's own value
        QTest::keyClick(cap->field(), Qt::Key_Return);
        QCOMPARE(session().state().side(Side::B).policy, session().state().side(Side::A).policy);
        QCOMPARE(session().undoStack()->undoText(), QStringLiteral("Bucket cap 30 MiB · 100 MiB → 30 MiB"));
        QCOMPARE(cap->field()->text(), QStringLiteral("30 MiB"));
        choosePolicies("ddp(bucket_cap=30MiB)", "fifo");
        QCOMPARE(cap->field()->text(), QStringLiteral("30 MiB"));
        QCOMPARE(marks(cap), QStringList{QStringLiteral("A")});
        choosePolicies("fifo", "ddp(bucket_cap=100MiB)");
        QCOMPARE(marks(cap), QStringList{QStringLiteral("B")});
        QCOMPARE(marks(panel().knob(QStringLiteral("bandwidth"))), QStringList{}); // of the shared cluster
        SessionState alone = session().state();
        alone.side(Side::A).policy = "ddp";
        alone.compare = false;
        session().change(alone, QStringLiteral("A alone"));
        QCOMPARE(marks(cap), QStringList{}); // there is nothing to tell apart
        // Turning it would change B alone, which is hidden; what A shows stays.
        alone.side(Side::A).policy = "fifo";
        session().change(alone, QStringLiteral("A without it"));
        QCOMPARE(marks(cap), QStringList{QStringLiteral("no effect")});
        QVERIFY2(cap->field()->toolTip().startsWith(QStringLiteral("Without effect now: only B")),
                 qPrintable(cap->field()->toolTip()));
        QVERIFY(cap->slider()->isEnabled());
        alone.compare = true;
        session().change(alone, QStringLiteral("A and B"));
        QCOMPARE(marks(cap), QStringList{QStringLiteral("B")});
        QVERIFY(settle());
    }

    /// The ends of a slider are those of the knob's range, which have more than two digits.
    void theSliderReachesTheRangesEnds() {
        QVERIFY(open());
        for (const char *id : {"bucket_cap", "partition", "window"}) { // of which 64 MiB would round down
            choosePolicies(id == std::string_view("window") ? "http2" : "ddp", "bytescheduler");
            const Dimension &dimension = scenarioSpace()[*scenarioSpace().indexOf(id)];
            QSlider &slider = *knob(dimension).slider();
            for (const double end : {dimension.min, dimension.max}) {
                slider.setValue(end == dimension.max ? slider.maximum() : slider.minimum()); // as by End and Home
                COMPARE_CLOSE(knob(dimension).value(), end, 1e-12, id);
                QCOMPARE(knob(dimension).field()->text(), QString::fromStdString(dimension.format(end)));
            }
        }
        QVERIFY(settle());
    }

    /// A field never shows a text that is not the state's: one that is no value, lacks its unit, or changes nothing.
    void fieldsShowTheState() {
        QVERIFY(open());
        const auto type = [](Knob &knob, const char *text, Qt::Key end = Qt::Key_Return) {
            knob.field()->setFocus();
            knob.field()->selectAll();
            QTest::keyClicks(knob.field(), QString::fromUtf8(text));
            QTest::keyClick(knob.field(), end);
            return knob.field()->text();
        };
        Knob &bandwidth = *panel().knob(QStringLiteral("bandwidth"));
        QCOMPARE(type(bandwidth, "1000"), QStringLiteral("400 Gbit/s")); // the end of its range
        QCOMPARE(type(bandwidth, "1000"), QStringLiteral("400 Gbit/s")); // it is there already
        QCOMPARE(type(bandwidth, "1000", Qt::Key_Up), QStringLiteral("400 Gbit/s"));
        choosePolicies("ddp(bucket_cap=30MiB)", "ddp(bucket_cap=100MiB)");
        const SessionState apart = session().state();
        Knob &cap = *panel().knob(QStringLiteral("bucket_cap"));
        const QSignalSpy told(&session(), &Session::failed);
        for (const char *none : {"much", "nan", "30"}) { // 30 could be bytes or MiB
            QCOMPARE(type(cap, none), QStringLiteral("30 MiB · 100 MiB"));
            QVERIFY2(!told.isEmpty(), none);
        }
        QCOMPARE(told.size(), 3);
        QVERIFY(told.back().front().value<Error>().what.find("30") != std::string::npos);
        QVERIFY(session().state() == apart);
        // The word for infinity, which the field shows.
        choosePolicies("http2", "http2");
        QCOMPARE(type(*panel().knob(QStringLiteral("window")), "off"), QStringLiteral("off"));
        QVERIFY(std::isinf(parsePolicy(session().state().side(Side::A).policy)->value("window")));
        QVERIFY(settle());
    }

    /// Text that is taken back in the field gives way to the state's, which may have changed meanwhile, with the tooltip of it.
    void takenBackTextGivesWay() {
        QVERIFY(open());
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        choosePolicies("ddp", "ddp");
        Knob &cap = *panel().knob(QStringLiteral("bucket_cap"));
        for (const bool isTakenBack : {true, false}) {
            choosePolicies("ddp", "ddp");
            cap.field()->setFocus();
            QTRY_VERIFY(cap.field()->hasFocus());
            cap.field()->selectAll();
            QTest::keyClicks(cap.field(), QStringLiteral("x"));
            choosePolicies("ddp(bucket_cap=30MiB)", "ddp(bucket_cap=100MiB)");
            QCOMPARE(cap.field()->text(), QStringLiteral("x")); // is still being typed
            if (isTakenBack) {
                cap.field()->undo();
                QVERIFY(!cap.field()->isModified());
            }
            QTest::keyClick(cap.field(), Qt::Key_Return);
            QCOMPARE(cap.field()->text(), QStringLiteral("30 MiB · 100 MiB"));
            QVERIFY2(cap.field()->toolTip().contains(QStringLiteral("this sets both")), qPrintable(cap.field()->toolTip()));
        }
        QVERIFY(settle());
    }

    /// A key never turns a knob the other way: not where the value is beyond the knob's range, nor where a slider's step is
    /// smaller than what two digits can show, nor does it do nothing where there are few values.
    void keysTurnTheirWay() {
        QVERIFY(open());
        Knob &bandwidth = *panel().knob(QStringLiteral("bandwidth"));
        const auto onLinksOf = [&](double gbits) {
            SessionState next = session().state();
            next.cluster = std::make_shared<const Cluster>(uniformCluster(4, gbits));
            next.bandwidthGbits.reset();
            session().change(next, QStringLiteral("Links"));
        };
        onLinksOf(800); // the knob ends at 400
        QTest::keyClick(bandwidth.field(), Qt::Key_Up);
        QCOMPARE(bandwidth.value(), 800.0);
        QTest::keyClick(bandwidth.field(), Qt::Key_Down);
        QCOMPARE(bandwidth.value(), 400.0);
        onLinksOf(12.34);
        QTest::keyClick(bandwidth.slider(), Qt::Key_Right);
        COMPARE_ABOVE(bandwidth.value(), 12.34);
        onLinksOf(12.34);
        QTest::keyClick(bandwidth.slider(), Qt::Key_Left);
        COMPARE_BELOW(bandwidth.value(), 12.34);
        Knob &servers = *panel().knob(QStringLiteral("servers"));
        QCOMPARE(servers.value(), 0.0);
        QTest::keyClick(servers.slider(), Qt::Key_Right);
        QCOMPARE(servers.value(), 1.0);
        QTest::keyClick(servers.slider(), Qt::Key_Left);
        QCOMPARE(servers.value(), 0.0);
        choosePolicies("http2(window=off)", "http2(window=off)");
        Knob &size = *panel().knob(QStringLiteral("window"));
        QTest::keyClick(size.field(), Qt::Key_Up);
        QVERIFY(std::isinf(size.value()));
        QTest::keyClick(size.field(), Qt::Key_Down);
        QCOMPARE(size.value(), size.info().most);
        QVERIFY(settle());
    }

    /// One worker, but a million of hundreds of millions of elements.
    void countsStepByTheirThirdDigit() {
        QVERIFY(open());
        choosePolicies("deepspeed", "deepspeed");
        Knob &bucket = *panel().knob(QStringLiteral("reduce_bucket"));
        QCOMPARE(bucket.value(), 5e8);
        QTest::keyClick(bucket.field(), Qt::Key_Up);
        QCOMPARE(bucket.value(), 501e6);
        QTest::keyClick(bucket.field(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(bucket.value(), 491e6);
        Knob &workers = *panel().knob(QStringLiteral("workers"));
        const double before = workers.value();
        QTest::keyClick(workers.field(), Qt::Key_Up);
        QCOMPARE(workers.value(), before + 1);
        QVERIFY(settle());
    }

    /// By keyboard alone: Tab goes from the last knob to the line, Space unfolds it. The next window remembers that.
    void theLineUnfoldsThem() {
        QVERIFY(open());
        choosePolicies("ddp", "fifo");
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        Knob &last = *panel().knob(QStringLiteral("concurrent"));
        last.slider()->setFocus();
        QTest::keyClick(last.slider(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &panel().foldButton());
        QTest::keyClick(&panel().foldButton(), Qt::Key_Space);
        Knob &credit = *panel().knob(QStringLiteral("credit"));
        QVERIFY(credit.isVisible() && !credit.slider()->isEnabled());
        QVERIFY(credit.slider()->toolTip().contains(QStringLiteral("Neither A nor B uses")));
        QVERIFY(credit.y() > panel().foldButton().y() && last.y() < panel().foldButton().y());
        MainWindow another(theme());
        another.show();
        QVERIFY(openAndSettle(another));
        QVERIFY(another.knobs().foldButton().isChecked());
        QVERIFY(!another.knobs().knob(QStringLiteral("credit"))->isHidden());
        panel().foldButton().click();
        QVERIFY(!credit.isVisible());
        QVERIFY(settle());
    }

    /// A policy that is chosen brings its knobs up, with values that are not cut.
    void aChosenPolicyBringsItsKnobs() {
        QVERIFY(open());
        choosePolicies("ddp", "bytescheduler");
        Knob &credit = *panel().knob(QStringLiteral("credit"));
        QVERIFY(credit.isVisible() && credit.slider()->isEnabled());
        for (const Dimension &dimension : scenarioSpace()) {
            const QLineEdit *field = knob(dimension).field();
            for (const double value : {dimension.min, dimension.max, std::sqrt(std::max(dimension.min, 1e-9) * dimension.max)}) {
                const QString text = QString::fromStdString(dimension.format(value));
                COMPARE_BELOW(field->fontMetrics().horizontalAdvance(text) + 8, field->width());
            }
        }
        QVERIFY(settle());
    }
};

QTEST_MAIN(TestKnobs)
#include "tst_knobs.moc"
