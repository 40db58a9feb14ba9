// SPDX-License-Identifier: GPL-3.0-or-later
// Qt shows tooltips and labels that look like HTML as rich text, which opens the files that it names. Texts may contain names
// from files, so all of them go through ui/theme/plain_text.h. This test finds the exceptions in the sources. Text that is meant
// to be rich is put together by hand: this test finds each place that shows such text, and those listed in escapedTexts() have
// been read. It does not check that they still escape their parts.
#include "tests/checks.h"

#include <QDirIterator>
#include <QMultiMap>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>
#include <algorithm>

namespace {

/// Whether a text or a character begins at `i`: a ' within a number, which may be hexadecimal, only groups its digits.
bool isQuote(const QString &code, qsizetype i) {
    if (code[i] != u'\'')
        return code[i] == u'"';
    qsizetype word = i; // where what stands before it begins
    while (word > 0 && (code[word - 1].isLetterOrNumber() || code[word - 1] == u'_' || code[word - 1] == u'\''))
        --word;
    return word == i || !code[word].isDigit();
}

/// The position behind the text that begins at `i`.
qsizetype behindQuote(const QString &code, qsizetype i) {
    const QChar quote = code[i];
    for (++i; i < code.size() && code[i] != quote; ++i)
        if (code[i] == u'\\')
            ++i;
    return i + 1;
}

/// The same code, as long, with blanks for comments.
QString withoutComments(QString code) {
    for (qsizetype i = 0; i < code.size();) {
        if (isQuote(code, i)) {
            i = behindQuote(code, i);
            continue;
        }
        const QStringView here = QStringView(code).mid(i, 2);
        const bool isLine = here == QLatin1String("//"), isBlock = here == QLatin1String("/*");
        if (!isLine && !isBlock) {
            ++i;
            continue;
        }
        const qsizetype found = isLine ? code.indexOf(u'\n', i) : code.indexOf(QLatin1String("*/"), i + 2);
        const qsizetype end = found < 0 ? code.size() : isLine ? found : found + 2;
        for (; i < end; ++i)
            if (code[i] != u'\n')
                code[i] = u' ';
    }
    return code;
}

/// The first position from `from` on, in the same brackets, where `isEnd` holds; the closing bracket, if it comes first.
template <class IsEnd> qsizetype findOutside(const QString &code, qsizetype from, IsEnd isEnd) {
    int depth = 0;
    for (qsizetype i = from; i < code.size();) {
        if (isQuote(code, i)) {
            i = behindQuote(code, i);
            continue;
        }
        const QChar c = code[i];
        const bool closes = c == u')' || c == u']' || c == u'}';
        if (depth == 0 && (closes || isEnd(i)))
            return i;
        depth += c == u'(' || c == u'[' || c == u'{' ? 1 : closes ? -1 : 0;
        ++i;
    }
    return code.size();
}

/// The arguments of the call whose "(" is at `open`, as written.
QStringList argumentsOf(const QString &code, qsizetype open) {
    QStringList found;
    for (qsizetype from = open + 1; from < code.size();) {
        const qsizetype end = findOutside(code, from, [&](qsizetype i) { return code[i] == u','; });
        found += code.mid(from, end - from).trimmed();
        if (end == code.size() || code[end] != u',')
            break;
        from = end + 1;
    }
    return found;
}

/// Both results of `condition ? a : b` if that is all of `text`; else nothing.
QStringList choicesOf(const QString &text) {
    const qsizetype question = findOutside(text, 0, [&](qsizetype i) { return text[i] == u'?'; });
    int inner = 0;
    const qsizetype colon = findOutside(text, question + 1, [&](qsizetype i) {
        const auto isColon = [&](qsizetype at) { return at >= 0 && at < text.size() && text[at] == u':'; };
        if (text[i] == u'?')
            ++inner;
        return isColon(i) && !isColon(i - 1) && !isColon(i + 1) && inner-- == 0;
    });
    if (colon >= text.size())
        return {};
    return {text.mid(question + 1, colon - question - 1), text.mid(colon + 1)};
}

/// Only the program's own words, without anything filled in, or made safe: plainTip(), a function whose name ends in Tip, which
/// is checked where it is defined, nothing, or a choice of these.
bool isPlain(const QString &expression) {
    const QString text = expression.trimmed();
    static const QRegularExpression literal(QStringLiteral("^tr\\((\\s*\"(\\\\.|[^\"\\\\])*\")+\\s*\\)$"));
    static const QRegularExpression call(QStringLiteral("^((?!set)\\w+Tip|QVariant|QString)\\("));
    // The timeline's tooltips of spans and notes are tables: each escapes its parts.
    static const QStringList allowed{
        "{}", "QVariant()", "QString()", "describe(*span)", "describeNote(*note)", "describeStrip(row, help->pos().x(), *span)"};
    if (allowed.contains(text) || literal.match(text).hasMatch())
        return true;
    if (const QStringList choices = choicesOf(text); !choices.isEmpty())
        return std::all_of(choices.begin(), choices.end(), isPlain);
    const auto called = call.match(text);
    if (!called.hasMatch() || findOutside(text, called.capturedEnd(), [](qsizetype) { return false; }) != text.size() - 1)
        return false; // something else, or with more behind it
    return called.captured(1).endsWith(QLatin1String("Tip")) || isPlain(argumentsOf(text, called.capturedEnd() - 1).value(0));
}

/// A scan of one file.
class Scan {
public:
    explicit Scan(const QString &code) : m_code(withoutComments(code)) {}

