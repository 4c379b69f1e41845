// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "seda/feed/clip_source.h"
#include "seda/feed/inject.h"

namespace seda::feed {

/// The calling thread has a processor for so long.
void be_busy_ms(double ms);

/// Does to each clip what was planted: whom it meets depends on the clips' ids alone, and
/// of uneven_storage on how many were read before.
///
/// Thread-safe.
class PlantedFaults {
 public:
  /// Looks at the clips of `source`, which outlives it. The slow clip is one that can be used.
  PlantedFaults(const ClipSource& source, const Inject& inject);

  /// What reading the clip's bytes meets: the calling thread sleeps, or the clip is bad (code
  /// `injected`).
  std::optional<Fault> fetch(uint32_t row) const;

  /// What decoding meets: the calling thread is busy.
  void decode() const;
  /// What reading a line meets: the same.
  void read_line() const;

 private:
  bool is_bad(uint32_t row) const;

  const ClipSource& source_;
  Inject inject_;
  std::optional<uint32_t> slow_row_;
  mutable std::atomic<uint64_t> reads_{0};
};

}  // namespace seda::feed
