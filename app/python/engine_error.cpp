// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/engine_error.h"

namespace syncopate::python {

namespace {

/// The exception's class; lives as long as the interpreter.
PyObject *errorClass = nullptr;

void raise(const EngineError &raised) {
    namespace py = pybind11;
    const Error &error = raised.error();
    // The text may contain names from files, which need not be UTF-8.
    const auto text = [](const std::string &bytes) {
        return py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace"));
    };
    const py::object exception = py::reinterpret_borrow<py::object>(errorClass)(text(raised.what()));
    exception.attr("what") = text(error.what);
    exception.attr("file") = text(error.file);
    exception.attr("place") = text(error.place);
    exception.attr("remedy") = text(error.remedy);
    PyErr_SetObject(errorClass, exception.ptr());
}

} // namespace

void addError(pybind11::module_ &module) {
    errorClass = PyErr_NewExceptionWithDoc("syncopate.Error",
                                           "An error of the engine: what is wrong, in which file and place, and the remedy.",
                                           PyExc_ValueError, nullptr);
    module.attr("Error") = pybind11::reinterpret_borrow<pybind11::object>(errorClass);
    pybind11::register_exception_translator([](std::exception_ptr pointer) {
        try {
            if (pointer)
                std::rethrow_exception(pointer);
        } catch (const EngineError &error) {
            raise(error);
        }
    });
}

} // namespace syncopate::python
