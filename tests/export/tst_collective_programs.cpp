// SPDX-License-Identifier: GPL-3.0-or-later
// One collective of a plan as a program for other interpreters: MSCCL++'s Python DSL, run beside the plan that it has to make,
// and MSCCL's XML, played step by step.
#include "engine/export/plan_export.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/plan/plan_cases.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// The operations of each thread block of an MSCCL++ plan with processes and buffers in place of the block's own numbers. Signals
/// to several peers one after the other are the same as one to all of them.
QList<QStringList> operationsOf(const QJsonObject &plan) {
    QList<QStringList> blocks;
    const QJsonArray gpus = plan["gpus"].toArray();
    for (int g = 0; g < gpus.size(); ++g) {
        const QJsonObject gpu = gpus[g].toObject();
        const QJsonArray buffers = gpu["remote_buffers"].toArray();
        for (const auto &each : gpu["threadblocks"].toArray()) {
            const QJsonObject block = each.toObject();
            const auto ids = block["remote_buffer_refs"].toArray()[0].toObject()["remote_buffer_ids"].toArray();
            const auto channels = block["channels"].toArray()[0].toObject()["channel_ids"].toArray();
            const auto chunkName = [&](const QJsonObject &chunk) {
                const QJsonObject remote = buffers[ids[chunk["buffer_id"].toInt()].toInt()].toObject();
                const bool isLocal = !chunk.contains("buffer_id");
                return QStringLiteral("%1%2%3x%4")
                    .arg(isLocal ? g : remote["rank"].toInt())
                    .arg((isLocal ? chunk : remote)["type"].toString())
                    .arg(chunk["index"].toInt())
                    .arg(chunk["size"].toInt());
            };
            QStringList ops;
            QString before;
            std::set<int> waiting;
            for (const auto &one : block["ops"].toArray()) {
                const QJsonObject op = one.toObject();
                QString name = op["name"].toString();
                if (op.contains("channel_ids")) {
                    if (name == before)
                        ops.removeLast();
                    else
                        waiting.clear();
                    before = name;
                    for (const auto &id : op["channel_ids"].toArray())
                        waiting.insert(channels[id.toInt()].toInt());
                    for (const int channel : waiting)
                        name += QStringLiteral(" %1").arg(channel);
                    ops.append(name);
                    continue;
                }
                before.clear();
                for (const char *side : {"src_buff", "dst_buff"}) {
                    name += QLatin1Char('|');
                    for (const auto &chunk : op[QLatin1String(side)].toArray())
                        name += QLatin1Char(' ') + chunkName(chunk.toObject());
                }
                ops.append(name + op["channel_type"].toString() + op["reduce_op"].toString());
            }
            blocks.append(ops);
        }
    }
    return blocks;
}

/// The rest of a plan's text.
QJsonObject headOf(QJsonObject plan) {
    QJsonArray sizes;
    for (const auto &gpu : plan["gpus"].toArray())
        for (const char *key : {"id", "input_chunks", "output_chunks", "scratch_chunks"})
            sizes.append(gpu.toObject()[QLatin1String(key)]);
    QJsonArray channels;
    for (const auto &gpu : plan["gpus"].toArray())
        channels.append(gpu.toObject()["channels"]);
    plan["gpus"] = QJsonArray{sizes, channels};
    return plan;
}

/// Runs a program with the stand-in for the language, or with Python's own where SYNCOPATE_TEST_MSCCLPP is set: another version
/// than 1f5f065d may number and fuse otherwise.
QJsonObject printedBy(const QString &python, const std::string &program) {
    const QTemporaryDir folder;
    QFile file(folder.filePath("program.py"));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(program)) < 0)
        return {};
    file.close();
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PYTHONDONTWRITEBYTECODE", "1");
    if (!qEnvironmentVariableIsSet("SYNCOPATE_TEST_MSCCLPP"))
        environment.insert("PYTHONPATH", QStringLiteral(SYNCOPATE_SOURCE "/tests/export/mscclpp_stand_in"));
    process.setProcessEnvironment(environment);
    process.start(python, {file.fileName()});
    if (!process.waitForFinished(patience) || process.exitCode() != 0)
        qWarning("%s", process.readAllStandardError().constData());
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

