// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "seda/base/error.h"

namespace seda::device {

/// Refuses `asked` in a build without CUDA: an Error(unavailable) that says what to do instead.
[[noreturn]] inline void throw_no_cuda(std::string_view asked) {
  throw_error(ErrorKind::unavailable,
              "{}: this build has no CUDA; build with a CUDA toolkit, or use the CPU", asked);
}

}  // namespace seda::device
