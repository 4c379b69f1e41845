// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace seda {

/// Opens `lib/<file>` beside the program, for good, and calls its function `entry(number)`, which
/// answers with its interface or, being of another seda, with null. Missing or answering null is an
/// Error(unavailable) that says what to do.
const void* open_own_library(const std::string& file, const char* entry, int number);

}  // namespace seda
