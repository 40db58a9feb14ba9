// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/theme/format.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/link_legend.h"
#include "ui/topology/topology_panel.h"
#include "ui/window/message_bar.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <map>
#include <optional>
#include <ranges>

using namespace syncopate;
using namespace syncopate::ui;

class TestTopology : public QObject, private WindowFixture {
    Q_OBJECT

    TopologyPanel &panel() { return window().topology(); }
    TopologyView &view() { return panel().view(); }

    /// The panel draws the session's present cluster.
    bool shown(std::size_t nodes) {
        return settle() && QTest::qWaitFor([&] { return view().selection().size() == nodes; }, syncopate::testing::patience);
    }
    /// The panel draws the session's present cluster with these host lanes, and the run on it.
    bool shown(std::vector<HostLane> lanes) {
        SessionState state = session().state();
        Cluster laned = cluster();
        laned.hostLanes = std::move(lanes);
        state.cluster = std::make_shared<const Cluster>(std::move(laned));
        return change(std::move(state));
    }
    void type(const char *field, const QString &text) {
        QLineEdit *edit = panel().field(QLatin1String(field));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    /// Waits until the links' worths are known of the run that A shows.
    bool savingsKnown() {
        return QTest::qWaitFor(
            [this] {
                return view().data() && view().data()->run.get() == session().run(Side::A)->simulation() &&
                       view().data()->savingsKnown;
            },
            syncopate::testing::patience);
    }
    /// The iteration time of A with another bandwidth of one node, simulated.
    double iterationWith(std::size_t node, double moreGbits) {
        const Run &run = *session().run(Side::A)->simulation();
        Scenario faster = run.scenario;
        Cluster cluster = *faster.cluster;
        cluster.nodes[node].bandwidthBytesPerSecond += bytesPerSecondFromGbits(moreGbits);
        faster.cluster = std::make_shared<const Cluster>(std::move(cluster));
        return (*simulate(faster))->iterationSeconds;
    }
    /// Seconds that the engine saves with 1 Gbit/s more of a link, each simulated once; 0 off the critical path.
    std::optional<double> simulatedSaving(const Run &run, LinkId link) {
        if (&run != m_simulatedOf) {
            m_simulatedOf = &run;
            m_simulated.clear();
            const CauseFinder finder(run);
            m_onPath = linkSlopes(run, finder, finder.ofPeriod());
        }
        const auto isOnPath = [&](const LinkSlope &slope) { return belongTogether(run.graph, slope.link, link); };
        if (std::ranges::none_of(m_onPath, isOnPath))
            return 0;
        auto [found, isNew] = m_simulated.try_emplace(link);
        if (isNew)
            if (const auto saved = savedByFasterLink(run, link, 1))
                found->second = *saved;
        return found->second;
    }
    /// Below a connection's limit, so that the links are the bottleneck, with the links' worths known.
    bool slowedDown() {
        SessionState slow = session().state();
        slow.bandwidthGbits = 4;
        session().change(std::move(slow), QStringLiteral("test"));
        return settle() && savingsKnown();
    }
    /// Waits until the panel draws the run of the state that it changes to.
    bool change(SessionState next) {
        session().change(std::move(next), QStringLiteral("test"));
        const auto isCurrent = [&] { return view().data() && view().data()->run.get() == session().run(Side::A)->simulation(); };
        return settle() && QTest::qWaitFor(isCurrent, syncopate::testing::patience);
    }
    /// Whether the ring's colour is beside a node's box, at its left and at its right.
    std::pair<bool, bool> ringBeside(std::size_t node) {
        const QImage picture = view().viewport()->grab().toImage();
        const QRect box = view().nodeRect(node);
        const double zoom = box.height() / 88.0; // of a box that is not enlarged
        const auto isIn = [&](double x) {
            for (int y = box.top(); y < box.bottom(); ++y)
                if (const QPoint at(static_cast<int>(std::lround(x)), y);
                    picture.rect().contains(at) && picture.pixelColor(at) == theme().color(ColorId::AllReduce))
                    return true;
            return false;
        };
        return {isIn(box.left() - 2 * zoom), isIn(box.left() + box.width() + zoom)};
    }
    const Run *m_simulatedOf = nullptr;
    std::vector<LinkSlope> m_onPath;
    std::map<LinkId, std::optional<double>> m_simulated;

    [[nodiscard]] Cluster cluster(Side side = Side::A) { return effectiveCluster(session().state(), side); }

private Q_SLOTS:
    void init() {
        start();
        session().startWith({SideState{Built{"PSLoadBalancing"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "fifo"}},
                            true);
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        window().action(QStringLiteral("topology"))->trigger();
        QVERIFY(shown(cluster().nodes.size()));
    }
    void cleanup() { stop(); }

    /// The load shown is the engine's, over the visible time.
    void loadsFollowTheVisibleTime() {
        const auto run = session().run(Side::A);
        const LinkLoads loads(*run->simulation());
        const auto links = linksOfNodes(*run->simulation());
        const double start = run->recording().windowStartSeconds, iteration = run->recording().iterationSeconds;
        window().axis().setBounds(0, iteration * 1e9);
        for (const auto &[from, to] : {std::pair{0.0, 1.0}, {0.25, 0.5}, {0.5, 0.75}}) {
            window().axis().setWindow(from * iteration * 1e9, to * iteration * 1e9);
            const auto window1 = window().axis().window();
            for (const NodeLinks &node : links)
                QCOMPARE(view().load(node.transmit),
                         std::clamp(loads.share(node.transmit, start + window1.first * 1e-9, start + window1.second * 1e-9), 0.0,
                                    1.0));
        }
        QVERIFY(view().describe(0).contains(QStringLiteral("reduces")));
    }

    /// An InfraGraph document opens like any other cluster.
    void opensInfraGraph() {
        session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/infragraph/two_racks.yaml"));
        const auto isDrawn = [&] { return view().describe(2).contains(QStringLiteral("GPUs: 4 Example accelerator")); };
        QVERIFY2(QTest::qWaitFor(isDrawn, syncopate::testing::patience), qPrintable(view().describe(2)));
        QVERIFY(settle());
        QVERIFY2(view().describe(2).contains(QStringLiteral("link 400 Gbit/s")), qPrintable(view().describe(2)));
        QCOMPARE(cluster().nodes[2].rack, std::string("leaf.1"));
        QSignalSpy failed(&session(), &Session::failed);
        session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/damaged/topology/infragraph_huge_counts.yaml"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, syncopate::testing::patience);
        QCOMPARE(cluster().nodes.size(), std::size_t{4}); // the previous cluster stays
    }

    /// The saving shown for a node equals the engine's simulation: another bandwidth of that node alone.
    void linksTellWhatTheyAreWorth() {
        QVERIFY(slowedDown());
        const Run &run = *session().run(Side::A)->simulation();
        const std::vector<NodeLinks> links = linksOfNodes(run);
        int told = 0, alone = 0;
        for (std::size_t node = 0; node < links.size(); ++node) {
            const auto want = simulatedSaving(run, links[node].transmit);
            QCOMPARE(view().data()->savedSeconds(links[node].transmit), want);
            QCOMPARE(view().data()->savedSeconds(links[node].receive), want); // a card gets faster in both directions
            QVERIFY2(view().describe(node).contains(savingText(*want)), qPrintable(view().describe(node)));
            if (*want == 0)
                continue;
            ++told;
            if (run.graph.links[links[node].transmit.index()].nodes.size() != 1)
                continue; // a class of folded nodes gets faster as a whole
            COMPARE_CLOSE(*want, run.iterationSeconds - iterationWith(node, 1), 1e-6, std::to_string(node));
            ++alone;
        }
        QVERIFY(told > 0 && alone > 0);
    }

    /// A saving that was not simulated is unknown, rather than zero, and a loss is shown as a loss.
    void whatWasNotSimulatedIsUnknown() {
        QVERIFY(slowedDown());
        TopologyData data = *view().data();
        const auto isOfNode0 = [&](const LinkSlope &slope) {
            return belongTogether(data.run->graph, slope.link, data.links[0].transmit);
        };
        LinkSlope slope = data.slopes.front();
        slope.link = data.links[0].transmit;
        slope.savedSeconds.reset();
        std::erase_if(data.slopes, isOfNode0);
        data.slopes.push_back(slope);
        view().setData(std::make_shared<const TopologyData>(data));
        QVERIFY(!view().data()->savedSeconds(data.links[0].receive));
        QVERIFY2(view().describe(0).contains(QStringLiteral("saves – per iteration")), qPrintable(view().describe(0)));
        QVERIFY2(view().describe(0).contains(QStringLiteral("not simulated")), qPrintable(view().describe(0)));
        data.slopes.back().savedSeconds = -1e-3;
        view().setData(std::make_shared<const TopologyData>(data));
        QVERIFY2(view().describe(0).contains(QStringLiteral("saves \u22121")), qPrintable(view().describe(0)));
        view().setLinkPaint(LinkPaint::Worth);
        QCOMPARE(view().paintedShare(data.links[0].transmit), 0.0);
    }

    /// The links are coloured in proportion to their savings; a legend has the unit, and says why if no link would help.
    void linksArePaintedByTheirWorth() {
        QVERIFY(slowedDown());
        panel().linkPaint().setCurrentIndex(static_cast<int>(LinkPaint::Worth));
        const TopologyData &data = *view().data();
        double largest = 0;
        for (const NodeLinks &node : data.links) {
            std::vector<LinkId> drawn = node.lanes;
            drawn.insert(drawn.end(), {node.transmit, node.receive});
            for (const LinkId link : drawn)
                largest = std::max(largest, simulatedSaving(*data.run, link).value_or(0));
        }
        COMPARE_ABOVE(largest, 0);
        QCOMPARE(data.largestSaving, largest);
        int painted = 0, plain = 0;
        const QImage picture = view().viewport()->grab().toImage();
        for (std::size_t node = 0; node < data.links.size(); ++node)
            for (const bool sends : {true, false}) {
                const LinkId link = sends ? data.links[node].transmit : data.links[node].receive;
                const double want = std::max(0.0, simulatedSaving(*data.run, link).value_or(0)) / largest;
                COMPARE_WITHIN(view().paintedShare(link), want, 1e-12, std::to_string(node));
                ++(want > 0 ? painted : plain);
                const QRectF box = view().nodeRect(node);
                const double zoom = box.height() / 88; // of a box that is not enlarged
                const QPointF gauge(box.center().x() + (sends ? -10 : 10) * zoom, box.top() - 10 * zoom);
                const QColor pixel = picture.pixelColor(gauge.toPoint());
                QCOMPARE(pixel, view().linkColor(want));
            }
        QVERIFY(painted > 0 && plain > 0);
        QVERIFY2(panel().legend().text().contains(secondsText(largest)), qPrintable(panel().legend().text()));
        QVERIFY2(panel().legend().text().contains(QStringLiteral("with 1 Gbit/s more")), qPrintable(panel().legend().text()));
        // One connection carries at most 10 Gbit/s: faster links gain nothing.
        SessionState fast = session().state();
        fast.bandwidthGbits = 400;
        session().change(std::move(fast), QStringLiteral("test"));
        QVERIFY(settle() && savingsKnown());
        QCOMPARE(view().paintedShare(view().data()->links[0].transmit), 0.0);
        const double inside = view().data()->largestSaving;
        const QString text = panel().legend().text(); // lanes inside nodes may still gain
        QCOMPARE(text.startsWith(QStringLiteral("No faster link")), inside == 0);
        QCOMPARE(text.contains(secondsText(inside) + QStringLiteral(" saved per iteration")), inside > 0);
        // The load has another colour and legend.
        panel().linkPaint().setCurrentIndex(static_cast<int>(LinkPaint::Load));
        QVERIFY2(panel().legend().text().contains(QStringLiteral("100 %")), qPrintable(panel().legend().text()));
    }

    /// Traffic from a node's devices to their host crosses its lanes, whose load is named with the node and drawn beside the
    /// devices.
    void lanesInsideNodes() {
        QVERIFY(shown({{.name = "pcie", .bytesPerSecond = 2e9}, {.name = "memory", .bytesPerSecond = 20e9, .isDuplex = false}}));
        const Run &run = *session().run(Side::A)->simulation();
        const std::vector<LinkId> lanes = linksOfNodes(run)[0].lanes;
        QCOMPARE(lanes.size(), std::size_t{5}); // between devices and through PCIe both ways, memory both ways at once
        const QString about = view().describe(0);
        for (const auto &[name, hostLane, receives] :
             {std::tuple("pcie, to the host", 0, false), std::tuple("pcie, from the host", 0, true),
              std::tuple("memory, both ways", 1, false)}) {
            const auto lane = std::ranges::find_if(lanes, [&](LinkId link) {
                return run.graph.links[link.index()].hostLane == hostLane && run.graph.links[link.index()].receives == receives;
            });
            QVERIFY2(lane != lanes.end() && view().load(*lane) > 0, name);
            QVERIFY2(about.contains(QStringLiteral("inside: %1 %2 %")
                                        .arg(QLatin1String(name))
                                        .arg(100 * view().load(*lane), 0, 'f', view().load(*lane) < 0.0995 ? 1 : 0)),
                     qPrintable(about));
        }
        // The bar beside the devices has the busiest lane's colour.
        const auto busiest = std::ranges::max_element(lanes, {}, [&](LinkId link) { return view().load(link); });
        const QColor want = view().linkColor(view().load(*busiest));
        const QImage picture = view().viewport()->grab().toImage();
        const QRect box = view().nodeRect(0);
        const double zoom = box.height() / 88.0;
        const int y = static_cast<int>(box.top() + 28 * zoom); // the devices' row
        bool isDrawn = false;
        for (int x = box.left() + box.width() / 4; x < box.right(); ++x)
            isDrawn = isDrawn || picture.pixelColor(x, y) == want;
        QVERIFY(isDrawn);
    }

    /// A lane's figure stands with its word in narrow boxes, too, or is left to the tooltip: alone it would read as the devices'.
    void aLanesFigureHasItsWord() {
        QVERIFY(shown({{.name = "pcie", .bytesPerSecond = 2e9}}));
        const double share = std::ranges::max(linksOfNodes(*session().run(Side::A)->simulation())[0].lanes |
                                              std::views::transform([&](LinkId lane) { return view().load(lane); }));
        const QString want = QStringLiteral("inside %1 %").arg(100 * share, 0, 'f', share < 0.0995 ? 1 : 0);
        QCOMPARE(view().laneText(0), want);
        view().setMinimumWidth(0);
        view().resize(130 * static_cast<int>(cluster().nodes.size()), 130);
        QVERIFY2(view().nodeRect(0).width() < 150, qPrintable(QString::number(view().nodeRect(0).width())));
        QCOMPARE(view().laneText(0),
                 cluster().nodes[0].replicaCount() > 1 && view().nodeRect(0).width() < 129 ? QString() : want);
    }

    /// A lane that is worth more is in the node's tooltip, also while nothing crosses it in the visible time. All lanes of a kind
    /// inside a node get faster together.
    void idleLanesTellWhatTheyAreWorth() {
        QVERIFY(shown({{.name = "pcie", .bytesPerSecond = 0.2e9}})); // slower than the network
        const Run &run = *session().run(Side::A)->simulation();
        QVERIFY(savingsKnown());
        const double iteration = run.iterationSeconds * 1e9;
        window().axis().setBounds(0, iteration);
        const std::vector<NodeLinks> links = linksOfNodes(run);
        int saving = 0, idle = 0;
        for (const NodeLinks &node : links)
            for (const LinkId lane : node.lanes)
                if (const auto told = view().data()->savedSeconds(lane)) {
                    QCOMPARE(told, simulatedSaving(run, lane));
                    saving += *told > 1e-9 ? 1 : 0;
                }
        COMPARE_AT_LEAST(saving, 2); // both directions of a node
        for (int part = 0; part < 200 && idle == 0; ++part) {
            window().axis().setWindow(part * iteration / 200, (part + 1) * iteration / 200);
            for (std::size_t node = 0; node < links.size(); ++node)
                for (const LinkId lane : links[node].lanes)
                    if (const double saved = simulatedSaving(run, lane).value_or(0); saved > 1e-9 && view().load(lane) == 0) {
                        const QString worth = QStringLiteral("0.0 %; 1 Gbit/s more saves ") + savingText(saved);
                        QVERIFY2(view().describe(node).contains(worth), qPrintable(worth + u'\n' + view().describe(node)));
                        ++idle;
                    }
        }
        COMPARE_ABOVE(idle, 0);
    }

    void playsOverTheIteration() {
        QSignalSpy moved(&window().axis(), &TimeAxis::cursorChanged);
        panel().play(true);
        QVERIFY(QTest::qWaitFor([&] { return moved.size() > 5; }, syncopate::testing::patience));
        QVERIFY(window().axis().cursor() && *window().axis().cursor() > 0);
        panel().linkPaint().setCurrentIndex(static_cast<int>(LinkPaint::Worth)); // for the whole iteration: nothing to play
        moved.clear();
        QTest::qWait(60);
        QVERIFY(moved.isEmpty());
        QCOMPARE(view().linkPaint(), LinkPaint::Worth);
        panel().play(true);
        QCOMPARE(view().linkPaint(), LinkPaint::Load);
        panel().play(false);
        moved.clear();
        QTest::qWait(60);
        QVERIFY(moved.isEmpty());
    }

    /// The ring joins the nodes that train and passes by one that only serves.
    void theRingJoinsNodesThatTrain() {
        SessionState state = session().state();
        Cluster three = uniformCluster(3, 10);
        three.serverOnly = {1};
        state.cluster = std::make_shared<const Cluster>(three);
        state.side(Side::A).source = Built{"AllReduce(chunk_size=128)"};
        QVERIFY(change(state));
        QCOMPARE(view().nodeRect(2).top(), view().nodeRect(0).top());
        using Sides = std::pair<bool, bool>;
        QCOMPARE(ringBeside(0), Sides(false, true));
        QCOMPARE(ringBeside(1), Sides(false, false));
        QCOMPARE(ringBeside(2), Sides(true, false));
        // Without a node that only serves, there is an arrow between any two neighbours.
        three.serverOnly.clear();
        state.cluster = std::make_shared<const Cluster>(three);
        state.side(Side::A).source = Built{"AllReduce(chunk_size=128)"};
        QVERIFY(change(state));
        QCOMPARE(ringBeside(1), Sides(true, true));
    }

    /// A cluster of a few nodes is enlarged where its panel has room, and a click hits the node that is seen.
    void boxesGrowWithTheirRoom() {
        view().setFixedSize(700, 150);
        const QRect small = view().nodeRect(1);
        view().setFixedSize(1400, 700);
        const auto nodes = static_cast<int>(cluster().nodes.size());
        QCOMPARE(view().nodeRect(1).height(), 2 * small.height());
        for (int node = 0; node < nodes; ++node) {
            const QRect box = view().nodeRect(static_cast<std::size_t>(node));
            QVERIFY(view().viewport()->rect().contains(box));
            QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, box.bottomRight() - QPoint(2, 2));
            QCOMPARE(view().selectedNodes(), std::vector<std::size_t>{static_cast<std::size_t>(node)});
        }
        // A row that its boxes fit into when narrowed stays one, although there is room for larger boxes in two.
        view().setFixedSize(nodes * 118 + 30, 700);
        for (int node = 1; node < nodes; ++node)
            QCOMPARE(view().nodeRect(static_cast<std::size_t>(node)).top(), view().nodeRect(0).top());
        view().setMinimumSize(0, 0);
        view().setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    }

    /// With more than 40 nodes boxes are small and scroll; where there is room for all large ones, they are large.
    void manyNodesHaveSmallBoxes() {
        const QTemporaryDir folder;
        const auto load = [&](int nodes) {
            QFile file(folder.filePath(QStringLiteral("%1.yml").arg(nodes)));
            if (!file.open(QIODevice::WriteOnly))
                return false;
            file.write(QByteArray::fromStdString(writeResourceSpec(uniformCluster(nodes, 10))));
            file.close();
            session().open(file.fileName());
            return QTest::qWaitFor([&] { return cluster().nodes.size() == static_cast<std::size_t>(nodes); },
                                   syncopate::testing::patience) &&
                   shown(static_cast<std::size_t>(nodes));
        };
        const auto separate = [&](std::size_t nodes) { // no box covers another one
            for (std::size_t a = 0; a < nodes; ++a)
                for (std::size_t b = 0; b < a; ++b)
                    if (view().nodeRect(a).intersects(view().nodeRect(b)))
                        return false;
            return true;
        };
        const QSize scrolled(700, 240), roomy(2000, 1100);
        QVERIFY(load(40));
        view().setFixedSize(scrolled);
        const QSize large = view().nodeRect(0).size();
        QVERIFY(separate(40));
        QVERIFY(load(48));
        const QSize small = view().nodeRect(0).size();
        COMPARE_BELOW(small.width(), large.width());
        COMPARE_BELOW(small.height(), large.height());
        QVERIFY(separate(48));
        QVERIFY(!view().viewport()->rect().intersects(view().nodeRect(47)));
        view().verticalScrollBar()->setValue(view().verticalScrollBar()->maximum());
        QVERIFY(view().viewport()->rect().contains(view().nodeRect(47)));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().nodeRect(47).center());
        QCOMPARE(view().selectedNodes(), std::vector<std::size_t>{47});
        view().setFixedSize(roomy);
        QCOMPARE(view().verticalScrollBar()->maximum(), 0);
        QVERIFY(separate(48));
        for (const std::size_t node : {0, 23, 47}) {
            const QRect box = view().nodeRect(node);
            COMPARE_AT_LEAST(box.width(), large.width());
            COMPARE_AT_LEAST(box.height(), large.height());
            QVERIFY(view().viewport()->rect().contains(box));
            QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, box.center());
            QCOMPARE(view().selectedNodes(), std::vector<std::size_t>{node});
        }
        view().setMinimumSize(0, 0);
        view().setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    }

    void oneNodeOrAll() {
        const Cluster before = cluster();
        // One, by mouse: a straggler slows the job down, undo reverts it.
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().nodeRect(1).center());
        QCOMPARE(view().selectedNodes(), std::vector<std::size_t>{1});
        const double fast = session().run(Side::B)->recording().iterationSeconds;
        type("nodeScale", QStringLiteral("0.25"));
        QVERIFY(settle());
        QCOMPARE(cluster().nodes[1].computeScale, 0.25);
        QCOMPARE(cluster().nodes[0].computeScale, 1.0);
        QVERIFY(session().state().clusterEdited);
        COMPARE_ABOVE(session().run(Side::B)->recording().iterationSeconds, fast);
        session().undoStack()->undo();
        QVERIFY(settle());
        QCOMPARE(cluster(), before);
        QCOMPARE(session().run(Side::B)->recording().iterationSeconds, fast);
        // All, by keyboard.
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(view().selectedNodes().size(), before.nodes.size());
        type("nodeBandwidth", QStringLiteral("1 Gbit/s"));
        QVERIFY(settle());
        const Cluster widened = cluster();
        for (const Node &node : widened.nodes)
            QCOMPARE(gbitsFromBytesPerSecond(node.bandwidthBytesPerSecond), 1.0);
        COMPARE_ABOVE(session().run(Side::B)->recording().iterationSeconds, fast);
    }

    /// The form's rate is that of all NICs of a node, and it says so.
    void aRateIsOfAllNics() {
        SessionState next = session().state();
        Cluster two = cluster();
        two.nodes[0].nics = 2;
        two.nodes[0].bandwidthBytesPerSecond = 2 * bytesPerSecondFromGbits(100);
        next.cluster = std::make_shared<const Cluster>(two);
        QVERIFY(change(std::move(next)));
        view().select(0);
        const QLineEdit &field = *panel().field(QStringLiteral("nodeBandwidth"));
        QCOMPARE(field.text(), QStringLiteral("200 Gbit/s"));
        QVERIFY2(field.toolTip().contains(QStringLiteral("all of the node's NICs together")), qPrintable(field.toolTip()));
    }

    /// Knobs are applied to the cluster being edited, and an edit does not lose them.
    void knobsStayInForce() {
        SessionState turned = session().state();
        turned.bandwidthGbits = 3;
        session().change(turned, QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        QVERIFY(
            QTest::qWaitFor([&] { return panel().field(QStringLiteral("nodeBandwidth"))->text() == QStringLiteral("3 Gbit/s"); },
                            syncopate::testing::patience));
        type("latency", QStringLiteral("20us"));
        QVERIFY(settle());
        QCOMPARE(cluster().latencySeconds, 20e-6);
        QCOMPARE(gbitsFromBytesPerSecond(cluster().nodes[0].bandwidthBytesPerSecond), 3.0);
        QVERIFY(!session().state().bandwidthGbits);
    }

    void nodesComeAndGo() {
        const std::size_t count = cluster().nodes.size();
        view().select(0);
        panel().addNode();
        QVERIFY(shown(count + 1));
        QCOMPARE(cluster().nodes.back().gpus, cluster().nodes.front().gpus);
        const auto again = readResourceSpecText(writeResourceSpec(cluster()));
        QVERIFY2(again.has_value(), again ? "" : again.error().toString().c_str());
        view().select(0);
        view().select(1, false);
        panel().removeNodes();
        QVERIFY(shown(count - 1));
        QVERIFY(view().selectedNodes().empty()); // others have their places, and are not to be removed next
        view().select(count - 2);
        panel().addNode();
        QVERIFY(shown(count));
        QCOMPARE(view().selectedNodes(), std::vector<std::size_t>{count - 2});
        session().undoStack()->undo();
        QVERIFY(shown(count - 1));
        const Cluster left = cluster();
        QCOMPARE(std::count_if(left.nodes.begin(), left.nodes.end(), [](const Node &n) { return n.chief; }), 1);
        QVERIFY(session().run(Side::A));
    }

    void nonsenseIsRefused() {
        const SessionState before = session().state();
        view().select(0);
        for (const auto &[field, text] : {std::pair{"nodeBandwidth", "fast"},
                                          {"nodeBandwidth", "-1"},
                                          {"nodeGpus", "1e9"},
                                          {"nodeGpus", "2.5"},
                                          {"nodeScale", "0"},
                                          {"latency", "nan"},
                                          {"efficiency", "2"},
                                          {"channels", "0"},
                                          {"channels", "1.5"}}) {
            type(field, QLatin1String(text));
            QVERIFY(session().state() == before);
            QVERIFY2(!window().messageBar().text().isEmpty(), field);
            QVERIFY(panel().field(QLatin1String(field))->text() != QLatin1String(text));
        }
    }

    /// Edits that follow each other while the first is still being simulated add up, and reach the nodes that were selected.
    void editsDoNotWaitForTheSimulation() {
        const Cluster before = cluster();
        type("latency", QStringLiteral("20us"));
        type("efficiency", QStringLiteral("0.5"));
        QCOMPARE(cluster().latencySeconds, 20e-6);
        QCOMPARE(cluster().linkEfficiency, 0.5);
        view().select(0);
        panel().addNode();
        panel().addNode();
        QCOMPARE(cluster().nodes.size(), before.nodes.size() + 2);
        view().select(1);
        panel().removeNodes();
        view().select(2); // drawn as the third still
        type("nodeScale", QStringLiteral("0.25"));
        QCOMPARE(cluster().nodes.size(), before.nodes.size() + 1);
        for (const Node &node : cluster().nodes)
            QCOMPARE(node.computeScale, node.address == before.nodes[2].address ? 0.25 : 1.0);
        QCOMPARE(std::ranges::count(cluster().nodes, before.nodes[1].address, &Node::address), 0);
        QObject::disconnect(&panel(), &TopologyPanel::saveRequested, nullptr, nullptr); // it would ask for a file
        QSignalSpy saves(&panel(), &TopologyPanel::saveRequested);
        for (QPushButton *button : panel().findChildren<QPushButton *>())
            if (button->text().startsWith(QStringLiteral("Save as")))
                button->click();
        QCOMPARE(saves.size(), 1);
        QCOMPARE(saves[0][0].value<Cluster>(), cluster());
        QVERIFY(settle());
    }

    /// While panes are aligned by their ends, the load of B's links is that of its visible time, which is another than A's.
    void loadsFollowTheAlignment() {
        window().action(QStringLiteral("alignEnd"))->trigger();
        const double offset = window().view(Side::B).offset();
        COMPARE_ABOVE(std::abs(offset), 1);
        panel().findChild<QComboBox *>()->setCurrentIndex(1);
        const auto run = session().run(Side::B);
        QVERIFY(QTest::qWaitFor([&] { return view().data() && view().data()->run.get() == run->simulation(); },
                                syncopate::testing::patience));
        const LinkLoads loads(*run->simulation());
        const double start = run->recording().windowStartSeconds, length = 1e9 * run->recording().iterationSeconds;
        window().axis().setBounds(0, length);
        window().axis().setWindow(0.5 * length, length);
        const auto [from, to] = window().axis().window();
        for (const NodeLinks &node : linksOfNodes(*run->simulation()))
            QCOMPARE(
                view().load(node.transmit),
                std::clamp(loads.share(node.transmit, start + (from + offset) * 1e-9, start + (to + offset) * 1e-9), 0.0, 1.0));
    }

    /// While the panes are not locked, the load of B's links is that of B's visible time, whatever A shows; then of the common
    /// one.
    void loadsFollowTheTimeOfTheirOwnPane() {
        panel().findChild<QComboBox *>()->setCurrentIndex(1);
        const auto run = session().run(Side::B);
        QVERIFY(QTest::qWaitFor([&] { return view().data() && view().data()->run.get() == run->simulation(); },
                                syncopate::testing::patience));
        const LinkLoads loads(*run->simulation());
        const double start = run->recording().windowStartSeconds, length = 1e9 * run->recording().iterationSeconds;
        const auto isLoadOver = [&](TimeAxis::Range window, double offset) {
            for (const NodeLinks &node : linksOfNodes(*run->simulation()))
                QCOMPARE(view().load(node.transmit), std::clamp(loads.share(node.transmit, start + (window.first + offset) * 1e-9,
                                                                            start + (window.second + offset) * 1e-9),
                                                                0.0, 1.0));
        };
        window().action(QStringLiteral("lock"))->trigger();
        TimeAxis &own = window().view(Side::B).axis();
        QVERIFY(&own != &window().axis());
        for (TimeAxis *axis : {&own, &window().axis()})
            axis->setBounds(0, length);
        own.setWindow(0.5 * length, length);
        window().axis().setWindow(0, 0.25 * length);
        isLoadOver(own.window(), 0);
        panel().play(true);
        QTRY_VERIFY(own.cursor().value_or(0) > 0);
        panel().play(false);
        window().action(QStringLiteral("lock"))->trigger();
        isLoadOver(window().axis().window(), window().view(Side::B).offset());
    }

    /// Playing ends with the run that is played.
    void playingEndsWithItsRun() {
        panel().play(true);
        SessionState next = session().state();
        next.side(Side::A).source = Built{"NoSuchBuilder"};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        QTRY_VERIFY(!view().data() || !view().data()->run);
        const auto buttons = panel().findChildren<QToolButton *>();
        const auto play = std::ranges::find_if(buttons, [](const QToolButton *button) { return button->isCheckable(); });
        QVERIFY(play != buttons.end());
        QVERIFY(!(*play)->isChecked());
        QCOMPARE((*play)->text(), QStringLiteral("Play"));
    }

    /// A cluster that only B has is edited for B alone.
    void aClusterOfItsOwn() {
        session().openCluster(QStringLiteral("A2"), Side::B);
        QVERIFY(QTest::qWaitFor([&] { return session().state().sides[1].cluster != nullptr; }, syncopate::testing::patience));
        QVERIFY(settle());
        const Cluster a = cluster(Side::A);
        window().findChild<TopologyPanel *>()->findChild<QComboBox *>()->setCurrentIndex(1);
        QVERIFY(shown(cluster(Side::B).nodes.size()));
        type("efficiency", QStringLiteral("0.5"));
        QVERIFY(settle());
        QCOMPARE(cluster(Side::B).linkEfficiency, 0.5);
        QCOMPARE(cluster(Side::A), a);
    }
};

QTEST_MAIN(TestTopology)
#include "tst_topology.moc"
