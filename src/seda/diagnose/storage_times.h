// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace seda::diagnose {

/// A stretch of a file that is read at once.
struct Extent {
  std::filesystem::path file;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// Up to `most` stretches of `bytes` each, in places spread over the files by chance (the same each
/// time); with `bytes` 0, whole files.
std::vector<Extent> choose_extents(std::span<const std::filesystem::path> files, uint64_t bytes,
                                   size_t most);

/// How long reading from storage took.
struct StorageTimes {
  size_t reads = 0;
  size_t failed = 0;
  uint64_t bytes = 0;
  double seconds = 0;   ///< Of all, side by side.
  double resident = 0;  ///< Share of the bytes that could not be dropped from memory before.

  double batch_s() const;  ///< Of `kBandClips` reads.
  double bytes_per_second() const;
};

/// Drops the extents' files from the page cache and reads the extents, `threads` at a time. Stops
/// after `most_s`. Ctrl-C is an Error(interrupted).
StorageTimes time_storage(std::span<const Extent> extents, int threads, double most_s);

}  // namespace seda::diagnose
