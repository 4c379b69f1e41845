// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/part_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/cache/detail/file_names.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

using Opened = Result<std::unique_ptr<PartReader>>;

constexpr int kInterpolations = 8;     // then halving: keys may be spread unevenly
constexpr uint32_t kMostSkipped = 64;  // damaged neighbours a search steps over

/// The range [low, high) of the index in which a key must lie, and the keys around it.
struct Range {
  uint32_t low = 0;
  uint32_t high = 0;
  uint64_t below = 0;
  uint64_t above = ~uint64_t{0};

  bool empty() const { return low >= high; }
  uint32_t middle() const { return low + (high - low) / 2; }

  /// Where the key would be if keys were spread evenly, as hashes are.
  uint32_t guess(uint64_t key) const {
    if (key <= below || above <= below) return low;
    if (key >= above) return high - 1;
    const double share = static_cast<double>(key - below) / static_cast<double>(above - below);
    const auto steps = static_cast<uint32_t>(share * (high - low));
    return low + std::min(steps, high - low - 1);
  }

  void keep_above(uint32_t index, uint64_t key) {
    low = index + 1;
    below = key;
  }
  void keep_below(uint32_t index, uint64_t key) {
    high = index;
    above = key;
  }
};

}  // namespace

bool content_matches(const IndexEntry& entry, std::span<const std::byte> bytes) {
  return bytes.size() == entry.size && hash64(bytes) == entry.checksum;
}

PartReader::PartReader(std::string file, PartSource source, const ReadOptions& options)
    : file_(std::move(file)), source_(std::move(source)), options_(options) {}

Fault PartReader::fault(const char* code, std::string evidence) const {
  return {.id = file_, .code = code, .evidence = std::move(evidence)};
}

/// Reads rather than touching the mapping: a page that is touched brings its neighbours along.
std::optional<Fault> PartReader::examine(const PartSource& file) {
  const auto first = file.block(0);
  if (!first || file.size() != source_.size())
    return fault("part_cut", fmt::format("{} bytes are not a part", file.size()));
  if (!has_part_magic(*first)) return fault("part_foreign", "it does not begin as a part does");
  if (format_of(*first) > kFormat) {
    return fault("part_newer",
                 fmt::format("format {}; this version reads up to {}", format_of(*first), kFormat));
  }
  const auto header = decode_header(*first);
  if (!header) return fault("part_damaged", "the checksum of its header does not match");
  const auto last = file.block(file.size() - kBlockBytes);
  const auto footer = last ? decode_footer(*last) : std::nullopt;
  if (!footer) return fault("part_damaged", "it does not end with a sound footer");
  if (footer->header_checksum != checksum_of(*first) || !is_consistent(*footer, file.size()))
    return fault("part_damaged", "its footer does not agree with its header and size");
  header_ = *header;
  footer_ = *footer;
  seed_ = checksum_of(*first);
  if (options_.verify)
    checked_ = std::make_unique<std::atomic<uint64_t>[]>(footer_.records / 64 + 1);
  return std::nullopt;
}

Opened PartReader::open(const fs::path& path, const ReadOptions& options) {
  std::unique_ptr<PartReader> part(
      new PartReader(path.filename().string(), PartSource(path, options.map), options));
  if (auto fault = part->examine(PartSource(path, false))) return *std::move(fault);
  return part;
}

Opened PartReader::open(const fs::path& folder, const TableEntry& table, const PartRecord& part,
                        const ReadOptions& options) {
  try {
    return open_as(folder, table, part, options);
  } catch (const Error&) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(folder / part.file, error))) throw;
  }
  // Gone, maybe since a moment ago: a writer collects while this opens.
  return Fault{.id = part.file,
               .code = "part_missing",
               .evidence = "the manifest names it, but it is not there"};
}

Opened PartReader::open_as(const fs::path& folder, const TableEntry& table, const PartRecord& part,
                           const ReadOptions& options) {
  const fs::path path = folder / part.file;
  const auto fault = [&](const char* code, std::string evidence) {
    return Fault{.id = part.file, .code = code, .evidence = std::move(evidence)};
  };
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (!error && size != part.bytes)
    return fault("part_cut", fmt::format("expected {} bytes, found {}", part.bytes, size));
  Opened opened = open(path, options);
  if (!opened) return opened;
  const PartReader& reader = *opened.value();
  if (reader.bytes() != part.bytes) {
    return fault("part_cut",
                 fmt::format("expected {} bytes, found {}", part.bytes, reader.bytes()));
  }
  if (reader.header_.fingerprint != table.fingerprint ||
      reader.header_.id != part_number(part.file))
    return fault("part_foreign", "it belongs to another table, or was another part");
  if (reader.records() != part.records) {
    return fault("part_foreign",
                 fmt::format("expected {} records, found {}", part.records, reader.records()));
  }
  return opened;
}

