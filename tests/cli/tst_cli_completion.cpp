// SPDX-License-Identifier: GPL-3.0-or-later
// Completions of bash and zsh, compared with --help and the printed catalogues: the shells run the scripts.
#include "tests/checks.h"
#include "tests/cli/cli.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace syncopate::testing;

namespace {

QSet<QString> wordsOf(const QByteArray &lines) {
    const QStringList words = QString::fromUtf8(lines).split('\n', Qt::SkipEmptyParts);
    return {words.begin(), words.end()};
}

QSet<QString> optionsIn(const QByteArray &help) {
    // Descriptions mention options, too: the options at the beginning of a line are the command's.
    static const QRegularExpression line("^  (-[-\\w,]+)", QRegularExpression::MultilineOption);
    QSet<QString> options;
    for (auto match = line.globalMatch(QString::fromUtf8(help)); match.hasNext();)
        for (const QString &name : match.next().captured(1).split(','))
            options.insert(name);
    return options;
}

QStringList commands() {
    static const QRegularExpression line("^  ([a-z]+) ", QRegularExpression::MultilineOption);
    const QString help = QString::fromUtf8(cli({"--help"}).out);
    QStringList names;
    for (auto match = line.globalMatch(help.mid(help.indexOf("Subcommands:"))); match.hasNext();)
        names += match.next().captured(1);
    return names;
}

QSet<QString> catalogueOf(const QString &what) {
    QSet<QString> names;
    for (const auto &entry : cli({"catalog", what, "--json"}).json()[what].toArray())
        names.insert(entry.toObject()["name"].toString());
    return names;
}

QString list(const QSet<QString> &words) {
    QStringList sorted(words.begin(), words.end());
    sorted.sort();
    return sorted.join(' ');
}

} // namespace

class TestCliCompletion : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    /// Bash's completions of the last word, plus "(files)" if it would go on with files.
    QSet<QString> offered(const QStringList &words) const {
        QString script =
            "compopt() { [[ $2 == default ]] && echo '(files)'; }\nsource " + m_folder.filePath("bash") + "\nCOMP_WORDS=(";
        for (const QString &word : words)
            script += "'" + word + "' ";
        script += QString(")\nCOMP_CWORD=%1\n_syncopate_cli\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n").arg(words.size() - 1);
        const ProcessResult answer = runProgram("bash", {"-c", script});
        return answer.exitCode == 0 && answer.err.isEmpty() ? wordsOf(answer.out) : QSet<QString>{answer.err};
    }

    void offers(const QStringList &words, const QSet<QString> &want) const {
        const QSet<QString> got = offered(words);
        QVERIFY2(got == want, qPrintable(QStringLiteral("%1: got %2; want %3").arg(words.join(' '), list(got), list(want))));
    }

private slots:
    void initTestCase() {
        for (const QString &shell : {QStringLiteral("bash"), QStringLiteral("zsh")}) {
            const ProcessResult answer = cli({"completion", shell});
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            QFile file(m_folder.filePath(shell));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(answer.out) == answer.out.size());
        }
    }

    void bashKnowsEveryCommandAndOption() {
        const QStringList names = commands();
        COMPARE_AT_LEAST(names.size(), 17);
        offers({"syncopate-cli", ""}, QSet<QString>(names.begin(), names.end()) + optionsIn(cli({"--help"}).out));
        for (const QString &command : names) {
            const QSet<QString> want = optionsIn(cli({command, "--help"}).out);
            QVERIFY2(want.contains("--json"), qPrintable(command));
            offers({"syncopate-cli", command, "-"}, want);
            // Also after options of the program, and values that are not a command.
            offers({"syncopate-cli", "--seed", "3", command, "-"}, want);
        }
    }

    void bashKnowsNamesAndChoices() {
        const QStringList search{"syncopate-cli", "search"};
        offers(search + QStringList{"--objective", ""}, {"iteration", "exposed"});
        offers(search + QStringList{"--objective", "=", "e"}, {"exposed"});
        offers(search + QStringList{"--objective", "="}, {"iteration", "exposed"});
        offers(search + QStringList{"--job", ""}, catalogueOf("jobs"));
        offers(search + QStringList{"--cluster", ""}, catalogueOf("clusters"));
        offers(search + QStringList{"--policy", ""}, catalogueOf("policies"));
        offers(search + QStringList{"--method", ""}, catalogueOf("methods"));
        offers(search + QStringList{"--judge", ""}, catalogueOf("judges"));
        offers({"syncopate-cli", "tune", "--method", ""}, catalogueOf("tuners"));
        offers({"syncopate-cli", "plan", "--method", ""}, catalogueOf("planners"));
        offers({"syncopate-cli", "compare", "--b", ""}, catalogueOf("builders"));
        offers({"syncopate-cli", "catalog", "j"}, {"jobs", "judges"});
        offers({"syncopate-cli", "sweep", "--knob", "bandw"}, {"bandwidth"});
    }

    /// Files where a text may be one, and nothing where a number is expected.
    void bashGoesOnWithFiles() {
        offers({"syncopate-cli", "search", "--job", "sample_data/"}, {"(files)"});
        offers({"syncopate-cli", "search", "-o", ""}, {"(files)"});
        offers({"syncopate-cli", "import", "trace"}, {"(files)"});
        offers({"syncopate-cli", "search", "--trials", ""}, {});
    }

    void zshTakesTheScript() {
        const QString zsh = QStandardPaths::findExecutable("zsh");
        if (zsh.isEmpty())
            QSKIP("there is no zsh");
        const QString script = m_folder.filePath("zsh");
        const ProcessResult parsed = runProgram(zsh, {"-f", "-n", script});
        QVERIFY2(parsed.exitCode == 0 && parsed.err.isEmpty(), parsed.err.constData());
        // compdef accepts it, and every option of every command is in it.
        const ProcessResult loaded = runProgram(zsh, {"-f", "-c",
                                                      "autoload -U compinit; compinit -u -D; source " + script +
                                                          "; print $_comps[syncopate-cli]; functions _syncopate_cli"});
        QVERIFY2(loaded.exitCode == 0 && loaded.err.isEmpty(), loaded.err.constData());
        QVERIFY2(loaded.out.startsWith("_syncopate_cli\n"), loaded.out.constData());
        for (const QString &command : commands())
            for (const QString &option : optionsIn(cli({command, "--help"}).out))
                QVERIFY2(loaded.out.contains(("'*" + option + "[").toUtf8()), qPrintable(command + ' ' + option));
    }

    void otherShellsAreRefused() {
        const ProcessResult answer = cli({"completion", "fish"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.isOneError(), answer.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliCompletion)
#include "tst_cli_completion.moc"
