// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/base/result.h"

namespace seda::feed {

/// Error(check_failed) that lists the first ten of `faults` where they are more than the share
/// `max_share` of all `clips`.
void require_few_faults(std::span<const Fault> faults, size_t clips, double max_share);

/// The same without the list, where the faults have been shown.
void require_few_faults(size_t faults, size_t clips, double max_share);

/// The bad clips that a loader met, each once, and whether they are too many.
///
/// Thread-safe.
class FaultLog {
 public:
  /// Of `clips` that can be fed, at most the share `max_share` may be bad.
  FaultLog(size_t clips, double max_share) : clips_(clips), max_share_(max_share) {}

  /// Counts the clip of that row. Above the share, an Error(check_failed) that lists the first ten.
  void add(uint32_t row, const Fault& fault);

  /// In the order of rows.
  std::vector<Fault> faults() const;

 private:
  std::vector<Fault> listed() const SEDA_REQUIRES(mutex_);

  size_t clips_;
  double max_share_;
  mutable Mutex mutex_;
  std::map<uint32_t, Fault> faults_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::feed
