// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace seda {

struct ParallelOptions {
  int threads = 0;   ///< 0: `usable_cores()`. One thread, or one piece of work: the caller's.
  size_t grain = 1;  ///< Items handed out at a time.
  std::string_view name = "worker";  ///< Threads are called `<name>-0`, `<name>-1`, …
};

/// `body(begin, end)` for pieces that cover [0, count) once each, handed out in order to whichever
/// thread is free.
///
/// Returns when all is done. The first exception, or `interrupted()` (Error(interrupted)), stops
/// handing out; pieces that have begun are finished, then it is thrown here.
void parallel_for(size_t count, const ParallelOptions& options,
                  const std::function<void(size_t begin, size_t end)>& body);

}  // namespace seda