    /// The texts that are shown and may not be plain, one per line.
    QStringList violations() {
        checkCalls();
        checkClasses();
        checkRichTexts();
        checkTipFunctions();
        checkRoles();
        return m_found;
    }

private:
    void add(qsizetype at, const QString &what) {
        m_found += QStringLiteral("line %1: %2").arg(m_code.left(at).count(u'\n') + 1).arg(what.simplified());
    }

    template <class Check> void each(const QRegularExpression &what, Check check) {
        for (auto match = what.globalMatch(m_code); match.hasNext();)
            check(match.next());
    }

    /// Calls that are given a tip. It is the last argument, behind a tab's or a column's number, except of showText().
    void checkCalls() {
        static const QRegularExpression tip(
            QStringLiteral(R"(\b(set(?:Tab)?(?:ToolTip|WhatsThis)|QToolTip::showText|QWhatsThis::showText)\()"));
        each(tip, [&](const QRegularExpressionMatch &call) {
            const QStringList arguments = argumentsOf(m_code, call.capturedEnd() - 1);
            const QString text = call.captured(1).endsWith(QLatin1String("showText")) ? arguments.value(1) : arguments.last();
            if (!isPlain(text))
                add(call.capturedStart(), QStringLiteral("%1(%2) without plainTip()").arg(call.captured(1), text));
        });
    }

    /// Other classes that guess: labels, dialogs with labels, editors.
    void checkClasses() {
        static const QRegularExpression guesses(QStringLiteral(
            R"(new QLabel\b|\bQLabel\(|\bQLabel \w+[;({]|\bnew QTextEdit\b|)"
            R"(\bQMessageBox::(information|question|warning|critical|about)\b|\bnew QMessageBox\b|)"
            R"(\bmake_unique<Q(Label|MessageBox|TextEdit|TextBrowser)>|\bpublic Q(Label|MessageBox|TextEdit|TextBrowser)\b|)"
            R"(\bQMessageBox \w+|\bQErrorMessage\b|\bQInputDialog\b|\bQProgressDialog\b|\bAutoText\b)"));
        each(guesses, [&](const QRegularExpressionMatch &use) {
            add(use.capturedStart(), use.captured() + QStringLiteral(" guesses whether its text is HTML: plainLabel()"));
        });
    }

    /// Rich text: labels for it, and text given to browsers, whose setText() and append() guess.
    void checkRichTexts() {
        static const QRegularExpression label(QStringLiteral(R"(\brichLabel\()"));
        each(label, [&](const QRegularExpressionMatch &use) {
            add(use.capturedStart(), QStringLiteral("richLabel() in a place that is not in escapedTexts()"));
        });
        static const QRegularExpression browser(QStringLiteral(R"((\w+)\s*[({=]\s*new QTextBrowser\b)"));
        QSet<QString> browsers;
        each(browser, [&](const QRegularExpressionMatch &made) { browsers += made.captured(1); });
        static const QRegularExpression given(
            QStringLiteral(R"((?:\b(\w+)(?:->|\.))?\b(setHtml|setMarkdown|insertHtml|appendHtml|setText|append)\()"));
        each(given, [&](const QRegularExpressionMatch &call) {
            const bool guesses = call.captured(2) == QLatin1String("setText") || call.captured(2) == QLatin1String("append");
            const QString text = argumentsOf(m_code, call.capturedEnd() - 1).value(0);
            if ((!guesses || browsers.contains(call.captured(1))) && !isPlain(text))
                add(call.capturedStart(), QStringLiteral("%1(%2), rich, is not in escapedTexts()").arg(call.captured(2), text));
        });
    }

