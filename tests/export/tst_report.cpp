// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and reports: valid XML, everything escaped, lengths in proportion to simulated times.
#include "engine/export/export.h"
#include "engine/export/html_report.h"
#include "engine/export/timeline_svg.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const char *const hostileName = "</td><script>alert('x')</script> & \"q\" \x01";

std::shared_ptr<const Run> smallRun(double bytesPerSecond, const std::string &name = "chain") {
    Job job = chainJob({{0.1, 0.1, 10'000'000}, {0.1, 0.1, 20'000'000}});
    job.name = job.layers[0].name = job.variables[0].name = name;
    const auto run = simulate(scenario(job, servedCluster(1, bytesPerSecond), parameterServers(job, {"n1:CPU:0"})));
    return run ? *run : nullptr;
}

ReportInput twoSides() {
    ReportInput input;
    input.title = "A <b> against \"C\"";
    input.jobSource = hostileName;
    input.clusterSource = "here & there";
    input.sides = {{"PS", smallRun(1e9, hostileName)}, {"PS <fast>", smallRun(2e9, hostileName)}};
    input.programVersion = "1.2.3";
    input.date = "2020-01-02";
    input.pictures = {{"a <picture>", {}, std::string("\x89PNG\r\n\x1a\n\0", 9)}};
    return input;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private slots:
    void svgIsXmlWithTheSpansLengths() {
        const auto run = smallRun(1e9);
        QVERIFY(run);
        const std::string svg = writeTimelineSvg(*run, {.title = "a < b & 'c'", .width = 1184}); // 1000 units per iteration
        QXmlStreamReader xml(QByteArray::fromStdString(svg));
        double forward = 0;
        QStringList texts;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement())
                continue;
            if (xml.name() == QLatin1String("path") && xml.attributes().value("class") == QLatin1String("c0")) {
                static const QRegularExpression width("h([0-9.]+)v");
                for (auto match = width.globalMatch(xml.attributes().value("d").toString()); match.hasNext();)
                    forward += match.next().captured(1).toDouble();
            } else if (xml.name() == QLatin1String("text"))
                texts.push_back(xml.readElementText());
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(texts.contains("a < b & 'c'"));
        // Two forward ops of 0.1 s in an iteration of run.iterationSeconds over 1000 units.
        COMPARE_WITHIN(forward, 0.2 / run->iterationSeconds * 1000, 0.1);
    }

    void manyShortSpansKeepTheirShare() {
        std::vector<LayerSpec> layers(2000, LayerSpec{1e-6, 1e-6, 0});
        layers.push_back({1e-6, 1e-6, 1000});
        const Job job = chainJob(layers);
        const auto run = simulate(scenario(job, plainCluster(2, 1e9), allReduceEach(job)));
        VERIFY_VALUE(run);
        const std::string svg = writeTimelineSvg(**run, {.title = "many", .width = 1184});
        COMPARE_BELOW(svg.size(), 400'000);
        double area = 0; // of forward spans, in square units
        const QString path = QString::fromStdString(svg);
        static const QRegularExpression element("<path class=\"c0\" d=\"([^\"]*)\"");
        static const QRegularExpression rectangle("h([0-9.]+)v([0-9.]+)");
        const QString first = element.match(path).captured(1); // the first worker's compute lane
        for (auto match = rectangle.globalMatch(first); match.hasNext();) {
            const auto one = match.next();
            area += one.captured(1).toDouble() * one.captured(2).toDouble();
        }
        const double share = area / 15 / 1000;
        COMPARE_WITHIN(share, 2001e-6 / (*run)->iterationSeconds, 0.01);
    }

    /// The legend names the categories in the drawn window alone.
    void legendIsOfTheWindow() {
        Run run = *smallRun(1e9);
        run.timeline.lanes.clear();
        run.timeline.labels.clear();
        Lane lane;
        lane.name = "worker 0 compute";
        lane.worker = 0;
        lane.isCompute = true;
        const auto from = static_cast<Nanoseconds>(run.windowStartSeconds * 1e9);
        constexpr Nanoseconds second = 1'000'000'000;
        for (const auto &[start, category] : {std::pair(0 * second, Category::Forward), {2 * second, Category::Backward}}) {
            lane.start.push_back(from + start);
            lane.end.push_back(from + start + second);
            lane.category.push_back(category);
            lane.label.push_back(-1);
            lane.variable.push_back(-1);
            lane.task.push_back(-1);
            lane.sizeBytes.push_back(0);
        }
        run.timeline.lanes.push_back(std::move(lane));
        const auto names = [&run](double first, double last, const char *category) {
            const std::string svg = writeTimelineSvg(run, {.title = "one", .fromSeconds = first, .toSeconds = last});
            return svg.find('>' + std::string(category) + '<') != std::string::npos;
        };
        QVERIFY(names(0, 1, "forward") && !names(0, 1, "backward"));
        QVERIFY(!names(2, 3, "forward") && names(2, 3, "backward"));
        QVERIFY(names(0, 3, "forward") && names(0, 3, "backward"));
    }

    void lanesAreBounded() {
        const auto run = smallRun(1e9);
        const std::string svg = writeTimelineSvg(*run, {.title = "one", .maxLanes = 1});
        QVERIFY(svg.find(std::to_string(run->timeline.lanes.size() - 1) + " more lanes are not drawn") != std::string::npos);
    }

    void lanesOfOneKindAreBounded() {
        Run run = *smallRun(1e9);
        run.timeline.lanes.clear();
        const auto add = [&run](const std::string &name, bool isCompute) {
            Lane lane;
            lane.name = name;
            lane.worker = 0;
            lane.isCompute = isCompute;
            run.timeline.lanes.push_back(std::move(lane));
        };
        add("worker 0 compute", true);
        add("worker 0 push", false);
        for (int l = 2; l <= 9; ++l)
            add("worker 0 push " + std::to_string(l), false);
        add("worker 0 pull", false);
        const std::string svg = writeTimelineSvg(run, {.title = "one"});
        for (const char *label :
             {">worker 0 compute<", ">push<", ">push 5<", ">push 6 of 9<", ">pull<", ">3 more lanes are not drawn<"})
            QVERIFY2(svg.find(label) != std::string::npos, label);
        QVERIFY(svg.find("push 7") == std::string::npos);
        QVERIFY(svg.find(">worker 0 pu") == std::string::npos);
    }

    void reportEscapesWhatCameFromFiles() {
        const std::string html = writeHtmlReport(twoSides());
        QVERIFY(html.find("<script") == std::string::npos);
        QVERIFY(html.find("&lt;script&gt;alert(&#39;x&#39;)") != std::string::npos);
        QVERIFY(html.find('\x01') == std::string::npos);
        QVERIFY(html.find("PS &lt;fast&gt;") != std::string::npos);
        QVERIFY(html.find("http://") == html.find("http://www.w3.org/2000/svg")); // nothing is fetched
        QVERIFY(html.find("https://") == std::string::npos);
    }

    void reportHoldsTheNotes() {
        ReportInput input = twoSides();
        QVERIFY(writeHtmlReport(input).find("<h2>Notes</h2>") == std::string::npos);
        input.notes = {
            {1, 30e6, 30e6, "worker 0 <push>", "later"}, {0, 20e6, 45e6, {}, "the first & only"}, {2, 0, 0, {}, "no side"}};
        const std::string html = writeHtmlReport(input);
        const std::size_t first = html.find("<td>A</td><td>20 ms</td><td>25 ms</td><td></td><td>the first &amp; only</td>");
        const std::size_t second = html.find("<td>B</td><td>30 ms</td><td></td><td>worker 0 &lt;push&gt;</td><td>later</td>");
        QVERIFY2(first != std::string::npos, html.substr(html.find("<h2>Notes"), 600).c_str());
        QVERIFY2(second != std::string::npos, html.substr(html.find("<h2>Notes"), 600).c_str());
        COMPARE_BELOW(first, second, html.substr(html.find("<h2>Notes"), 600));
        QVERIFY(html.find("no side") == std::string::npos);
        input.sides.pop_back();
        QVERIFY(writeHtmlReport(input).find("later") == std::string::npos); // of the side not reported
    }

    /// A report of B alone, as where A cannot be simulated, calls it B and holds its notes, not A's.
    void reportOfBAlone() {
        ReportInput input = twoSides();
        input.sides.erase(input.sides.begin());
        input.firstSide = 1;
        input.notes = {{1, 30e6, 30e6, {}, "about b"}, {0, 20e6, 45e6, {}, "about a"}};
        const std::string html = writeHtmlReport(input);
        QVERIFY2(html.find("<th class=\"n\">B</th>") != std::string::npos, html.substr(html.find("<h2>Result"), 300).c_str());
        QVERIFY2(html.find("<th class=\"n\">A</th>") == std::string::npos, html.substr(html.find("<h2>Result"), 300).c_str());
        QVERIFY(html.find("B: PS &lt;fast&gt;, ") != std::string::npos);
        QVERIFY(html.find("<td>B</td><td>30 ms</td><td></td><td></td><td>about b</td>") != std::string::npos);
        QVERIFY(html.find("about a") == std::string::npos);
    }

    /// A machine that only serves computes nothing, so its speed is none of the devices'.
    void speedsAreOfTrainingMachines() {
        const Job job = chainJob({{0.1, 0.1, 10'000'000}});
        Cluster cluster = servedCluster(2, 1e9);
        cluster.nodes[2].computeScale = 0.5; // serves
        const auto cellOf = [&] {
            ReportInput input = twoSides();
            input.sides = {{"PS", runOf(scenario(job, cluster, parameterServers(job, {"n2:CPU:0"})))}};
            const QString text = QString::fromStdString(writeHtmlReport(input));
            static const QRegularExpression cell("<td>Speed of devices</td><td class=\"k\">([^<]*)</td>");
            return cell.match(text).captured(1);
        };
        QCOMPARE(cellOf(), QStringLiteral("1"));
        cluster.nodes[0].computeScale = 2;
        QCOMPARE(cellOf(), QStringLiteral("1 to 2"));
    }

    void reportIsWellFormed() {
        // Written so that it is XML except for the void elements meta and img.
        QString html = QString::fromStdString(writeHtmlReport(twoSides()));
        html.remove("<!DOCTYPE html>\n");
        html.replace(QRegularExpression("<(meta|img)([^>]*)>"), "<\\1\\2/>");
        QXmlStreamReader xml(html);
        int svgs = 0, tables = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            svgs += xml.isStartElement() && xml.name() == QLatin1String("svg");
            tables += xml.isStartElement() && xml.name() == QLatin1String("table");
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString() + " line " + QString::number(xml.lineNumber())));
        QCOMPARE(svgs, 2);
        QCOMPARE(tables, 3);
    }

    void reportTellsFiguresAndTheirDifference() {
        const ReportInput input = twoSides();
        // One worker, one server: backward of layer 1 ends at 0.3 s; layer 0's pull ends at 0.56 s at 1 GB/s and 0.46 s at 2 GB/s
        // (tst_export computes the first), and with a barrier the iteration ends there.
        const std::string html = writeHtmlReport(input);
        const double a = input.sides[0].run->iterationSeconds, b = input.sides[1].run->iterationSeconds;
        COMPARE_ABOVE(a, b);
        const QString text = QString::fromStdString(html);
        const auto row = QRegularExpression("<tr><td>Iteration</td>(.*)</tr>").match(text).captured(1);
        QVERIFY2(row.contains(QString::number(std::round(a * 1e3)) + " ms"), qPrintable(row));
        QVERIFY2(row.contains("better") && row.contains(QStringLiteral("▼")) && row.contains(QStringLiteral("−")),
                 qPrintable(row));
        QVERIFY(text.contains("Syncopate 1.2.3"));
        QVERIFY(text.contains("<td>Machines</td><td class=\"k\">1 and 1 server</td>"));
        QVERIFY(text.contains("data:image/png;base64,iVBORw0KGgoA"));
        for (const std::string &assumption : input.sides[0].run->assumptions)
            QVERIFY2(html.find(escapeXml(assumption)) != std::string::npos, assumption.c_str());
    }

    void roundingIsNoDifference() {
        ReportInput input = twoSides();
        auto almost = std::make_shared<Run>(*input.sides[0].run);
        almost->iterationSeconds *= 1 + 1e-5;
        input.sides[1].run = almost;
        const QString text = QString::fromStdString(writeHtmlReport(input));
        const auto row = QRegularExpression("<tr><td>Iteration</td>(.*)</tr>").match(text).captured(1);
        QVERIFY2(row.contains("<td class=\"n\">0</td>"), qPrintable(row));
    }

    /// XML's parsers refuse files that hold U+FFFE, U+FFFF or control characters, however they are written.
    void charactersThatXmlCannotHold() {
        QCOMPARE(escapeXml("a\xef\xbf\xbf"
                           "b\xef\xbf\xbe\x01"),
                 std::string("a\xef\xbf\xbd"
                             "b\xef\xbf\xbd\xef\xbf\xbd"));
        QCOMPARE(escapeXml("\xef\xbf\xbd\xef\xbf\xad"), std::string("\xef\xbf\xbd\xef\xbf\xad"));
    }

    void base64AsInTheStandard() {
        // RFC 4648, section 10.
        const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                       {"f", "Zg=="},
                                                                       {"fo", "Zm8="},
                                                                       {"foo", "Zm9v"},
                                                                       {"foob", "Zm9vYg=="},
                                                                       {"fooba", "Zm9vYmE="},
                                                                       {"foobar", "Zm9vYmFy"}};
        for (const auto &[plain, coded] : vectors)
            QCOMPARE(base64(plain), coded);
        QByteArray all;
        for (int i = 0; i < 256; ++i)
            all.push_back(static_cast<char>(i));
        QCOMPARE(QByteArray::fromStdString(base64(all.toStdString())), all.toBase64());
    }

    void autoDistStubCompiles() {
        QCOMPARE(autoDistStubName("run-a.pb"), std::string("run_a_builder.py"));
        QCOMPARE(autoDistStubName("2 runs.x.pb"), std::string("_2_runs_x_builder.py"));
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty())
            QSKIP("there is no python3");
        QTemporaryDir dir;
        for (const char *package : {"autodist", "autodist/strategy"}) {
            QDir(dir.path()).mkpath(package);
            (void)writeFile(dir.filePath(QString(package) + "/__init__.py").toStdString(), "");
        }
        (void)writeFile(
            dir.filePath("autodist/strategy/base.py").toStdString(),
            "class StrategyBuilder: pass\nclass Strategy:\n    @classmethod\n    def deserialize(cls, strategy_id=None, "
            "path=None):\n        assert strategy_id is None\n        return path\n");
        const std::string awkward = "it's \\ \"odd\"\n{0}.pb";
        (void)writeFile(dir.filePath("stub_builder.py").toStdString(), writeAutoDistStub(awkward));
        QProcess process;
        process.setWorkingDirectory(dir.path());
        process.start(python, {"-c", "import stub_builder, sys\nsys.stdout.write(stub_builder.FromFile().build(None, None))"});
        QVERIFY(process.waitForFinished(syncopate::testing::patience));
        QCOMPARE(process.readAllStandardError(), QByteArray());
        QCOMPARE(process.readAllStandardOutput(), (dir.path() + "/").toUtf8() + QByteArray::fromStdString(awkward));
    }
};

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