/// A step of a thread block of MSCCL's XML.
struct Step {
    QString type;
    std::pair<QString, int> from, to; ///< buffer and chunk
    int dependsBlock = -1, dependsStep = -1;
};
struct Block {
    int send = -1, receive = -1, channel = 0;
    std::vector<Step> steps;
    std::size_t done = 0;
};
/// An algorithm of MSCCL: the thread blocks of each GPU.
struct Algorithm {
    QXmlStreamAttributes head;
    std::vector<std::vector<Block>> gpus;
    std::vector<QXmlStreamAttributes> gpuHeads;
};

Algorithm algorithmIn(const std::string &xml) {
    Algorithm algorithm;
    QXmlStreamReader reader(QByteArray::fromStdString(xml));
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QXmlStreamAttributes at = reader.attributes();
        const auto number = [&](const char *name) { return at.value(QLatin1String(name)).toInt(); };
        if (reader.name() == QLatin1String("algo")) {
            algorithm.head = at;
        } else if (reader.name() == QLatin1String("gpu")) {
            algorithm.gpus.emplace_back();
            algorithm.gpuHeads.push_back(at);
        } else if (reader.name() == QLatin1String("tb")) {
            algorithm.gpus.back().push_back({number("send"), number("recv"), number("chan"), {}});
        } else {
            algorithm.gpus.back().back().steps.push_back({at.value("type").toString(),
                                                          {at.value("srcbuf").toString(), number("srcoff")},
                                                          {at.value("dstbuf").toString(), number("dstoff")},
                                                          number("depid"),
                                                          number("deps")});
        }
    }
    if (reader.hasError())
        QTest::qFail(qPrintable(reader.errorString()), __FILE__, __LINE__);
    return algorithm;
}

/// Plays an algorithm as MSCCL's interpreter does: a connection for each pair of GPUs and channel, which holds two chunks (NCCL's
/// protocol Simple) and belongs to one thread block at each end; the steps of a thread block one after the other.
class Player {
public:
    Player(Algorithm algorithm, CollectiveKind kind) : m_algorithm(std::move(algorithm)) {
        const bool gathers = kind == CollectiveKind::AllGather;
        for (std::size_t g = 0; g < m_algorithm.gpus.size(); ++g) {
            const int inputs = m_algorithm.gpuHeads[g].value("i_chunks").toInt();
            for (int i = 0; i < inputs; ++i) // in place: the input is in the output
                m_chunks[{static_cast<int>(g), gathers ? "o" : "i", gathers ? static_cast<int>(g) * inputs + i : i}] = {
                    {{static_cast<int>(g), i}, 1}};
        }
    }

    /// The first obstacle to its end, searched in the thread blocks from `first` on; empty: none.
    QString play(std::size_t first) {
        if (const QString fault = connectionFault(); !fault.isEmpty())
            return fault;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t g = 0; g < m_algorithm.gpus.size(); ++g)
                for (std::size_t b = 0; b < m_algorithm.gpus[g].size(); ++b) {
                    const std::size_t gpu = (g + first) % m_algorithm.gpus.size();
                    const std::size_t block = (b + first) % m_algorithm.gpus[gpu].size();
                    while (runStep(static_cast<int>(gpu), m_algorithm.gpus[gpu][block]))
                        moved = true;
                }
        }
        for (const auto &blocks : m_algorithm.gpus)
            for (const Block &block : blocks)
                if (block.done < block.steps.size())
                    return QStringLiteral("stands still at %1").arg(block.steps[block.done].type);
        for (const auto &[connection, chunks] : m_inFlight)
            if (!chunks.empty())
                return QStringLiteral("a chunk is not received");
        return {};
    }
    [[nodiscard]] ChunkSum at(int gpu, const char *buffer, int chunk) {
        return m_chunks[{gpu, QString::fromLatin1(buffer), chunk}];
    }

