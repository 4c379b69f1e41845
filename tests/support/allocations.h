// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace seda::testing_support {

/// What this thread has asked operator new for so far, freed or not.
struct Allocations {
  size_t count = 0;
  size_t bytes = 0;
};

/// Counts in executables that link allocations.cpp, which replaces operator new. C libraries call
/// malloc and are not seen.
Allocations allocations() noexcept;

/// False where a sanitizer's operator new is used instead; tests that count then skip.
bool allocations_are_counted();

}  // namespace seda::testing_support
