// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "seda/base/file_lock.h"
#include "seda/base/mutex.h"
#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/table_store.h"
#include "seda/cache/detail/transaction.h"
#include "seda/cache/writer.h"

namespace seda::cache::detail {

/// A cache folder under its lock: its tables, its manifest, and the one way to change it.
/// Thread-safe.
class Store {
 public:
  using Change = std::function<void(Transaction&)>;

  Store(std::filesystem::path folder, const WriterOptions& options);

  const std::filesystem::path& folder() const { return folder_; }
  const WriterOptions& options() const { return options_; }
  const Recovery& recovery() const { return recovery_; }

  TableStore& table(std::string_view name, const Json& description) SEDA_EXCLUDES(tables_mutex_);

  /// Seals when the part is full or has waited long enough.
  void append(TableStore& table, const Key& key, const RecordView& data);

  /// Names in the manifest all that was appended.
  void seal() SEDA_EXCLUDES(commit_mutex_);

  /// Lets `change` alter the manifest, commits, and only then removes the parts that are no longer
  /// named. All or nothing, whatever throws and whenever the process dies. What waits to be sealed
  /// goes on waiting, so the manifest names what the tables' `parts` are.
  void update(const Change& change) SEDA_EXCLUDES(commit_mutex_);

 private:
  void seal_full(const TableStore& table) SEDA_EXCLUDES(commit_mutex_);
  void seal_if_due() SEDA_EXCLUDES(commit_mutex_);
  void seal_locked() SEDA_REQUIRES(commit_mutex_);
  void add_waiting(Transaction& transaction) SEDA_EXCLUDES(tables_mutex_);
  void commit(Transaction& transaction) SEDA_REQUIRES(commit_mutex_);
  void adopt(Manifest next) SEDA_REQUIRES(commit_mutex_);
  std::vector<TableStore*> tables() SEDA_EXCLUDES(tables_mutex_);

  const std::filesystem::path folder_;
  const WriterOptions options_;
  FileLock lock_;
  Recovery recovery_;
  std::atomic<int64_t> waiting_since_ns_{0};  // the oldest record that is not sealed; 0: none
  std::atomic<bool> sealing_{false};          // one thread does it because it is due
  Mutex commit_mutex_;
  Manifest manifest_ SEDA_GUARDED_BY(commit_mutex_);
  Mutex tables_mutex_;
  std::deque<TableStore> tables_ SEDA_GUARDED_BY(tables_mutex_);
};

}  // namespace seda::cache::detail
