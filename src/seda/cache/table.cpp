// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/part_list.h"

namespace seda::cache {
namespace {

using detail::IndexEntry;
using detail::PartList;
using detail::PartReader;
using State = detail::SearchResult::State;

Fault missing(const Key& key, std::string evidence) {
  return {.id = key.hex(), .code = "cache_missing", .evidence = std::move(evidence)};
}

Fault damaged(const std::string& id, std::string evidence) {
  return {.id = id, .code = "cache_damaged", .evidence = std::move(evidence)};
}

Fault damaged_content(const PartReader& part, const IndexEntry& entry) {
  return damaged(entry.key.hex(),
                 fmt::format("{}: the {} bytes at {} do not have the checksum they were written "
                             "with",
                             part.file(), entry.size, entry.offset));
}

Fault unreadable(const PartReader& part, const IndexEntry& entry) {
  return damaged(entry.key.hex(), fmt::format("{}: the system cannot read {} bytes at {}",
                                              part.file(), entry.size, entry.offset));
}

Result<Record> read_record(const PartReader& part, uint32_t index, const IndexEntry& entry) {
  Record record;
  record.entry = to_entry(part, index, entry);
  if (part.is_mapped()) {
    record.bytes = part.view(entry);
  } else {
    record.owned.resize(entry.size);
    if (!part.read(entry, record.owned)) return unreadable(part, entry);
    record.bytes = record.owned;
  }
  if (!part.accepts(index, entry, record.bytes)) return damaged_content(part, entry);
  return record;
}

std::string text_of(Address address) {
  return fmt::format("{:016x}:{}", address.part, address.index);
}

Result<PartList::Found> find_at(const PartList& parts, Address address) {
  const PartReader* part = parts.find_part(address.part);
  if (part == nullptr || address.index >= part->records()) {
    return Fault{.id = text_of(address),
                 .code = "cache_missing",
                 .evidence = "no such place; the part was collected since the address was taken"};
  }
  const auto entry = part->entry(address.index);
  if (!entry) {
    return damaged(text_of(address),
                   fmt::format("{}: entry {} of its index does not have the checksum it was "
                               "written with",
                               part->file(), address.index));
  }
  return PartList::Found{.part = part, .index = address.index, .entry = *entry};
}

}  // namespace

Table::Table(detail::TableEntry entry, PartList parts)
    : entry_(std::make_unique<const detail::TableEntry>(std::move(entry))),
      parts_(std::make_unique<const PartList>(std::move(parts))) {}

Table::~Table() = default;

const std::string& Table::name() const {
  return entry_->name;
}

const Hash128& Table::fingerprint() const {
  return entry_->fingerprint;
}

const Json& Table::description() const {
  return entry_->description;
}

uint64_t Table::size() const {
  uint64_t keys = 0;
  for (const detail::PartRecord& part : entry_->parts)
    keys += part.records - part.replaces;
  return keys;
}

uint64_t Table::bytes() const {
  uint64_t bytes = 0;
  for (const detail::PartRecord& part : entry_->parts)
    bytes += part.bytes;
  return bytes;
}

size_t Table::part_count() const {
  return entry_->parts.size();
}

std::optional<Entry> Table::find(const Key& key) const {
  PartList::Found found;
  if (parts_->search(key, found) != State::found) return std::nullopt;
  return to_entry(*found.part, found.index, found.entry);
}

Result<Entry> Table::entry(Address address) const {
  const auto found = find_at(*parts_, address);
  if (!found) return found.fault();
  return to_entry(*found.value().part, address.index, found.value().entry);
}

Result<Record> Table::read(const Key& key) const {
  PartList::Found found;
  switch (parts_->search(key, found)) {
    case State::found:
      return read_record(*found.part, found.index, found.entry);
    case State::absent:
      return missing(key, fmt::format("table '{}' has no such record", name()));
    case State::damaged:
      break;
  }
  return damaged(key.hex(),
                 fmt::format("table '{}': the part of an index where it would be does not have the "
                             "checksum it was written with",
                             name()));
}

Result<Record> Table::read(Address address) const {
  const auto found = find_at(*parts_, address);
  if (!found) return found.fault();
  return read_record(*found.value().part, address.index, found.value().entry);
}

Result<Entry> Table::copy(Address address, std::span<std::byte> target) const {
  const auto found = find_at(*parts_, address);
  if (!found) return found.fault();
  const auto& [part, index, entry] = found.value();
  if (target.size() < entry.size) {
    throw_error(ErrorKind::internal, "record {} has {} bytes, but the target only {}",
                entry.key.hex(), entry.size, target.size());
  }
  if (!part->read(entry, target)) return unreadable(*part, entry);
  if (!part->accepts(index, entry, target.first(entry.size))) return damaged_content(*part, entry);
  return to_entry(*part, index, entry);
}

void Table::prefetch(Address address) const noexcept {
  const PartReader* part = parts_->find_part(address.part);
  if (part == nullptr) return;
  if (const auto entry = part->entry(address.index)) part->prefetch(*entry);
}

uint64_t Table::for_each(const std::function<void(const Entry&)>& visit) const {
  uint64_t damaged_entries = 0;
  const auto& parts = parts_->parts();
  const bool some_replaced = std::ranges::any_of(
      entry_->parts, [](const detail::PartRecord& part) { return part.replaces > 0; });
  for (size_t position = 0; position < parts.size(); ++position) {
    const PartReader& part = *parts[position];
    for (uint32_t index = 0; index < part.records(); ++index) {
      const auto entry = part.entry(index);
      if (!entry) {
        ++damaged_entries;
      } else if (!some_replaced || !parts_->is_replaced(position, entry->key)) {
        visit(to_entry(part, index, *entry));
      }
    }
  }
  return damaged_entries;
}

}  // namespace seda::cache
