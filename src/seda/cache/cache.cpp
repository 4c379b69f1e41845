// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/cache.h"

#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/part_list.h"
#include "seda/cache/detail/snapshot.h"

namespace seda::cache {

struct Cache::Impl {
  std::filesystem::path folder;
  std::vector<std::unique_ptr<Table>> tables;
};

Cache::Cache(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cache::~Cache() = default;
Cache::Cache(Cache&&) noexcept = default;
Cache& Cache::operator=(Cache&&) noexcept = default;

std::optional<Cache> Cache::open(const std::filesystem::path& folder, const OpenOptions& options) {
  auto snapshot =
      detail::open_snapshot(folder, {.map = options.memory_mapping, .verify = options.verify});
  if (!snapshot) return std::nullopt;
  if (!snapshot->faults.empty()) detail::throw_part_fault(folder, snapshot->faults.front());
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  for (size_t i = 0; i < snapshot->tables.size(); ++i) {
    impl->tables.push_back(
        std::unique_ptr<Table>(new Table(std::move(snapshot->manifest.tables[i]),
                                         detail::PartList(std::move(snapshot->tables[i])))));
  }
  return Cache(std::move(impl));
}

const std::filesystem::path& Cache::folder() const {
  return impl_->folder;
}

std::vector<const Table*> Cache::tables() const {
  std::vector<const Table*> tables;
  tables.reserve(impl_->tables.size());
  for (const auto& table : impl_->tables)
    tables.push_back(table.get());
  return tables;
}

const Table* Cache::find_table(std::string_view name, const Hash128& fingerprint) const {
  for (const auto& table : impl_->tables) {
    if (table->name() == name && table->fingerprint() == fingerprint) return table.get();
  }
  return nullptr;
}

uint64_t Cache::bytes() const {
  uint64_t bytes = 0;
  for (const auto& table : impl_->tables)
    bytes += table->bytes();
  return bytes;
}

size_t Cache::part_count() const {
  size_t parts = 0;
  for (const auto& table : impl_->tables)
    parts += table->part_count();
  return parts;
}

}  // namespace seda::cache