private:
    using Connection = std::tuple<int, int, int>; ///< from, to, channel

    QString connectionFault() const {
        std::map<Connection, int> ends[2];
        for (std::size_t g = 0; g < m_algorithm.gpus.size(); ++g)
            for (const Block &block : m_algorithm.gpus[g]) {
                if (block.send >= 0)
                    ++ends[0][{static_cast<int>(g), block.send, block.channel}];
                if (block.receive >= 0)
                    ++ends[1][{block.receive, static_cast<int>(g), block.channel}];
            }
        for (const auto &[connection, count] : ends[0])
            if (count != 1)
                return "two thread blocks send on a connection";
        return ends[0] == ends[1] ? QString() : QStringLiteral("a connection has one end");
    }

    bool runStep(int gpu, Block &block) {
        if (block.done == block.steps.size())
            return false;
        const Step &step = block.steps[block.done];
        if (step.dependsBlock >= 0 &&
            m_algorithm.gpus[static_cast<std::size_t>(gpu)][static_cast<std::size_t>(step.dependsBlock)].done <=
                static_cast<std::size_t>(step.dependsStep))
            return false;
        const bool receives = step.type.startsWith('r') && step.type != "re", sends = step.type.endsWith('s');
        std::deque<ChunkSum> &in = m_inFlight[{block.receive, gpu, block.channel}],
                             &out = m_inFlight[{gpu, block.send, block.channel}];
        if ((receives && in.empty()) || (sends && out.size() == 2))
            return false;
        const auto place = [gpu](const std::pair<QString, int> &chunk) { return std::tuple(gpu, chunk.first, chunk.second); };
        ChunkSum value = receives ? in.front() : m_chunks[place(step.from)];
        if (receives)
            in.pop_front();
        if (step.type.startsWith("rr"))
            for (const auto &[from, times] : m_chunks[place(step.from)])
                value[from] += times;
        if (step.type == "cpy" || step.type == "r" || step.type == "rcs" || step.type == "rrc" || step.type == "rrcs")
            m_chunks[place(step.to)] = value;
        if (sends)
            out.push_back(value);
        ++block.done;
        return true;
    }

    Algorithm m_algorithm;
    std::map<std::tuple<int, QString, int>, ChunkSum> m_chunks; ///< by GPU, buffer, chunk
    std::map<Connection, std::deque<ChunkSum>> m_inFlight;
};

void addKinds() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("splines");
    QTest::newRow("all-reduce") << static_cast<int>(CollectiveKind::AllReduce) << 1;
    QTest::newRow("reduce-scatter") << static_cast<int>(CollectiveKind::ReduceScatter) << 1;
    QTest::newRow("all-gather") << static_cast<int>(CollectiveKind::AllGather) << 1;
    QTest::newRow("all-to-all") << static_cast<int>(CollectiveKind::AllToAll) << 1;
    QTest::newRow("all-to-all in splines") << static_cast<int>(CollectiveKind::AllToAll) << 4;
}

} // namespace

