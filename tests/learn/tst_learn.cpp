// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/adam.h"
#include "engine/learn/gradient_check.h"
#include "engine/learn/modules.h"
#include "tests/checks.h"

#include <QtTest>
#include <cmath>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

using Real = Tape<double>;

Matrix<double> drawn(std::size_t rows, std::size_t cols, Rng &rng) {
    Matrix<double> matrix(rows, cols);
    for (double &value : matrix.values)
        value = rng.uniform(-1, 1);
    return matrix;
}

/// 0 <- {0, 1, 2}, 1 <- {1, 0}, 2 <- {2}, 3 <- nothing.
const GatherGraph smallGraph{{0, 3, 5, 6, 6}, {0, 1, 2, 1, 0, 2}};

} // namespace

#define COMPARE_GRADIENTS(check)                                                                                                 \
    do {                                                                                                                         \
        const GradientCheck found_ = check;                                                                                      \
        COMPARE_BELOW(found_.worst, 1e-5,                                                                                        \
                      fmt::format("{}[{}], analytic {:g}, numeric {:g}", found_.parameter, found_.index, found_.analytic,        \
                                  found_.numeric));                                                                              \
    } while (false)

class TestLearn : public QObject {
    Q_OBJECT

private slots:
    void gradientsOfOperations() {
        Rng rng(1);
        Parameters<double> parameters;
        const std::size_t a = parameters.addWeights("a", 6, 3, rng), b = parameters.addWeights("b", 6, 3, rng);
        const std::size_t row = parameters.addWeights("row", 1, 3, rng), factor = parameters.addWeights("factor", 3, 4, rng);
        COMPARE_GRADIENTS(checkGradients(
            parameters,
            [&](Real &tape) {
                const auto sum = tape.addRow(tape.add(tape.parameter(a), tape.relu(tape.parameter(b))), tape.parameter(row));
                const auto both = tape.besides(tape.tanh(sum), tape.parameter(a));
                const auto summed = tape.sumBlocks(both, {1, 0, 1}, 3); // blocks of two rows; the third stays empty
                const auto product =
                    tape.multiply(tape.rows(tape.add(tape.parameter(a), tape.parameter(a)), 1, 4), tape.parameter(factor));
                return tape.besides(tape.meanBlocks(summed, 3), tape.meanBlocks(product, 2));
            },
            rng));
    }

    void gradientsOfDense() {
        Rng rng(2);
        Parameters<double> parameters;
        const Dense<double> first(parameters, "first", 4, 5, rng), second(parameters, "second", 5, 1, rng);
        const Matrix<double> x = drawn(7, 4, rng);
        COMPARE_GRADIENTS(checkGradients(
            parameters, [&](Real &tape) { return second.apply(tape, tape.tanh(first.apply(tape, tape.constant(x)))); }, rng));
    }

