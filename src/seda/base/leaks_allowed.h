// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define SEDA_LEAK_CHECK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SEDA_LEAK_CHECK 1
#endif
#endif

#ifdef SEDA_LEAK_CHECK
#include <sanitizer/lsan_interface.h>
#endif

namespace seda {

/// What the calling thread allocates in its life is not reported by the leak sanitizer: for
/// libraries that never free what they hold. Nothing in a build without that.
class LeaksAllowed {
 public:
#ifdef SEDA_LEAK_CHECK
  LeaksAllowed() { __lsan_disable(); }
  ~LeaksAllowed() { __lsan_enable(); }
#else
  LeaksAllowed() {}   // NOLINT(modernize-use-equals-default): a variable of it is used
  ~LeaksAllowed() {}  // NOLINT(modernize-use-equals-default)
#endif
  LeaksAllowed(const LeaksAllowed&) = delete;
  LeaksAllowed& operator=(const LeaksAllowed&) = delete;
};

}  // namespace seda
