// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/store.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/cache/description.h"
#include "seda/cache/detail/file_names.h"
#include "seda/cache/detail/recover.h"
#include "seda/cache/detail/snapshot.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

/// The parts that `table` names: those in `known` as they are, the others opened.
std::shared_ptr<const PartList> open_parts(const fs::path& folder, const TableEntry& table,
                                           const PartList& known) {
  std::map<std::string, PartList::Part, std::less<>> by_file;
  for (const PartList::Part& part : known.parts())
    by_file.emplace(part->file(), part);
  std::vector<PartList::Part> parts;
  for (const PartRecord& record : table.parts) {
    PartList::Part& part = by_file[record.file];
    if (!part) {
      auto opened = PartReader::open(folder, table, record, {});
      if (!opened) throw_part_fault(folder, opened.fault());
      part = std::move(opened).value();
    }
    parts.push_back(part);
  }
  return std::make_shared<const PartList>(std::move(parts));
}

std::vector<std::string> files_dropped(const Manifest& before, const Manifest& after) {
  std::vector<std::string> files;
  for (const TableEntry& table : before.tables) {
    for (const PartRecord& part : table.parts) {
      if (!after.names(part.file)) files.push_back(part.file);
    }
  }
  return files;
}

}  // namespace

Store::Store(fs::path folder, const WriterOptions& options)
    : folder_(std::move(folder)), options_(options), lock_(lock_folder(folder_)) {
  Recovered recovered = recover(folder_);
  recovery_ = std::move(recovered.recovery);
  const MutexLock lock(commit_mutex_);
  manifest_ = std::move(recovered.snapshot.manifest);
  for (size_t i = 0; i < manifest_.tables.size(); ++i) {
    const TableEntry& entry = manifest_.tables[i];
    table(entry.name, entry.description)
        .publish(std::make_shared<const PartList>(std::move(recovered.snapshot.tables[i])));
  }
}

TableStore& Store::table(std::string_view name, const Json& description) {
  if (!is_table_name(name)) {
    throw_error(ErrorKind::internal,
                "'{}' is no name for a table: expected at most 32 of a-z, 0-9 and _", name);
  }
  const Hash128 fingerprint = fingerprint_of(description);
  const MutexLock lock(tables_mutex_);
  for (TableStore& table : tables_) {
    if (table.name() == name && table.fingerprint() == fingerprint) return table;
  }
  return tables_.emplace_back(folder_, std::string(name), description);
}

std::vector<TableStore*> Store::tables() {
  const MutexLock lock(tables_mutex_);
  std::vector<TableStore*> tables;
  tables.reserve(tables_.size());
  for (TableStore& table : tables_)
    tables.push_back(&table);
  return tables;
}

void Store::append(TableStore& table, const Key& key, const RecordView& data) {
  if (!shape_fits(data.bytes.size(), data.dims, data.type)) {
    throw_error(ErrorKind::internal, "record {} of table '{}': {} bytes are not {} of [{}]",
                key.hex(), table.name(), data.bytes.size(), name_of(data.type),
                fmt::join(data.dims.span(), ", "));
  }
  const bool full = table.append(key, data, options_.part_bytes);
  int64_t none = 0;
  waiting_since_ns_.compare_exchange_strong(none, now_ns());
  if (full) {
    seal_full(table);
  } else {
    seal_if_due();
  }
}

void Store::seal_full(const TableStore& table) {
  const MutexLock lock(commit_mutex_);
  // Another thread may have sealed it while this one waited.
  if (table.is_full(options_.part_bytes)) seal_locked();
}

void Store::seal_if_due() {
  const int64_t since = waiting_since_ns_.load();
  if (since == 0 || static_cast<double>(now_ns() - since) * 1e-9 < options_.seal_seconds) return;
  if (sealing_.exchange(true)) return;
  try {
    seal();
  } catch (...) {
    sealing_ = false;
    throw;
  }
  sealing_ = false;
}

void Store::seal() {
  const MutexLock lock(commit_mutex_);
  seal_locked();
}

void Store::seal_locked() {
  waiting_since_ns_ = 0;
  Transaction transaction(folder_, manifest_);
  try {
    add_waiting(transaction);
    commit(transaction);
  } catch (...) {
    for (TableStore* table : tables())
      table->forget_taken();
    throw;
  }
}

void Store::add_waiting(Transaction& transaction) {
  for (TableStore* table : tables()) {
    const auto part = table->take_pending();
    if (!part) continue;
    TableEntry& entry = transaction.table(table->name(), table->description());
    transaction.add_part(entry, *part, table->parts().get());
  }
}

void Store::update(const Change& change) {
  const MutexLock lock(commit_mutex_);
  Transaction transaction(folder_, manifest_);
  change(transaction);
  commit(transaction);
}

void Store::commit(Transaction& transaction) {
  if (transaction.next().tables == manifest_.tables) return;
  transaction.commit();
  adopt(transaction.next());
}

void Store::adopt(Manifest next) {
  const auto dropped = files_dropped(manifest_, next);
  manifest_ = std::move(next);
  for (TableStore* table : tables()) {
    const TableEntry* entry = manifest_.find(table->name(), table->fingerprint());
    table->publish(entry != nullptr ? open_parts(folder_, *entry, *table->parts())
                                    : std::make_shared<const PartList>());
  }
  sync_folder(folder_);  // before what the old manifest names is removed
  for (const std::string& file : dropped)
    unlink((folder_ / file).c_str());
}

}  // namespace seda::cache::detail
