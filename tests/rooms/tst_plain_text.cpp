// SPDX-License-Identifier: GPL-3.0-or-later
// Qt shows tooltips and labels that look like HTML as rich text, which opens the files that it names. Texts may contain names
// from files, so all of them go through ui/theme/plain_text.h. This test finds those in the sources that do not.
#include "tests/checks.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

namespace {

/// The arguments of the call whose "(" is at `open`, as written.
QStringList argumentsOf(const QString &code, qsizetype open) {
    QStringList found{QString()};
    int depth = 0;
    for (qsizetype i = open; i < code.size(); ++i) {
        const QChar c = code[i];
        if (c == u'"' || c == u'\'') {
            const qsizetype from = i;
            for (++i; i < code.size() && code[i] != c; ++i)
                if (code[i] == u'\\')
                    ++i;
            found.last() += code.mid(from, i - from + 1);
            continue;
        }
        if (c == u'(' || c == u'[' || c == u'{') {
            if (depth++ == 0)
                continue;
        } else if (c == u')' || c == u']' || c == u'}') {
            if (--depth == 0)
                break;
        } else if (c == u',' && depth == 1) {
            found += QString();
            continue;
        }
        found.last() += c;
    }
    for (QString &argument : found)
        argument = argument.trimmed();
    return found;
}

/// Only the program's own words, without anything filled in, or made safe.
bool isPlain(const QString &argument) {
    static const QRegularExpression literal(QStringLiteral("^tr\\((\\s*\"(\\\\.|[^\"\\\\])*\")+\\s*\\)$"));
    // The timeline's tooltips of spans and notes are tables: each escapes its parts.
    static const QStringList escaped{"describe(*span)", "describeNote(*note)",
                                     "row.isStrip() ? describeStrip(row, help->pos().x(), *span) : describe(*span)"};
    return argument.startsWith(QLatin1String("plainTip(")) || literal.match(argument).hasMatch() || escaped.contains(argument);
}

/// The texts shown by `code` that may not be plain, one per line.
QStringList violations(const QString &code) {
    QStringList found;
    const auto inLine = [&](qsizetype at, const QString &what) {
        found += QStringLiteral("line %1: %2").arg(code.left(at).count(u'\n') + 1).arg(what);
    };
    static const QRegularExpression tip(QStringLiteral(R"(\b(setToolTip|QToolTip::showText|setWhatsThis)\()"));
    for (auto match = tip.globalMatch(code); match.hasNext();) {
        const auto call = match.next();
        const QStringList arguments = argumentsOf(code, call.capturedEnd() - 1);
        if (const QString text = arguments.value(call.captured(1) == QLatin1String("QToolTip::showText") ? 1 : 0); !isPlain(text))
            inLine(call.capturedStart(), QStringLiteral("%1(%2) without plainTip()").arg(call.captured(1), text));
    }
    // Other classes that guess: labels, message boxes, editors given text or HTML.
    static const QRegularExpression guesses(QStringLiteral(R"(new QLabel\b|\bQLabel\(|\bQLabel \w+[;({]|\bnew QTextEdit\b|)"
                                                           R"(\bQMessageBox::(information|question|warning|critical)|)"
                                                           R"(\bQMessageBox \w+|\bQErrorMessage\b|\bAutoText\b|appendHtml)"));
    for (auto match = guesses.globalMatch(code); match.hasNext();) {
        const auto use = match.next();
        inLine(use.capturedStart(), use.captured() + QStringLiteral(" guesses whether its text is HTML: plainLabel()"));
    }
    if (code.contains(QLatin1String("Qt::ToolTipRole")) && !code.contains(QLatin1String("plainTip(")))
        found += QStringLiteral("a model's tool tips without plainTip()");
    return found;
}

} // namespace

class TestPlainText : public QObject {
    Q_OBJECT

private slots:
    void theExplorersTextsArePlain() {
        QStringList found;
        int files = 0;
        for (const QString top : {"ui", "app/desktop"}) {
            QDirIterator it(QStringLiteral(SYNCOPATE_SOURCE "/") + top, {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                QFile file(path);
                QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
                ++files;
                if (path.endsWith(QLatin1String("ui/theme/plain_text.cpp"))) // where labels are made
                    continue;
                for (const QString &line : violations(QString::fromUtf8(file.readAll())))
                    found += path.mid(qstrlen(SYNCOPATE_SOURCE) + 1) + QStringLiteral(": ") + line;
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
        COMPARE_AT_LEAST(files, 150);
    }

    /// Tests the scan itself: what it must find, and what it must ignore.
    void theScanFinds_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("plain");
        QTest::newRow("literal") << R"(a->setToolTip(tr("A tip (of two) "  "lines"));)" << true;
        QTest::newRow("safe") << R"(a->setToolTip(plainTip(name));)" << true;
        QTest::newRow("name") << R"(a->setToolTip(name);)" << false;
        QTest::newRow("filled in") << R"(a->setToolTip(tr("Open %1").arg(name));)" << false;
        QTest::newRow("shown") << R"(QToolTip::showText(at(1, 2), name, this);)" << false;
        QTest::newRow("shown safely") << R"(QToolTip::showText(at(1, 2), plainTip(name), this);)" << true;
        QTest::newRow("label") << R"(auto *a = new QLabel(name);)" << false;
        QTest::newRow("plain label") << R"(auto *a = plainLabel(name);)" << true;
        QTest::newRow("box") << R"(QMessageBox::warning(this, tr("x"), name);)" << false;
        QTest::newRow("model") << R"(if (role == Qt::ToolTipRole) return name;)" << false;
    }
    void theScanFinds() {
        QFETCH(QString, code);
        QFETCH(bool, plain);
        QVERIFY2(violations(code).isEmpty() == plain, qPrintable(violations(code).join('\n')));
    }
};

QTEST_GUILESS_MAIN(TestPlainText)
#include "tst_plain_text.moc"
