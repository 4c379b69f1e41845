// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "seda/base/result.h"
#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/part_reader.h"

namespace seda::cache::detail {

/// A manifest and its parts, opened together.
struct Snapshot {
  using Parts = std::vector<std::shared_ptr<const PartReader>>;

  Manifest manifest;
  std::vector<Parts> tables;  ///< As in the manifest; a part that is in `faults` is left out.
  std::vector<Fault> faults;  ///< By part.
};

/// Nothing where there is no cache. A writer may collect parts while they are being opened: what is
/// missing is a fault only if the manifest still names it.
std::optional<Snapshot> open_snapshot(const std::filesystem::path& folder,
                                      const ReadOptions& options);

/// The fault of a part as an Error(io) that says what to do.
[[noreturn]] void throw_part_fault(const std::filesystem::path& folder, const Fault& fault);

}  // namespace seda::cache::detail