    /// Every value returned between `from` and `to`.
    void checkReturns(qsizetype from, qsizetype to, const QString &where) {
        static const QRegularExpression returned(QStringLiteral(R"(\breturn\b)"));
        for (auto match = returned.match(m_code, from); match.hasMatch() && match.capturedStart() < to;) {
            const qsizetype begin = match.capturedEnd();
            const qsizetype end = findOutside(m_code, begin, [&](qsizetype i) { return m_code[i] == u';'; });
            if (const QString text = m_code.mid(begin, end - begin); !isPlain(text))
                add(match.capturedStart(), QStringLiteral("%1 returns%2 without plainTip()").arg(where, text));
            match = returned.match(m_code, end);
        }
    }

    /// Functions trusted by their names are checked where they are defined.
    void checkTipFunctions() {
        static const QRegularExpression defined(
            QStringLiteral(R"(\b((?!set|plainTip\b)\w+Tip)\([^;{}()]*\)\s*(?:const\s*)?(?:override\s*)?\{)"));
        each(defined, [&](const QRegularExpressionMatch &function) {
            const qsizetype open = function.capturedEnd();
            checkReturns(open, findOutside(m_code, open, [](qsizetype) { return false; }), function.captured(1));
        });
    }

    /// Models and items: each place that names the role of a tip.
    void checkRoles() {
        static const QRegularExpression role(QStringLiteral(R"(\bQt::(?:ToolTip|WhatsThis)Role\b)"));
        each(role, [&](const QRegularExpressionMatch &use) { checkRole(use.capturedStart(), use.capturedEnd()); });
    }

    void checkRole(qsizetype from, qsizetype to) {
        static const QRegularExpression isCase(QStringLiteral(R"(\bcase\s+$)")), isAsked(QStringLiteral(R"(\brole\s*==\s*$)"));
        if (isCase.match(m_code.left(from)).hasMatch())
            return checkReturns(to, endOfCase(to), QStringLiteral("the case of a tip"));
        const bool asked = isAsked.match(m_code.left(from)).hasMatch();
        for (const qsizetype open : openBrackets(from)) {
            static const QRegularExpression word(QStringLiteral(R"((\w+)\s*$)"));
            const QString name = word.match(m_code.left(open)).captured(1);
            if (asked && name == QLatin1String("if"))
                return checkReturns(open, endOfIf(open), QStringLiteral("the branch of a tip"));
            if (name == QLatin1String("setData") || name == QLatin1String("setItemData"))
                return checkItem(open, m_code.mid(from, to - from));
            if (name == QLatin1String("data") || name == QLatin1String("headerData") || name == QLatin1String("dataChanged"))
                return; // reads it
        }
        if (const qsizetype after = findOutside(m_code, to, [&](qsizetype i) { return !m_code[i].isSpace(); });
            asked && after < m_code.size() && m_code[after] == u'?') {
            const qsizetype end = findOutside(m_code, after, [&](qsizetype i) { return m_code[i] == u';'; });
            if (isPlain(choicesOf(m_code.mid(after, end - after)).value(0)))
                return;
        }
        add(from, QStringLiteral("a tip's role outside of an if, a case or a choice of its own"));
    }

    /// setData(item, text, role) and setData(column, role, text): the text stands beside the role.
    void checkItem(qsizetype open, const QString &role) {
        const QStringList arguments = argumentsOf(m_code, open);
        const qsizetype at = arguments.indexOf(role);
        const QString text = arguments.value(at == arguments.size() - 1 ? at - 1 : at + 1);
        if (!isPlain(text))
            add(open, QStringLiteral("an item's tip %1 without plainTip()").arg(text));
    }

    /// The brackets that are open at `at`, the innermost first.
    [[nodiscard]] QList<qsizetype> openBrackets(qsizetype at) const {
        QList<qsizetype> open;
        for (qsizetype i = 0; i < at;) {
            if (isQuote(m_code, i)) {
                i = behindQuote(m_code, i);
                continue;
            }
            const QChar c = m_code[i];
            if (c == u'(' || c == u'[' || c == u'{')
                open.prepend(i);
            else if ((c == u')' || c == u']' || c == u'}') && !open.isEmpty())
                open.removeFirst();
            ++i;
        }
        return open;
    }

