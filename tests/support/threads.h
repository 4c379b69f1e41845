// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace seda::testing_support {

/// `work(index)` on `count` threads at once; joined when the result goes.
template <typename Work>
[[nodiscard]] std::vector<std::jthread> start_threads(size_t count, Work work) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (size_t index = 0; index < count; ++index)
    threads.emplace_back([work, index] { work(index); });
  return threads;
}

/// The same, to their end.
template <typename Work>
void run_threads(size_t count, Work work) {
  start_threads(count, work).clear();
}

}  // namespace seda::testing_support
