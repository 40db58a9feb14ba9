// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Checks of numbers that print what they saw. QVERIFY(close(a, b)) fails with "returned FALSE" and leaves the reader to run it
// again under a debugger; these print got, want, their ratio and the tolerance, beside both expressions:
//
//     'iterationOf(s) close to 0.75 + 2 * n * 0.1' returned FALSE. (got 1.05, want 0.95, ratio 1.105263, tolerance 1e-09)
//
// The last argument of each may name the checked row, if a test loops over many in one function.

#include "engine/base/result.h"

#include <QByteArray>
#include <QString>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate::testing {

/// How long a test waits for something that must happen, in milliseconds: under load or with a sanitizer, a machine is slow but
/// not wrong. The wait ends when it happens, so only a failure takes this long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int patience = 1'000'000;
#else
constexpr int patience = 240'000;
#endif

/// The value of a Result; an error aborts the test program.
template <class T> T must(Result<T> result) {
    if (!result)
        qFatal("%s", result.error().toString().c_str());
    return std::move(*result);
}

/// A check's result, and the text that a failure prints: empty on success, so that a check in a loop over a million spans only
/// costs a comparison.
struct Checked {
    bool holds;
    std::string text;
};

/// Names the row or scenario being checked; a failure prints it first.
struct About {
    About() = default;
    About(const char *is) : text(is) {}
    About(const std::string &is) : text(is) {}
    About(const QString &is) : text(is.toStdString()) {}
    About(const QByteArray &is) : text(is.toStdString()) {}
    std::string text;
};

inline std::string numbers(double got, double want, const std::string &rule, const About &about) {
    return fmt::format("{}got {:.10g}, want {:.10g}, ratio {:.7g}{}", about.text.empty() ? "" : about.text + ": ", got, want,
                       got / want, rule);
}

/// |got - want| <= tolerance |want|.
inline Checked closeTo(double got, double want, double tolerance = 1e-9, const About &about = {}) {
    const bool holds = std::abs(got - want) <= tolerance * std::abs(want);
    return {holds, holds ? "" : numbers(got, want, fmt::format(", tolerance {:g}", tolerance), about)};
}

/// |got - want| <= tolerance, in the numbers' own unit.
inline Checked within(double got, double want, double tolerance, const About &about = {}) {
    const bool holds = std::abs(got - want) <= tolerance;
    return {holds,
            holds ? "" : numbers(got, want, fmt::format(", difference {:g}, tolerance {:g}", got - want, tolerance), about)};
}

// Long double holds every double and every 64-bit integer, so counts and seconds are compared alike.
inline Checked ordered(bool holds, long double got, long double limit, const About &about) {
    return {holds, holds ? "" : numbers(static_cast<double>(got), static_cast<double>(limit), "", about)};
}
inline Checked atMost(long double got, long double limit, const About &about = {}) {
    return ordered(got <= limit, got, limit, about);
}
inline Checked atLeast(long double got, long double limit, const About &about = {}) {
    return ordered(got >= limit, got, limit, about);
}
inline Checked below(long double got, long double limit, const About &about = {}) {
    return ordered(got < limit, got, limit, about);
}
inline Checked above(long double got, long double limit, const About &about = {}) {
    return ordered(got > limit, got, limit, about);
}

/// For a Result, whose error a failure prints, or for an optional.
template <class T> Checked hasValue(const T &result) {
    if (result.has_value())
        return {true, {}};
    if constexpr (requires { result.error().toString(); })
        return {false, result.error().toString()};
    return {false, "there is none"};
}

} // namespace syncopate::testing

#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT((expression), ::syncopate::testing::patience)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expression, text) QTRY_VERIFY2_WITH_TIMEOUT((expression), (text), ::syncopate::testing::patience)
#undef QTRY_COMPARE
#define QTRY_COMPARE(got, want) QTRY_COMPARE_WITH_TIMEOUT((got), (want), ::syncopate::testing::patience)

#define SYNCOPATE_CHECK(statement, ...)                                                                                          \
    do {                                                                                                                         \
        const ::syncopate::testing::Checked checked = ::syncopate::testing::__VA_ARGS__;                                         \
        if (!QTest::qVerify(checked.holds, statement, checked.text.c_str(), __FILE__, __LINE__))                                 \
            return;                                                                                                              \
    } while (false)

#define VERIFY_VALUE(...) SYNCOPATE_CHECK(#__VA_ARGS__ " has a value", hasValue(__VA_ARGS__))
/// COMPARE_CLOSE(got, want[, relative tolerance = 1e-9[, about]])
#define COMPARE_CLOSE(got, want, ...) SYNCOPATE_CHECK(#got " close to " #want, closeTo(got, want __VA_OPT__(, ) __VA_ARGS__))
/// COMPARE_WITHIN(got, want, absolute tolerance[, about])
#define COMPARE_WITHIN(got, want, ...) SYNCOPATE_CHECK(#got " within a tolerance of " #want, within(got, want, __VA_ARGS__))
/// COMPARE_AT_MOST(got, limit[, about]), and so on.
#define COMPARE_AT_MOST(got, ...) SYNCOPATE_CHECK(#got " <= " #__VA_ARGS__, atMost(got, __VA_ARGS__))
#define COMPARE_AT_LEAST(got, ...) SYNCOPATE_CHECK(#got " >= " #__VA_ARGS__, atLeast(got, __VA_ARGS__))
#define COMPARE_BELOW(got, ...) SYNCOPATE_CHECK(#got " < " #__VA_ARGS__, below(got, __VA_ARGS__))
#define COMPARE_ABOVE(got, ...) SYNCOPATE_CHECK(#got " > " #__VA_ARGS__, above(got, __VA_ARGS__))
