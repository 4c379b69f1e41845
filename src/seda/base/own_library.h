// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/shared_library.h"

namespace seda {

/// Opens `lib/<file>` beside the program; missing is an Error(unavailable).
SharedLibrary load_own_library(const std::string& file);

/// Throws the Error(unavailable) for a library that is not of this seda.
[[noreturn]] void throw_foreign_library(const std::string& file, int number);

/// Opens `lib/<file>` beside the program, for good, and calls its function `entry(number)`, which
/// answers with its interface or, being of another seda, with null. Missing or answering null is an
/// Error(unavailable) that says what to do.
template <typename Interface>
const Interface& open_own_library(const std::string& file, const char* entry, int number) {
  SharedLibrary library = load_own_library(file);
  library.keep();
  const auto function = library.function<const Interface*(int)>(entry);
  const Interface* face = function == nullptr ? nullptr : function(number);
  if (face == nullptr) throw_foreign_library(file, number);
  return *face;
}

}  // namespace seda
