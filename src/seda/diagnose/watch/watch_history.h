// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "seda/diagnose/watch/watch_sample.h"

namespace seda::diagnose {

/// Samples of a watch of any length, in bounded memory: the last ones as they came, and all of the
/// time in samples that stand for more and more neighbours. For one thread.
class WatchHistory {
 public:
  static constexpr size_t kMostRecent = 3000;
  static constexpr size_t kMostAll = 4000;

  /// Gives the sample its number.
  void add(WatchSample sample);

  uint64_t count() const noexcept { return count_; }  ///< Ever added.
  /// Evenly thinned, oldest first; the newest may stand for fewer neighbours than the others.
  std::vector<WatchSample> all() const;
  const std::deque<WatchSample>& recent() const noexcept { return recent_; }
  /// The largest that each field was.
  const WatchSample& peak() const noexcept { return peak_; }

 private:
  void thin_out();

  std::vector<WatchSample> all_;  // each of `group_` neighbours, the last of up to that many
  std::deque<WatchSample> recent_;
  WatchSample peak_;
  uint64_t count_ = 0;
  uint32_t group_ = 1;
};

}  // namespace seda::diagnose
