// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/recover.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "seda/base/file.h"
#include "seda/cache/detail/file_names.h"
#include "seda/cache/detail/part_list.h"
#include "seda/cache/detail/write_error.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

uint64_t count_replaced(const PartList& older, const PartReader& part) {
  uint64_t count = 0;
  for (uint32_t index = 0; index < part.records(); ++index) {
    const auto entry = part.entry(index);
    PartList::Found found;
    if (entry && older.search(entry->key, found) == SearchResult::State::found) ++count;
  }
  return count;
}

/// Which keys are in older parts too, after some of those are gone.
void recount_replaced(TableEntry& table, const Snapshot::Parts& parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (table.parts[i].replaces == 0) continue;
    const auto end = parts.begin() + static_cast<ptrdiff_t>(i);
    table.parts[i].replaces = count_replaced(PartList({parts.begin(), end}), *parts[i]);
  }
}

void drop_part(Manifest& manifest, const Fault& fault, Recovery& recovery) {
  for (TableEntry& table : manifest.tables) {
    const auto part = std::ranges::find(table.parts, fault.id, &PartRecord::file);
    if (part == table.parts.end()) continue;
    recovery.dropped.push_back({part->file, fault.evidence, part->records});
    table.parts.erase(part);
  }
}

void drop_unusable(const fs::path& folder, Recovered& recovered) {
  Snapshot& snapshot = recovered.snapshot;
  if (snapshot.faults.empty()) return;
  for (const Fault& fault : snapshot.faults) {
    if (fault.code == "part_newer") throw_part_fault(folder, fault);
    drop_part(snapshot.manifest, fault, recovered.recovery);
  }
  snapshot.faults.clear();
  for (size_t i = 0; i < snapshot.tables.size(); ++i)
    recount_replaced(snapshot.manifest.tables[i], snapshot.tables[i]);
  ++snapshot.manifest.generation;
  write_manifest(folder, snapshot.manifest);
  sync_folder(folder);
}

void remove_leftovers(const fs::path& folder, Recovered& recovered) {
  for (const std::string& file : list_parts_and_temporaries(folder)) {
    if (recovered.snapshot.manifest.names(file)) continue;
    if (unlink((folder / file).c_str()) == 0) recovered.recovery.removed.push_back(file);
  }
}

}  // namespace

FileLock lock_folder(const fs::path& folder) {
  create_folders(folder);
  const fs::path path = folder / kLockFile;
  if (access(folder.c_str(), W_OK | X_OK) != 0) throw_write_error(path, errno);
  for (;;) {
    FileLock lock(path);
    if (lock.is_at(path)) return lock;
  }
}

Recovered recover(const fs::path& folder) {
  Recovered recovered;
  if (auto snapshot = open_snapshot(folder, {})) {
    recovered.snapshot = *std::move(snapshot);
  } else {
    write_manifest(folder, recovered.snapshot.manifest);
    sync_folder(folder);
  }
  drop_unusable(folder, recovered);
  remove_leftovers(folder, recovered);
  return recovered;
}

}  // namespace seda::cache::detail