    /// The part of the case whose role ends at `to`, with the cases that it falls through to before its first return.
    [[nodiscard]] qsizetype endOfCase(qsizetype to) const {
        static const QRegularExpression label(QStringLiteral(R"(\G(case|default)\b)"));
        bool returns = false;
        return findOutside(m_code, to, [&](qsizetype i) {
            returns = returns || QStringView(m_code).mid(i, 6) == QLatin1String("return");
            const bool isWord = i > 0 && (m_code[i - 1].isLetterOrNumber() || m_code[i - 1] == u'_');
            return returns && !isWord && label.match(m_code, i).hasMatch();
        });
    }

    /// Of the statement that depends on the condition whose "(" is at `open`.
    [[nodiscard]] qsizetype endOfIf(qsizetype open) const {
        const qsizetype closed = findOutside(m_code, open + 1, [](qsizetype) { return false; }) + 1;
        const qsizetype body = findOutside(m_code, closed, [&](qsizetype i) { return !m_code[i].isSpace(); });
        if (body < m_code.size() && m_code[body] == u'{')
            return findOutside(m_code, body + 1, [](qsizetype) { return false; });
        return findOutside(m_code, body, [&](qsizetype i) { return m_code[i] == u';'; }) + 1;
    }

    QString m_code;
    QStringList m_found;
};

QStringList violations(const QString &code) { return Scan(code).violations(); }

/// By file, the places that show rich text: all parts that are not the program's own words are escaped (toHtmlEscaped()).
const QMultiMap<QString, QString> &escapedTexts() {
    static const QMultiMap<QString, QString> uses{
        {"ui/help/tour.cpp", "m_text->setHtml(shown.text)"},
        {"ui/inspector/inspector.cpp", "m_spanText(richLabel())"},
        {"ui/inspector/inspector.cpp", "m_notes->setHtml(html)"},
        {"ui/inspector/profile_panel.cpp",
         "m_facts->setHtml(QStringLiteral(\"<table width='100%' cellspacing='0'><tr>%1</tr></table>\").arg(columns))"},
        {"ui/throughput/overhead_view.cpp", "m_text(richLabel())"},
        {"ui/window/action_rows.cpp", "QMessageBox::about(&parts.window, tr(\"About Syncopate\"), aboutText())"},
        {"ui/window/message_bar.cpp", "m_label(richLabel(this))"}};
    return uses;
}

} // namespace

