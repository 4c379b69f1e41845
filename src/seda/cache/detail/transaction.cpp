// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/transaction.h"

#include <algorithm>

#include <unistd.h>

#include "seda/base/file.h"
#include "seda/cache/description.h"

namespace seda::cache::detail {
namespace {

uint64_t count_replaced(const PartWriter& part, const PartList& older) {
  if (older.parts().empty()) return 0;
  const auto is_there = [&](const IndexEntry& entry) {
    PartList::Found found;
    return older.search(entry.key, found) == SearchResult::State::found;
  };
  return static_cast<uint64_t>(std::ranges::count_if(part.entries(), is_there));
}

}  // namespace

Transaction::Transaction(std::filesystem::path folder, Manifest now)
    : folder_(std::move(folder)), next_(std::move(now)) {
  ++next_.generation;
}

Transaction::~Transaction() {
  for (const std::string& file : added_)
    unlink((folder_ / file).c_str());
}

TableEntry& Transaction::table(std::string_view name, const Json& description) {
  const Hash128 fingerprint = fingerprint_of(description);
  if (TableEntry* found = next_.find(name, fingerprint)) return *found;
  return next_.tables.emplace_back(TableEntry{.name = std::string(name),
                                              .fingerprint = fingerprint,
                                              .description = description,
                                              .parts = {}});
}

void Transaction::add_part(TableEntry& table, PartWriter& part, const PartList* older) {
  PartRecord record = part.seal();
  added_.push_back(record.file);
  if (older != nullptr) record.replaces = count_replaced(part, *older);
  table.parts.push_back(std::move(record));
}

void Transaction::commit() {
  if (!added_.empty()) sync_folder(folder_);
  write_manifest(folder_, next_);
  added_.clear();
}

}  // namespace seda::cache::detail
