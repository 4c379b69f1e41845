// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "seda/base/error.h"
#include "seda/python/bindings.h"
#include "seda/python/unlocked.h"

namespace seda::python {
namespace {

namespace nb = nanobind;

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::check_failed:
      return "check_failed";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::config:
      return "config";
    case ErrorKind::io:
      return "io";
    case ErrorKind::memory:
      return "memory";
    case ErrorKind::unavailable:
      return "unavailable";
    case ErrorKind::interrupted:
      return "interrupted";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

/// Raises the class that seda/errors.py has for the kind.
void raise(const Error& error) {
  const nb::object type =
      nb::module_::import_("seda.errors").attr("of_kind")(name_of(error.kind()));
  PyErr_SetObject(type.ptr(), nb::str(error.what()).ptr());
}

/// A thread that was stopped by the end of the interpreter has nobody left to tell.
void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  if (python_ends()) park();
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(error);
  }
}

}  // namespace

void bind_errors(nb::module_& /*module*/) {
  nb::register_exception_translator(&translate);
}

}  // namespace seda::python
