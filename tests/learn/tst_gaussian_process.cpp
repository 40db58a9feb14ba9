// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/learn/gaussian_process.h"

#include <QtTest>
#include <numbers>

using namespace syncopate;

namespace {

/// Points in [0, 3]^2 with smooth values.
std::pair<Eigen::MatrixXd, Eigen::VectorXd> sample(Eigen::Index count) {
    Rng rng(5);
    Eigen::MatrixXd points(count, 2);
    Eigen::VectorXd values(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        points(i, 0) = rng.uniform(0, 3);
        points(i, 1) = rng.uniform(0, 3);
        values[i] = std::sin(points(i, 0)) + 0.3 * points(i, 1);
    }
    return {points, values};
}

} // namespace

class TestGaussianProcess : public QObject {
    Q_OBJECT

private slots:
    void kernelsAreTheirFormulas() {
        GaussianKernel kernel{GaussianKernel::Shape::Matern52, Eigen::Vector2d(2, 0.5), 3};
        const Eigen::Vector2d a(1, 1), b(2, 1.5);
        const double r = std::sqrt(0.25 + 1);
        COMPARE_CLOSE(kernel(a, b), 3 * (1 + std::sqrt(5.0) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5.0) * r));
        kernel.shape = GaussianKernel::Shape::Rbf;
        COMPARE_CLOSE(kernel(a, b), 3 * std::exp(-r * r / 2));
        COMPARE_CLOSE(kernel(a, a), 3.0);
    }

    /// One value y at x: mean k y / (s + n), variance s - k^2 / (s + n).
    void onePointIsTheClosedForm() {
        const GaussianKernel kernel{GaussianKernel::Shape::Rbf, Eigen::VectorXd::Constant(1, 1), 2};
        const auto process =
            GaussianProcess::fit(kernel, 0.5, Eigen::MatrixXd::Constant(1, 1, 0), Eigen::VectorXd::Constant(1, 3));
        QVERIFY(process);
        const auto at = process->predict(Eigen::VectorXd::Constant(1, 1));
        const double k = 2 * std::exp(-0.5);
        COMPARE_CLOSE(at.mean, k * 3 / 2.5);
        COMPARE_CLOSE(at.variance, 2 - k * k / 2.5);
        COMPARE_CLOSE(process->logMarginalLikelihood(), -0.5 * (9 / 2.5 + std::log(2.5) + std::log(2 * std::numbers::pi)));
    }

    void posteriorIsThatOfTheInverse_data() {
        QTest::addColumn<int>("shape");
        QTest::newRow("Matern 5/2") << static_cast<int>(GaussianKernel::Shape::Matern52);
        QTest::newRow("RBF") << static_cast<int>(GaussianKernel::Shape::Rbf);
    }
    void posteriorIsThatOfTheInverse() {
        QFETCH(int, shape);
        const auto [points, values] = sample(12);
        const GaussianKernel kernel{static_cast<GaussianKernel::Shape>(shape), Eigen::Vector2d(0.8, 1.4), 1.7};
        const auto process = GaussianProcess::fit(kernel, 0.01, points, values);
        QVERIFY(process);
        Eigen::MatrixXd covariance(12, 12);
        for (Eigen::Index i = 0; i < 12; ++i)
            for (Eigen::Index j = 0; j < 12; ++j)
                covariance(i, j) = kernel(points.row(i).transpose(), points.row(j).transpose()) + (i == j ? 0.01 : 0);
        const Eigen::MatrixXd inverse = covariance.fullPivLu().inverse();
        const Eigen::Vector2d x(1.1, 2.2);
        Eigen::VectorXd with(12);
        for (Eigen::Index i = 0; i < 12; ++i)
            with[i] = kernel(points.row(i).transpose(), x);
        const auto at = process->predict(x);
        COMPARE_CLOSE(at.mean, with.dot(inverse * values), 1e-8);
        COMPARE_CLOSE(at.variance, 1.7 - with.dot(inverse * with), 1e-6);
        COMPARE_CLOSE(
            process->logMarginalLikelihood(),
            -0.5 * (values.dot(inverse * values) + std::log(covariance.determinant()) + 12 * std::log(2 * std::numbers::pi)),
            1e-8);
    }

    void aFitBeatsEveryStartAndPredicts() {
        const auto [points, values] = sample(25);
        const auto fitted = fitGaussianProcess(points, values, {.noiseVariance = 1e-4});
        QVERIFY(fitted);
        for (const double scale : {0.1, 1.0, 10.0}) {
            const GaussianKernel kernel{GaussianKernel::Shape::Matern52, Eigen::VectorXd::Constant(2, scale), 1};
            const auto other = GaussianProcess::fit(kernel, 1e-4, points, values);
            COMPARE_AT_LEAST(fitted->logMarginalLikelihood(), other->logMarginalLikelihood());
        }
        COMPARE_WITHIN(fitted->predict(Eigen::Vector2d(1.5, 1.5)).mean, std::sin(1.5) + 0.45, 0.05);
    }

    /// E[max(0, f - best - xi)], by numerical integration over f.
    void expectedImprovementIsItsIntegral() {
        const GaussianPrediction prediction{0.3, 0.49};
        double sum = 0;
        const double width = 1e-4;
        for (double f = -6; f < 7; f += width) {
            const double z = (f - 0.3) / 0.7;
            sum += std::max(0.0, f - 0.5 - 0.1) * std::exp(-z * z / 2) / (0.7 * std::sqrt(2 * std::numbers::pi)) * width;
        }
        COMPARE_CLOSE(expectedImprovement(prediction, 0.5, 0.1), sum, 1e-5);
        COMPARE_CLOSE(expectedImprovement({2, 0}, 0.5, 0.1), 1.4);
        QCOMPARE(expectedImprovement({0.5, 0}, 0.5, 0.1), 0.0);
    }

    void whatCannotBeFittedIsAnError() {
        const GaussianKernel kernel{GaussianKernel::Shape::Rbf, Eigen::VectorXd::Constant(1, 1), 1};
        QVERIFY(!GaussianProcess::fit(kernel, 0.1, Eigen::MatrixXd::Zero(2, 1), Eigen::VectorXd::Zero(3)));
        QVERIFY(!GaussianProcess::fit(kernel, 0.1, Eigen::MatrixXd::Zero(2, 2), Eigen::VectorXd::Zero(2)));
        QVERIFY(!GaussianProcess::fit(kernel, 0.1, Eigen::MatrixXd::Constant(1, 1, std::nan("")), Eigen::VectorXd::Zero(1)));
        QVERIFY(!GaussianProcess::fit(kernel, 0, Eigen::MatrixXd::Zero(2, 1), Eigen::VectorXd::Zero(2)));
        QVERIFY(!GaussianProcess::fit(kernel, 0.1, Eigen::MatrixXd(0, 1), Eigen::VectorXd(0)));
    }
};

QTEST_APPLESS_MAIN(TestGaussianProcess)
#include "tst_gaussian_process.moc"
