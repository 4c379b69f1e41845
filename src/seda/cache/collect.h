// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/base/result.h"
#include "seda/cache/record.h"
#include "seda/cache/writer.h"

namespace seda::cache {

/// What `collect` keeps. An empty function keeps everything.
struct Keep {
  std::function<bool(const std::string& name, const Hash128& fingerprint, const Json& description)>
      table = nullptr;
  std::function<bool(const std::string& name, const Hash128& fingerprint, const Key& key)> record =
      nullptr;
};

struct CollectOptions {
  bool check_content = false;  ///< Also drop every record whose content is damaged.
  uint64_t small_part_bytes = uint64_t{64} << 20;  ///< Two parts below this are joined.
  std::function<void(uint64_t records)> progress =
      nullptr;  ///< Told of records looked at. Same thread.
};

struct CollectReport {
  uint64_t tables_dropped = 0;
  uint64_t records_dropped = 0;  ///< Not kept, and those that newer ones had replaced.
  uint64_t bytes_freed = 0;      ///< On disk.
  uint64_t parts_before = 0;
  uint64_t parts_after = 0;
  std::vector<Fault> damaged;  ///< Records that were dropped because they are damaged.
};

/// Drops tables and records that are no longer wanted, and joins small parts.
///
/// One step for readers and for crashes: the new parts are on disk before the manifest names them,
/// the old are removed after. Readers that have old parts open keep them. What is copied is
/// checked: damage is dropped and reported, never copied. Seals first. A full disk is an Error(io)
/// that leaves all as it was.
CollectReport collect(Writer& writer, const Keep& keep, const CollectOptions& options = {});

}  // namespace seda::cache
