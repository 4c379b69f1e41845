// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "seda/base/file_lock.h"
#include "seda/cache/detail/snapshot.h"
#include "seda/cache/writer.h"

namespace seda::cache::detail {

/// Makes the folder where it is missing and takes its lock.
FileLock lock_folder(const std::filesystem::path& folder);

/// What a writer begins with: a manifest that is on disk, and every part it names.
struct Recovered {
  Snapshot snapshot;
  Recovery recovery;
};

/// Puts right what a writer that was killed, or a bad disk, has left. Under the lock.
///
/// Files of the cache that no manifest names are removed: they were never sealed, or were dropped
/// by one that was. Parts that cannot be used are no longer named: their records are made again. A
/// part of a newer format is an Error(io).
Recovered recover(const std::filesystem::path& folder);

}  // namespace seda::cache::detail
