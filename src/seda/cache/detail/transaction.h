// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/part_list.h"
#include "seda/cache/detail/part_writer.h"

namespace seda::cache::detail {

/// The manifest as it will be, and the parts written for it: gone with the transaction unless it is
/// committed.
class Transaction {
 public:
  Transaction(std::filesystem::path folder, Manifest now);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  Manifest& next() { return next_; }
  const std::filesystem::path& folder() const { return folder_; }

  /// The table in `next`, added where it is not there.
  TableEntry& table(std::string_view name, const Json& description);

  /// Seals the part and names it as the newest of `table`. `older` are the table's parts before it.
  void add_part(TableEntry& table, PartWriter& part, const PartList* older);

  /// Brings the parts' names to disk, then puts the manifest in place (`write_manifest`).
  void commit();

 private:
  std::filesystem::path folder_;
  Manifest next_;
  std::vector<std::string> added_;
};

}  // namespace seda::cache::detail
