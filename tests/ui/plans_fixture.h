// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"
#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/planner.h"
#include "ui/runs/runs_panel.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <memory>
#include <utility>

namespace syncopate::ui {

inline const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");
constexpr int evaluations = 300; ///< of each chain: enough to find something, few enough to wait for

/// The common parts of tests of plans in the explorer: the DAG and cluster, the planning itself, and a click on a plan.
class PlansFixture : protected WindowFixture {
protected:
    PlanPreset &plans() { return window().plans(); }

    void useTwoChannels() {
        Cluster two = uniformCluster(4, 1);
        two.name = "two channels";
        two.namedChannels = {{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}};
        two.channels = 2;
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(std::move(two));
        session().change(next, QStringLiteral("two channels"));
        QVERIFY(settle());
    }
    /// The measured step over its two channels.
    void openMeasured() {
        useTwoChannels();
        QSignalSpy read(&session(), &Session::planFileRead);
        plans().openFile(measured + QStringLiteral("dags/a2a-prefetch.dag.json"));
        QVERIFY(read.wait(testing::patience));
        plans().openFile(measured + QStringLiteral("collectives.csv"));
        QVERIFY(read.wait(testing::patience));
        QVERIFY(settle());
    }
    void run() {
        plans().startButton().click();
        QTRY_COMPARE(plans().planner().status(), Planner::Status::Done);
    }
    /// Shows the run of that row in B.
    void click(RunId id) {
        window().runs().choose(plans());
        window().action(QStringLiteral("plan"))->trigger();
        window().runs().setView(RunsPanel::View::Table);
        QTableView &table = plans().table().table();
        const QModelIndex index = plans().table().proxy().mapFromSource(
            plans().table().model().index(plans().table().model().rowOf(id), PlanModel::Iteration));
        QVERIFY(index.isValid());
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
};

} // namespace syncopate::ui