std::optional<IndexEntry> PartReader::entry(uint32_t index) const {
  if (index >= footer_.records) return {};
  const auto block = source_.block(footer_.index_offset + index * kBlockBytes);
  if (!block) return {};
  auto entry = decode_entry(*block, seed_);
  if (!entry || !is_within(*entry, footer_)) return {};
  return entry;
}

/// The sound entry nearest to `probe` within [low, high): itself, then to the right, then left.
std::optional<uint32_t> PartReader::sound_near(uint32_t probe, uint32_t low, uint32_t high,
                                               IndexEntry& found) const {
  const auto try_at = [&](uint32_t index) {
    const auto entry = this->entry(index);
    if (entry) found = *entry;
    return entry.has_value();
  };
  for (uint32_t i = probe; i < high && i - probe <= kMostSkipped; ++i) {
    if (try_at(i)) return i;
  }
  for (uint32_t i = probe; i > low && probe - i < kMostSkipped; --i) {
    if (try_at(i - 1)) return i - 1;
  }
  return {};
}

SearchResult PartReader::search(const Key& key) const {
  if (source_.is_mapped()) {
    if (const auto result = search_swiftly(key)) return *result;
  }
  return search_carefully(key);
}

/// Believes the keys on its way and checks the entries where it arrives, which settle the matter
/// whatever the way was; nothing where they do not.
std::optional<SearchResult> PartReader::search_swiftly(const Key& key) const {
  Range range{.low = 0, .high = records()};
  const auto index = source_.view(footer_.index_offset, footer_.records * kBlockBytes);
  for (int step = 0; !range.empty(); ++step) {
    const uint32_t probe = step < kInterpolations ? range.guess(key.high) : range.middle();
    const Key found = key_of(index.subspan(probe * kBlockBytes, kBlockBytes));
    if (found == key) {
      const auto entry = this->entry(probe);
      if (!entry) return {};
      return SearchResult{.state = SearchResult::State::found, .index = probe, .entry = *entry};
    }
    if (found < key) {
      range.keep_above(probe, found.high);
    } else {
      range.keep_below(probe, found.high);
    }
  }
  return lies_before(key, range.low) ? std::optional(SearchResult{}) : std::nullopt;
}

/// Whether the entries around `index`, both sound, have the key between them.
bool PartReader::lies_before(const Key& key, uint32_t index) const {
  if (index > 0) {
    const auto before = entry(index - 1);
    if (!before || !(before->key < key)) return false;
  }
  if (index == records()) return true;
  const auto after = entry(index);
  return after && key < after->key;
}

/// Steps over damaged entries, so that one costs its own record alone.
SearchResult PartReader::search_carefully(const Key& key) const {
  using State = SearchResult::State;
  Range range{.low = 0, .high = records()};
  IndexEntry entry;
  for (int step = 0; !range.empty(); ++step) {
    const uint32_t probe = step < kInterpolations ? range.guess(key.high) : range.middle();
    const auto index = sound_near(probe, range.low, range.high, entry);
    if (!index) return {.state = State::damaged, .index = probe, .entry = {}};
    if (entry.key == key) return {.state = State::found, .index = *index, .entry = entry};
    if (entry.key < key) {
      range.keep_above(*index, entry.key.high);
    } else {
      range.keep_below(*index, entry.key.high);
    }
  }
  return {};
}

std::span<const std::byte> PartReader::view(const IndexEntry& entry) const {
  return source_.view(entry.offset, entry.size);
}

bool PartReader::read(const IndexEntry& entry, std::span<std::byte> target) const {
  return source_.read(entry.offset, target.first(entry.size));
}

void PartReader::prefetch(const IndexEntry& entry) const noexcept {
  source_.prefetch(entry.offset, entry.size);
}

bool PartReader::accepts(uint32_t index, const IndexEntry& entry,
                         std::span<const std::byte> bytes) const {
  if (!options_.verify) return true;
  std::atomic<uint64_t>& word = checked_[index / 64];
  const uint64_t bit = uint64_t{1} << (index % 64);
  if ((word.load(std::memory_order_relaxed) & bit) != 0) return true;
  if (!content_matches(entry, bytes)) return false;
  word.fetch_or(bit, std::memory_order_relaxed);
  return true;
}

}  // namespace seda::cache::detail