class TestCollectivePrograms : public QObject {
    Q_OBJECT

private slots:
    /// The program prints the plan that is written as JSON: the same operations of the same thread blocks, on the same channels.
    void programsPrintThePlan_data() {
        addKinds();
        QTest::newRow("all-gather in splines") << static_cast<int>(CollectiveKind::AllGather) << 4;
    }
    void programsPrintThePlan() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty())
            QSKIP("there is no python3");
        QFETCH(int, kind);
        QFETCH(int, splines);
        for (const int ranks : {2, 4, 8})
            for (const int segments : {1, 3}) {
                if (ranks % splines != 0)
                    continue;
                const PlanCase c = planCase({comm("x", static_cast<CollectiveKind>(kind), 1e6)},
                                            {{.segments = segments, .splines = splines}}, ranks);
                const auto json = writeMscclpp(c.plan, c.dag, 8, "x"), program = writeMscclppProgram(c.plan, c.dag, 8, "x");
                VERIFY_VALUE(json);
                VERIFY_VALUE(program);
                const QJsonObject want = QJsonDocument::fromJson(QByteArray::fromStdString(*json)).object();
                const QJsonObject got = printedBy(python, *program);
                QVERIFY2(!got.isEmpty(), program->c_str());
                QCOMPARE(headOf(got), headOf(want));
                QCOMPARE(operationsOf(got), operationsOf(want));
                QCOMPARE(operationsOf(want).size(), ranks * segments * splines);
            }
    }

    /// The all-reduce of eight segments among two and four is one that the language's authors wrote: the plan, the program, and
    /// so that the stand-in's output does the same as the language's own.
    void anAllReduceIsThatOfTheLanguage() {
        REQUIRE_FOREIGN_TRACE("mscclpp");
        for (const int ranks : {2, 4}) {
            QFile file(QString::fromStdString(foreignTrace("mscclpp/allreduce_" + std::to_string(ranks) + "gpu.json")));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QList<QStringList> want = operationsOf(QJsonDocument::fromJson(file.readAll()).object());
            const PlanCase c = planCase({comm("x", CollectiveKind::AllReduce, 1e6)}, {{.segments = 8}}, ranks);
            const auto json = writeMscclpp(c.plan, c.dag, 8, "x"), program = writeMscclppProgram(c.plan, c.dag, 8, "x");
            VERIFY_VALUE(json);
            VERIFY_VALUE(program);
            QCOMPARE(operationsOf(QJsonDocument::fromJson(QByteArray::fromStdString(*json)).object()), want);
            if (const QString python = QStandardPaths::findExecutable("python3"); !python.isEmpty())
                QCOMPARE(operationsOf(printedBy(python, *program)), want);
        }
    }

    /// The program is refused with the reasons of the plan.
    void programsAreRefusedAsPlansAre() {
        const PlanCase c = planCase({comm("x", CollectiveKind::AllReduce, 1e6)}, {{.tree = 2}}, 8);
        for (const int perNode : {4, 8}) {
            const auto json = writeMscclpp(c.plan, c.dag, perNode, "x"),
                       program = writeMscclppProgram(c.plan, c.dag, perNode, "x");
            QVERIFY(!json && !program && json.error() == program.error());
        }
    }

    /// MSCCL's algorithms give every process the result of the collective, whichever thread block runs first, and end.
    void algorithmsDoTheirCollective_data() {
        addKinds();
        QTest::newRow("all-reduce as a ring of two") << -1 << 1;
    }
    void algorithmsDoTheirCollective() {
        QFETCH(int, kind);
        QFETCH(int, splines);
        const bool halves = kind < 0; // planned as a reduce-scatter, then an all-gather
        const auto collective = halves ? CollectiveKind::AllReduce : static_cast<CollectiveKind>(kind);
        const bool sums = collective == CollectiveKind::AllReduce || collective == CollectiveKind::ReduceScatter;
        for (const int ranks : {2, 3, 4, 8, 16})
            for (const int segments : {1, 3}) {
                if (ranks % splines != 0)
                    continue;
                const PlanCase c =
                    planCase({comm("x", collective, 1e6)}, {{.segments = segments, .splines = splines, .ring = halves}}, ranks);
                const auto xml = writeMscclXml(c.plan, c.dag, "x");
                VERIFY_VALUE(xml);
                const Algorithm algorithm = algorithmIn(*xml);
                QCOMPARE(algorithm.gpus.size(), static_cast<std::size_t>(ranks));
                QCOMPARE(algorithm.head.value("nchannels").toInt(), segments * splines);
                QCOMPARE(algorithm.head.value("nchunksperloop").toInt(), segments * ranks);
                for (const std::size_t first : {0U, 1U, 5U}) {
                    Player player(algorithm, collective);
                    QCOMPARE(player.play(first), QString());
                    for (int g = 0; g < ranks; ++g)
                        for (int p = 0; p < ranks; ++p)
                            for (int s = 0; s < segments; ++s) {
                                const ChunkSum want = sumAfter(collective, ranks, segments, g, p, s);
                                QVERIFY2(want.empty() || player.at(g, sums ? "i" : "o", p * segments + s) == want,
                                         qPrintable(QString("%1 ranks, process %2, chunk %3").arg(ranks).arg(g).arg(p)));
                            }
                }
            }
    }

    /// The steps are the same as in rings that msccl-tools writes: a process sends a chunk, passes on sums of others, completes
    /// one, passes on complete ones, and takes the last.
    void ringsAreOfTheKnownSteps() {
        const PlanCase c = planCase({comm("x", CollectiveKind::AllReduce, 1e6)}, {{}}, 4);
        const auto xml = writeMscclXml(c.plan, c.dag, "x");
        VERIFY_VALUE(xml);
        const Algorithm algorithm = algorithmIn(*xml);
        QCOMPARE(algorithm.gpus[1].size(), std::size_t{1});
        const Block &block = algorithm.gpus[1].front();
        QCOMPARE(std::pair(block.send, block.receive), std::pair(2, 0));
        QStringList steps;
        for (const Step &step : block.steps)
            steps += QStringLiteral("%1 %2").arg(step.type).arg(step.to.second);
        QCOMPARE(steps, (QStringList{"s 1", "rrs 0", "rrs 3", "rrcs 2", "rcs 1", "rcs 0", "r 3"}));
        QCOMPARE(algorithm.head.value("coll").toString(), QStringLiteral("allreduce"));
        QCOMPARE(algorithm.head.value("inplace").toString(), QStringLiteral("1"));
    }

    void algorithmsAreRefused() {
        const auto refusal = [](const PlanCase &c) {
            const auto xml = writeMscclXml(c.plan, c.dag, "x");
            return xml ? std::string("written") : xml.error().what;
        };
        const auto one = [](CollectiveKind kind, const MotifCut &cut, int ranks) {
            return planCase({comm("x", kind, 1e6)}, {cut}, ranks);
        };
        const auto says = [&](const PlanCase &c, const char *why) {
            const std::string what = refusal(c);
            return what.find(why) != std::string::npos ? QString() : QString::fromStdString(what);
        };
        QCOMPARE(says(one(CollectiveKind::Broadcast, {}, 4), "runs no broadcast"), QString());
        QCOMPARE(says(one(CollectiveKind::Permute, {}, 4), "runs no permute"), QString());
        QCOMPARE(says(one(CollectiveKind::AllReduce, {.tree = 2}, 8), "several collectives"), QString());
        QCOMPARE(says(one(CollectiveKind::AllReduce, {.partition = 4}, 8), "several collectives"), QString());
        QCOMPARE(says(one(CollectiveKind::AllGather, {.partition = 4}, 8), "several collectives"), QString());
        QCOMPARE(says(one(CollectiveKind::AllReduce, {.segments = 40}, 4), "32 channels"), QString());
        QCOMPARE(says(one(CollectiveKind::AllReduce, {}, 256), "256 steps"), QString());
        QCOMPARE(says(one(CollectiveKind::AllReduce, {}, 128), "written"), QString());
        for (const CollectiveKind half : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter}) { // go around once
            QCOMPARE(says(one(half, {}, 256), "written"), QString());
            QCOMPARE(says(one(half, {}, 257), "256 steps"), QString());
        }
        QCOMPARE(says(one(CollectiveKind::AllToAll, {}, 64), "thread block for each process"), QString());
        QCOMPARE(says(one(CollectiveKind::AllToAll, {.splines = 4}, 64), "written"), QString());
        QCOMPARE(says(one(CollectiveKind::AllGather, {.splines = 2}, 4), "only all-to-alls send directly"), QString());
        QCOMPARE(says(one(CollectiveKind::ReduceScatter, {.splines = 2}, 4), "only all-to-alls send directly"), QString());
        QCOMPARE(says(planCase({comm("y", CollectiveKind::AllReduce, 1e6)}, {{}}, 4), "no collective \"x\""), QString());
        // A plan by hand: the second ring waits for the first, and channels of MSCCL wait for none.
        PlanCase ordered = one(CollectiveKind::AllReduce, {.segments = 2, .ring = true}, 4);
        QCOMPARE(says(ordered, "written"), QString());
        std::vector<PlannedMotif> &motifs = ordered.plan.motifs;
        const auto numberOf = [&motifs](CollectiveKind kind, std::int32_t segment) {
            std::size_t m = 0;
            while (motifs.at(m).motif.kind != kind || motifs.at(m).motif.segment.index != segment)
                ++m;
            return m;
        };
        motifs[numberOf(CollectiveKind::ReduceScatter, 1)].motif.after = {
            static_cast<std::int32_t>(numberOf(CollectiveKind::AllGather, 0))};
        QCOMPARE(says(ordered, "in an order"), QString());
    }
};

QTEST_APPLESS_MAIN(TestCollectivePrograms)
#include "tst_collective_programs.moc"
