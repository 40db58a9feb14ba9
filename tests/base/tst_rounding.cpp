// SPDX-License-Identifier: GPL-3.0-or-later
// Values of any size become whole numbers whose sums do not overflow.
#include "engine/base/rounding.h"
#include "tests/checks.h"

#include <QtTest>
#include <limits>

using namespace syncopate;

class TestRounding : public QObject {
    Q_OBJECT

private slots:
    void nearest() {
        QCOMPARE(roundToInteger(0.5), std::int64_t{1});
        QCOMPARE(roundToInteger(-2.5), std::int64_t{-3});
        QCOMPARE(roundToInteger(1e15 + 0.25), std::int64_t{1'000'000'000'000'000});
        QCOMPARE(toNanoseconds(1.5), std::int64_t{1'500'000'000});
    }

    void bounds() {
        constexpr std::int64_t bound = std::int64_t{1} << 61;
        for (const double huge : {1e19, 1e300, std::numeric_limits<double>::infinity()}) {
            QCOMPARE(roundToInteger(huge), bound);
            QCOMPARE(roundToInteger(-huge), -bound);
            QCOMPARE(toNanoseconds(huge), bound);
        }
        QCOMPARE(roundToInteger(std::numeric_limits<double>::quiet_NaN()), std::int64_t{0});
        COMPARE_ABOVE(bound + bound, bound); // the sum of two does not overflow
    }
};

QTEST_APPLESS_MAIN(TestRounding)
#include "tst_rounding.moc"
