// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/part_writer.h"

#include <algorithm>
#include <random>

#include "seda/cache/detail/file_names.h"

namespace seda::cache::detail {
namespace {

constexpr size_t kPendingBytes = size_t{1} << 20;

uint64_t new_part_id() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

}  // namespace

PartWriter::PartWriter(std::filesystem::path folder, std::string_view table,
                       const Hash128& fingerprint)
    : PartWriter(std::move(folder), table,
                 PartHeader{.fingerprint = fingerprint, .id = new_part_id()}) {}

PartWriter::PartWriter(std::filesystem::path folder, std::string_view table,
                       const PartHeader& header)
    : folder_(std::move(folder)),
      file_name_(part_file_name(table, header.fingerprint, header.id)),
      temporary_(folder_ / temporary_name(file_name_)),
      guard_(temporary_),
      file_(open_for_writing(temporary_)) {
  const Block block = encode(header);
  seed_ = checksum_of(block);
  put(block);
}

void PartWriter::put(std::span<const std::byte> bytes) {
  offset_ += bytes.size();
  if (bytes.size() >= kPendingBytes) {
    flush();
    write_or_explain(file_.get(), bytes, temporary_);
    return;
  }
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  if (pending_.size() >= kPendingBytes) flush();
}

void PartWriter::pad() {
  static constexpr Block kZeros{};
  put(std::span(kZeros).first(aligned(offset_) - offset_));
}

void PartWriter::flush() {
  write_or_explain(file_.get(), pending_, temporary_);
  pending_.clear();
}

void PartWriter::append(const Key& key, const RecordView& data, uint64_t checksum) {
  pad();
  const IndexEntry entry{.key = key,
                         .offset = offset_,
                         .size = data.bytes.size(),
                         .checksum = checksum,
                         .dims = data.dims,
                         .type = data.type};
  put(data.bytes);
  const auto [position, is_new] = positions_.emplace(key, static_cast<uint32_t>(entries_.size()));
  if (is_new) {
    entries_.push_back(entry);
  } else {
    entries_[position->second] = entry;
  }
}

bool PartWriter::is_full(uint64_t limit) const {
  return offset_ + entries_.size() * kBlockBytes >= limit || entries_.size() >= kMostRecords;
}

void PartWriter::write_index() {
  std::vector<const IndexEntry*> sorted;
  sorted.reserve(entries_.size());
  for (const IndexEntry& entry : entries_)
    sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const IndexEntry* entry) { return entry->key; });
  for (const IndexEntry* entry : sorted)
    put(encode(*entry, seed_));
}

PartRecord PartWriter::seal() {
  PartFooter footer{.records = entries_.size(), .records_end = offset_};
  pad();
  footer.index_offset = offset_;
  write_index();
  footer.file_bytes = offset_ + kBlockBytes;
  for (const IndexEntry& entry : entries_)
    footer.payload_bytes += entry.size;
  footer.header_checksum = seed_;
  put(encode(footer));
  flush();
  sync_or_explain(file_.get(), temporary_);
  file_.reset();
  rename_or_explain(temporary_, folder_ / file_name_);
  guard_.keep();
  return {.file = file_name_, .bytes = offset_, .records = entries_.size(), .replaces = 0};
}

}  // namespace seda::cache::detail
