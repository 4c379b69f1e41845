// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/writer.h"

#include <nlohmann/json.hpp>

#include "seda/cache/detail/file_names.h"
#include "seda/cache/detail/store.h"

namespace seda::cache {

using detail::PartList;
using detail::Transaction;

const Hash128& TableWriter::fingerprint() const {
  return table_->fingerprint();
}

void TableWriter::append(const Key& key, const RecordView& data) {
  store_->append(*table_, key, data);
}

bool TableWriter::contains(const Key& key) const {
  return table_->is_waiting(key) || find(key).has_value();
}

std::optional<Entry> TableWriter::find(const Key& key) const {
  const auto parts = table_->parts();
  PartList::Found found;
  if (parts->search(key, found) != detail::SearchResult::State::found) return std::nullopt;
  return to_entry(*found.part, found.index, found.entry);
}

Writer::Writer(const std::filesystem::path& folder, const WriterOptions& options)
    : store_(std::make_unique<detail::Store>(folder, options)) {}

Writer::~Writer() = default;

const std::filesystem::path& Writer::folder() const {
  return store_->folder();
}

const Recovery& Writer::recovery() const {
  return store_->recovery();
}

TableWriter Writer::table(std::string_view name, const Json& description) {
  return {store_.get(), &store_->table(name, description)};
}

void Writer::seal() {
  store_->seal();
}

void Writer::replace(std::string_view name, const Json& description,
                     std::span<const NewRecord> records) {
  const detail::TableStore& table = store_->table(name, description);
  store_->seal();
  store_->update([&](Transaction& transaction) {
    detail::TableEntry& entry = transaction.table(name, description);
    entry.parts.clear();
    if (records.empty()) return;
    detail::PartWriter part(folder(), name, table.fingerprint());
    for (const NewRecord& record : records)
      part.append(record.key, record.data, hash64(record.data.bytes));
    transaction.add_part(entry, part, nullptr);
  });
}

std::optional<LockHolder> writer_of(const std::filesystem::path& folder) {
  return FileLock::holder(folder / detail::kLockFile);
}

}  // namespace seda::cache
