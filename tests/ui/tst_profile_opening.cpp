// SPDX-License-Identifier: GPL-3.0-or-later
// A profile that is opened says on which machines it is simulated, what it lacks, and where it cannot be compared.
#include "engine/job/job_file.h"
#include "engine/session/recorded_cluster.h"
#include "tests/profile/tiny_trace.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_model.h"
#include "ui/window/message_bar.h"

#include <QFile>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace syncopate;
using namespace syncopate::ui;

class TestProfileOpening : public QObject, WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const char *name, const std::string &text) {
        QFile file(m_folder.filePath(QString::fromUtf8(name)));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(QByteArray::fromStdString(text));
        return file.fileName();
    }
    QString profile() { return written("tiny.json", tiny::trace()); }
    bool opened(const QString &path) {
        session().open(path);
        return QTest::qWaitFor(
                   [&] {
                       return !session().isLoading() && session().state().source == path.toStdString() &&
                              session().run(Side::B) != nullptr;
                   },
                   syncopate::testing::patience) &&
               settle();
    }
    /// Cell of the inspector's row that is called so.
    QVariant cell(const char *row, int column, int role) {
        const auto *model = window().inspector().findChild<QTableView *>()->model();
        for (int r = 0; r < model->rowCount(); ++r)
            if (model->index(r, InspectorModel::MetricColumn).data().toString() == QString::fromUtf8(row))
                return model->index(r, column).data(role);
        return {};
    }

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    void itsOwnMachinesAreTheFirstCluster() {
        QVERIFY(opened(profile()));
        QCOMPARE(session().state().clusterSource, std::string(recordedClusterName));
        QCOMPARE(session().state().cluster->replicaCount(), 2);
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("2 ranks")), qPrintable(window().messageBar().text()));
    }

    /// A catalogue job's default cluster came with that job, and the profile's with the profile.
    void noClusterIsInherited() {
        QVERIFY(opened(QStringLiteral("alexnet")));
        QCOMPARE(session().state().clusterSource, std::string("B7"));
        QVERIFY(opened(profile()));
        QCOMPARE(session().state().clusterSource, std::string(recordedClusterName));
        QVERIFY(opened(QStringLiteral("alexnet")));
        QCOMPARE(session().state().clusterSource, std::string("B7"));
    }

    void aChosenClusterStaysAndIsSaid() {
        QVERIFY(opened(QStringLiteral("alexnet")));
        session().openCluster(QStringLiteral("A2"));
        QVERIFY(QTest::qWaitFor([&] { return session().state().clusterSource == "A2"; }, syncopate::testing::patience));
        QVERIFY(settle());
        QVERIFY(opened(profile()));
        QCOMPARE(session().state().clusterSource, std::string("A2"));
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("A2, which was chosen before")),
                 qPrintable(window().messageBar().text()));
        session().openCluster(QString::fromLatin1(recordedClusterName));
        QVERIFY(QTest::qWaitFor([&] { return session().state().clusterSource == recordedClusterName; },
                                syncopate::testing::patience));
        QCOMPARE(session().state().cluster->replicaCount(), 2);
    }

    /// A simulated profile waits for its host as the profile did, so that times of the device are compared; what stands for
    /// another strategy's messages is not.
    void whatCannotBeComparedHasNoDifference() {
        QVERIFY(opened(profile()));
        SessionState next = session().state();
        next.side(Side::A) = {Measured{}, {}};
        session().change(next, QStringLiteral("measured"));
        QVERIFY(settle());
        const int delta = InspectorModel::DeltaColumn;
        QCOMPARE(cell("· transfers", delta, Qt::DisplayRole).toString(), QStringLiteral("–"));
        QVERIFY(!cell("· transfers", delta, Qt::ToolTipRole).toString().isEmpty());
        for (const char *row : {"Iteration", "Samples/s", "Compute", "· for the host"})
            QVERIFY2(cell(row, delta, Qt::DisplayRole).toString() != QStringLiteral("–"), row);
        // Two simulations are compared in everything.
        next.side(Side::A) = {Built{"PS"}, "fifo"};
        session().change(next, QStringLiteral("simulated"));
        QVERIFY(settle());
        QVERIFY(cell("· transfers", delta, Qt::DisplayRole).toString() != QStringLiteral("–"));
    }

    void missingSizesCanBeAttached() {
        tiny::Spelling spelling;
        spelling.shapes = spelling.metadata = false;
        QVERIFY(opened(written("bare.json", tiny::trace(spelling))));
        QVERIFY(session().state().job->variables.empty());
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("does not tell the sizes")),
                 qPrintable(window().messageBar().text()));
        QVERIFY(window().messageBar().offerButton().isVisible());
        // What its file dialog does with the file: the same model with its sizes.
        session().attachSizes(written("sizes.json", writeJobText((*tiny::import(tiny::trace()))->job)));
        QVERIFY(QTest::qWaitFor([&] { return !session().isLoading() && !session().state().job->variables.empty(); },
                                syncopate::testing::patience));
        QCOMPARE(session().state().job->variables.size(), std::size_t(2));
        QVERIFY(settle());
        QVERIFY(!window().messageBar().text().contains(QStringLiteral("does not tell the sizes")));
    }
};

QTEST_MAIN(TestProfileOpening)
#include "tst_profile_opening.moc"
