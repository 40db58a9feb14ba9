// SPDX-License-Identifier: GPL-3.0-or-later
// Maps the engine's Results to Python's exceptions, and runs long work without blocking Python's threads.
#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <exception>
#include <future>
#include <pybind11/pybind11.h>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace syncopate::python {

/// An Error on its way to Python, where it becomes a syncopate.Error.
class EngineError : public std::exception {
public:
    explicit EngineError(Error error) : m_error(std::move(error)), m_text(m_error.toString()) {}
    [[nodiscard]] const Error &error() const { return m_error; }
    [[nodiscard]] const char *what() const noexcept override { return m_text.c_str(); }

private:
    Error m_error;
    std::string m_text;
};

/// The value of `result`; throws its error.
template <class T> T valueOf(Result<T> result) {
    if (!result)
        throw EngineError(std::move(result).error());
    return syncopate::detail::valueOf(std::move(result));
}

/// Runs `work(stop)`, which returns a Result, on a separate thread and without the interpreter's lock, so that other Python
/// threads continue. Ctrl+C requests the stop and becomes a KeyboardInterrupt.
template <class Work> auto interruptible(Work work) {
    constexpr auto patience = std::chrono::milliseconds(50); // interval of checks for Ctrl+C
    std::stop_source stop;
    auto answer = std::async(std::launch::async, [&work, token = stop.get_token()] { return work(token); });
    for (;;) {
        std::future_status status{};
        {
            const pybind11::gil_scoped_release released;
            status = answer.wait_for(patience);
        }
        if (status == std::future_status::ready)
            return valueOf(answer.get());
        if (PyErr_CheckSignals() != 0) {
            stop.request_stop();
            const pybind11::gil_scoped_release released;
            answer.wait();
            break;
        }
    }
    throw pybind11::error_already_set();
}

/// Adds syncopate.Error, with the members what, file, place and remedy.
void addError(pybind11::module_ &module);

} // namespace syncopate::python