    /// One layer in each direction, two bidirectional (rankers use less), two in one direction (AutoByte).
    void gradientsOfLstm_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<bool>("both");
        QTest::addColumn<bool>("allStates");
        QTest::newRow("one way") << 1 << false << false;
        QTest::newRow("both ways") << 1 << true << false;
        QTest::newRow("both ways, all states") << 1 << true << true;
        QTest::newRow("two layers, both ways") << 2 << true << false;
        QTest::newRow("two layers, one way") << 2 << false << false;
    }
    void gradientsOfLstm() {
        QFETCH(int, layers);
        QFETCH(bool, both);
        QFETCH(bool, allStates);
        Rng rng(3);
        Parameters<double> parameters;
        const std::size_t steps = 4, batch = 3;
        const Dense<double> in(parameters, "in", 2, 3, rng);
        const Lstm<double> lstm(parameters, "lstm", {3, 4, static_cast<std::size_t>(layers), both}, rng);
        const Matrix<double> x = drawn(steps * batch, 2, rng);
        COMPARE_GRADIENTS(checkGradients(
            parameters,
            [&](Real &tape) {
                const auto output = lstm.apply(tape, in.apply(tape, tape.constant(x)), steps);
                return allStates ? output.states : output.last;
            },
            rng));
    }

    void gradientsOfAttention() {
        Rng rng(4);
        Parameters<double> parameters;
        const Dense<double> in(parameters, "in", 2, 3, rng);
        const GraphAttention<double> first(parameters, "first", 3, 4, 2, rng), second(parameters, "second", 8, 3, 1, rng);
        // Node 3 gathers nothing: with a bias of 0 it would be at the kink of max(0, .), where the derivative is undefined.
        for (std::size_t p = 0; p < parameters.count(); ++p)
            for (double &value : parameters[p].values)
                value += rng.uniform(0.05, 0.1);
        const Matrix<double> x = drawn(4 * 2, 2, rng);
        COMPARE_GRADIENTS(checkGradients(
            parameters,
            [&](Real &tape) {
                const auto nodes = first.apply(tape, in.apply(tape, tape.constant(x)), smallGraph);
                return tape.meanBlocks(second.apply(tape, nodes, smallGraph), 4);
            },
            rng));
    }

    /// A missing gradient is detected: the constant below has a parameter's value, so its derivative is not propagated.
    void findsBrokenGradient() {
        Rng rng(5);
        Parameters<double> parameters;
        const std::size_t a = parameters.addWeights("a", 2, 2, rng), b = parameters.addWeights("b", 2, 2, rng);
        const auto broken = [&](Real &tape) { return tape.multiply(tape.constant(parameters[a]), tape.parameter(b)); };
        const GradientCheck check = checkGradients(parameters, broken, rng);
        COMPARE_ABOVE(check.worst, 0.5);
        QCOMPARE(check.parameter, std::string("a"));
    }

    /// The LSTM's equations, written out for one unit and one example.
    void lstmByHand() {
        Parameters<double> parameters;
        const std::size_t input = parameters.addConstant("input", 1, 4, 0),
                          recurrent = parameters.addConstant("recurrent", 1, 4, 0);
        const std::size_t bias = parameters.addConstant("bias", 1, 4, 0);
        parameters[input].values = {0.5, -0.3, 0.8, 1.1};
        parameters[recurrent].values = {0.2, 0.4, -0.6, 0.7};
        parameters[bias].values = {0.1, 1, -0.2, 0.3};
        Matrix<double> x(3, 1);
        x.values = {1, -2, 0.5};
        const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
        for (const bool fromLast : {false, true}) {
            Real tape(parameters);
            const auto states =
                tape.lstm(tape.constant(x), tape.parameter(input), tape.parameter(recurrent), tape.parameter(bias), 3, fromLast);
            double h = 0, c = 0;
            for (std::size_t t = 0; t < 3; ++t) {
                const std::size_t place = fromLast ? 2 - t : t;
                const auto z = [&](std::size_t g) {
                    return x.values[place] * parameters[input].values[g] + h * parameters[recurrent].values[g] +
                           parameters[bias].values[g];
                };
                c = sigmoid(z(1)) * c + sigmoid(z(0)) * std::tanh(z(3));
                h = sigmoid(z(2)) * std::tanh(c);
                COMPARE_CLOSE(tape.value(states)(place, 0), h, 1e-12);
            }
        }
    }

    /// Attention weights by hand: node 1 of two nodes gathers from both.
    void attentionByHand() {
        Parameters<double> parameters;
        const std::size_t own = parameters.addConstant("own", 1, 1, 0.5), other = parameters.addConstant("other", 1, 1, -2);
        Matrix<double> z(2, 1);
        z.values = {0.7, -0.4};
        const GatherGraph graph{{0, 1, 3}, {0, 0, 1}};
        Real tape(parameters);
        const auto out = tape.attend(tape.constant(z), tape.parameter(own), tape.parameter(other), graph);
        const auto leaky = [](double x) { return x > 0 ? x : 0.2 * x; };
        const double first = std::exp(leaky(-0.2 - 1.4)), second = std::exp(leaky(-0.2 + 0.8));
        COMPARE_CLOSE(tape.value(out)(0, 0), 0.7, 1e-12);
        COMPARE_CLOSE(tape.value(out)(1, 0), (0.7 * first - 0.4 * second) / (first + second), 1e-12);
    }

    void rankingLoss() {
        const std::vector<double> scores{0.3, -0.2, 0.9, 0.1}, times{1.0, 2.0, 3.0, 1.0005};
        const PairwiseLoss loss = pairwiseRankingLoss(scores, times, 1e-3);
        QCOMPARE(loss.pairs, std::size_t{5}); // 0 and 3 take equally long
        const auto term = [&](std::size_t slow, std::size_t fast) { return std::log1p(std::exp(scores[fast] - scores[slow])); };
        COMPARE_CLOSE(loss.value, (term(1, 0) + term(2, 0) + term(2, 1) + term(1, 3) + term(2, 3)) / 5);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            std::vector<double> moved = scores;
            moved[i] += 1e-6;
            const double above = pairwiseRankingLoss(moved, times, 1e-3).value;
            moved[i] -= 2e-6;
            COMPARE_WITHIN(loss.gradient[i], (above - pairwiseRankingLoss(moved, times, 1e-3).value) / 2e-6, 1e-8);
        }
        QCOMPARE(pairwiseRankingLoss({1, 2}, {5, 5}, 0).pairs, std::size_t{0});
    }

    /// A two-layer LSTM and a dense layer learn by L2 the direction of a sequence; the same seed gives the same weights.
    void learns() {
        const std::size_t steps = 6, batch = 32;
        const auto train = [&](std::size_t rounds) {
            Rng rng(7);
            Parameters<float> parameters;
            const Lstm<float> lstm(parameters, "lstm", {1, 8, 2, false}, rng);
            const Dense<float> out(parameters, "out", lstm.lastWidth(), 1, rng);
            Adam<float> adam(parameters, {1e-2, 0, 1});
            double loss = 0;
            for (std::size_t round = 0; round < rounds; ++round) {
                Matrix<float> x(steps * batch, 1);
                std::vector<double> targets;
                for (std::size_t b = 0; b < batch; ++b) {
                    targets.push_back(b % 2 == 0 ? 1 : -1);
                    for (std::size_t t = 0; t < steps; ++t)
                        x(t * batch + b, 0) =
                            static_cast<float>(targets[b] * static_cast<double>(t) / 3 + rng.uniform(-0.3, 0.3));
                }
                Tape<float> tape(parameters, Tape<float>::Keep::Derivatives);
                const auto score = out.apply(tape, lstm.apply(tape, tape.constant(x), steps).last);
                const PairwiseLoss squared =
                    squaredLoss({tape.value(score).values.begin(), tape.value(score).values.end()}, targets);
                Matrix<float> seed(batch, 1);
                std::copy(squared.gradient.begin(), squared.gradient.end(), seed.values.begin());
                std::vector<Matrix<float>> gradients = parameters.zeros();
                tape.backward(score, seed, gradients);
                adam.step(parameters, gradients, steppedDecay(round, rounds));
                loss = squared.value;
            }
            return std::pair(loss, parameters[0].values);
        };
        const auto [first, untrained] = train(1);
        const auto [last, trained] = train(120);
        COMPARE_BELOW(last, first / 20);
        QVERIFY(trained == train(120).second);
        QVERIFY(trained != untrained);
    }

    void schedule() {
        QCOMPARE(steppedDecay(79, 200), 1.0);
        QCOMPARE(steppedDecay(80, 200), 0.3);
        QCOMPARE(steppedDecay(159, 200), 0.3);
        QCOMPARE(steppedDecay(160, 200), 0.09);
    }

    void savedWeights() {
        Rng rng(8);
        Parameters<float> parameters;
        const Dense<float> dense(parameters, "dense", 3, 2, rng);
        JsonWriter json;
        parameters.write(json);
        const std::string text = json.take();
        const Matrix<float> weights = parameters[0];
        parameters[0].values[2] = 5;
        QVERIFY(parameters.read(text).has_value());
        QVERIFY(parameters[0] == weights);
        VERIFY_VALUE(
            parameters.read(R"({"dense.weights": [1, 2, 3, 4, 5, 6], "dense.bias": [0, 0]})")); // else no row shows its fault
        QCOMPARE(parameters[0].values[5], 6.0F);
        VERIFY_VALUE(parameters.read(text));
        for (const char *wrong : {"", "[]", "{}", R"({"dense.weights": [1, 2], "dense.bias": [0, 0]})",
                                  R"({"dense.weights": [1, 2, 3, 4, 5, 1e99], "dense.bias": [0, 0]})",
                                  R"({"dense.weights": [1, 2, 3, 4, 5, "6"], "dense.bias": [0, 0]})"}) {
            QVERIFY2(!parameters.read(wrong).has_value(), wrong);
            QVERIFY(parameters[0] == weights);
        }
    }
};

QTEST_GUILESS_MAIN(TestLearn)
#include "tst_learn.moc"
