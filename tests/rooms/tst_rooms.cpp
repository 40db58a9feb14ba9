// SPDX-License-Identifier: GPL-3.0-or-later
// The house rules that a compiler does not check: docs/architecture.md.
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

class TestRooms : public QObject {
    Q_OBJECT

private slots:
    void roomsIncludeOnlyThoseAboveThem() {
        // From the ground up.
        const QStringList rooms{"base",     "timeline", "job",     "cluster", "strategy", "profile", "rewrite",
                                "simulate", "cost",     "predict", "analyze", "store",    "export"};
        static const QRegularExpression include(QStringLiteral("#include \"engine/([a-z]+)/"));
        int files = 0;
        QDirIterator it(QStringLiteral(SYNCOPATE_SOURCE "/engine"), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString path = it.next();
            const QString room = QFileInfo(path).dir().dirName();
            QVERIFY2(rooms.contains(room), qPrintable("a room that docs/architecture.md does not list: " + path));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("#include <(Q[A-Z]|qcustomplot)"))),
                     qPrintable("Qt in the engine: " + path));
            for (auto match = include.globalMatch(text); match.hasNext();) {
                const QString other = match.next().captured(1);
                QVERIFY2(rooms.indexOf(other) <= rooms.indexOf(room), qPrintable(path + " includes " + other));
            }
            ++files;
        }
        QVERIFY(files > 30);
    }
};

QTEST_GUILESS_MAIN(TestRooms)
#include "tst_rooms.moc"