class TestPlainText : public QObject {
    Q_OBJECT

private slots:
    void theExplorersTextsArePlain() {
        QStringList found;
        int files = 0, escaped = 0;
        for (const QString top : {"ui", "app/desktop"}) {
            QDirIterator it(QStringLiteral(SYNCOPATE_SOURCE "/") + top, {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                QFile file(path);
                QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
                ++files;
                if (path.contains(QLatin1String("ui/theme/plain_text.")) || // where labels are made
                    path.contains(QLatin1String("ui/theme/elided_label."))) // sets its format before any text
                    continue;
                const QString inside = path.mid(qstrlen(SYNCOPATE_SOURCE) + 1);
                QString code = QString::fromUtf8(file.readAll());
                for (const QString &use : escapedTexts().values(inside)) {
                    QVERIFY2(code.count(use) == 1, qPrintable(inside + QStringLiteral(" does not have once: ") + use));
                    code.remove(use);
                    ++escaped;
                }
                for (const QString &line : violations(code))
                    found += inside + QStringLiteral(": ") + line;
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
        COMPARE_AT_LEAST(files, 150);
        QCOMPARE(escaped, static_cast<int>(escapedTexts().size()));
    }

    /// Tests the scan itself: texts that it must find, and texts that it must ignore.
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
        QTest::newRow("about") << R"(QMessageBox::about(this, tr("x"), name);)" << false;
        QTest::newRow("about Qt") << R"(QMessageBox::aboutQt(this);)" << true;
        QTest::newRow("rich label") << R"(auto *a = richLabel();)" << false;
        QTest::newRow("html") << R"(m_notes->setHtml(name);)" << false;
        QTest::newRow("html of its own words") << R"(m_notes->setHtml(tr("<b>None</b>"));)" << true;
        QTest::newRow("markdown") << R"(m_notes->setMarkdown(name);)" << false;
        QTest::newRow("a browser guesses") << R"(A::A() : m_notes(new QTextBrowser) { m_notes->setText(name); })" << false;
        QTest::newRow("a local browser guesses") << R"(auto *a = new QTextBrowser(this); a->append(name);)" << false;
        QTest::newRow("another's text") << R"(auto *a = new QTextBrowser(this); b->setText(name);)" << true;
        QTest::newRow("a browser's kind") << R"(class Name : public QTextBrowser {};)" << false;
        QTest::newRow("model") << R"(if (role == Qt::ToolTipRole) return name;)" << false;
        QTest::newRow("only its beginning is safe") << R"(a->setToolTip(plainTip(name) + name);)" << false;
        QTest::newRow("one of two") << R"(a->setToolTip(b ? plainTip(name) : name);)" << false;
        QTest::newRow("both of two") << R"(a->setToolTip(b ? plainTip(x::name) : tr("None"));)" << true;
        QTest::newRow("tab") << R"(tabs->setTabToolTip(1, name);)" << false;
        QTest::newRow("plain tab") << R"(tabs->setTabToolTip(1, tr("Costs"));)" << true;
        QTest::newRow("what's this") << R"(QWhatsThis::showText(at, name);)" << false;
        QTest::newRow("input") << R"(QInputDialog::getText(this, tr("x"), name);)" << false;
        QTest::newRow("a label's kind") << R"(class Name : public QLabel {};)" << false;
        QTest::newRow("comment") << R"(// setToolTip(name), or Qt::ToolTipRole)" << true;
        QTest::newRow("separated digits") << R"(wait(1'000); a->setToolTip(name); wait(1);)" << false;
        QTest::newRow("separated hexadecimal digits") << R"(wait(0xff'00); // a->setToolTip(name))" << true;
        QTest::newRow("a character") << R"(wait(u8'/'); wait('/'); // a->setToolTip(name))" << true;

        const QString safe = QStringLiteral("if (role == Qt::ToolTipRole) return plainTip(name);\n");
        QTest::newRow("another model of a safe file") << safe + R"(if (role == Qt::ToolTipRole) { return name; })" << false;
        QTest::newRow("another case") << safe + R"(switch (role) { case Qt::ToolTipRole: return name; default: return {}; })"
                                      << false;
        QTest::newRow("a case's second return")
            << R"(switch (role) { case Qt::ToolTipRole: if (a) return plainTip(b); return c; case 1: return d; })" << false;
        QTest::newRow("a safe case")
            << R"(switch (role) { case Qt::ToolTipRole: if (a) return plainTip(b); return {}; case 1: return d; })" << true;
        QTest::newRow("a case falls through") << R"(switch (role) { case Qt::ToolTipRole: case 1: return name; })" << false;
        QTest::newRow("two roles") << safe + R"(if (a && (role == 0 || role == Qt::ToolTipRole)) return name;)" << false;
        QTest::newRow("all but two roles") << safe + R"(if (role != 0 && role != Qt::ToolTipRole) return {}; return name;)"
                                           << false;
        QTest::newRow("kept for later") << safe + R"(const bool tip = role == Qt::ToolTipRole; return tip ? name : {};)" << false;
        QTest::newRow("a choice") << R"(return role == Qt::ToolTipRole ? plainTip(name) : name;)" << true;
        QTest::newRow("a choice of none") << safe + R"(return role == Qt::ToolTipRole ? name : QVariant();)" << false;
        QTest::newRow("an item") << R"(box->setItemData(0, name, Qt::ToolTipRole);)" << false;
        QTest::newRow("a safe item") << R"(box->setItemData(0, plainTip(name), Qt::ToolTipRole);)" << true;
        QTest::newRow("a column") << R"(row->setData(0, Qt::ToolTipRole, name);)" << false;
        QTest::newRow("a safe column") << R"(row->setData(0, Qt::ToolTipRole, plainTip(name));)" << true;
        QTest::newRow("by its name") << R"(QString Model::cellTip(int row) const { return plainTip(m_names[row]); }
                                           if (role == Qt::ToolTipRole) return cellTip(row);)"
                                     << true;
        QTest::newRow("by a false name")
            << R"(QString Model::cellTip(int row) const { if (row) return {}; return m_names[row]; })" << false;
        QTest::newRow("read") << R"(const QString tip = index.data(Qt::ToolTipRole).toString();)" << true;
    }
    void theScanFinds() {
        QFETCH(QString, code);
        QFETCH(bool, plain);
        const QStringList found = violations(code);
        QVERIFY2(found.isEmpty() == plain,
                 qPrintable(code + QStringLiteral("\nis ") + (plain ? QStringLiteral("plain") : QStringLiteral("not plain")) +
                            QStringLiteral("; found: ") + found.join('\n')));
    }
};

QTEST_GUILESS_MAIN(TestPlainText)
#include "tst_plain_text.moc"
