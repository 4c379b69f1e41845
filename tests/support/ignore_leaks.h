// SPDX-License-Identifier: Apache-2.0
#pragma once

// The leak sanitizer's own interface; null in other builds.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void __lsan_disable() __attribute__((weak));
void __lsan_enable() __attribute__((weak));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace seda::testing_support {

/// What this thread allocates while it lives is not looked for at the end: for libraries that are
/// not ours and leak. espeak-ng loses about 3 kB with each copy.
class IgnoreLeaks {
 public:
  IgnoreLeaks() {
    if (__lsan_disable != nullptr) __lsan_disable();
  }
  ~IgnoreLeaks() {
    if (__lsan_enable != nullptr) __lsan_enable();
  }
  IgnoreLeaks(const IgnoreLeaks&) = delete;
  IgnoreLeaks& operator=(const IgnoreLeaks&) = delete;
};

}  // namespace seda::testing_support
