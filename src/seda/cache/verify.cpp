// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/verify.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/mutex.h"
#include "seda/base/parallel.h"
#include "seda/base/random.h"
#include "seda/cache/detail/file_names.h"
#include "seda/cache/detail/snapshot.h"

namespace seda::cache {
namespace {

namespace fs = std::filesystem;
using detail::PartReader;
using detail::TableEntry;

constexpr size_t kGrain = 64;  // records handed to a thread at a time

/// One record to check: where it begins, so that a part is read from front to back.
struct Item {
  uint64_t offset = 0;
  uint32_t index = 0;
};

/// Checks one part and adds to the report.
class PartVerifier {
 public:
  PartVerifier(const TableEntry& table, const PartReader& part, const VerifyOptions& options,
               VerifyReport& report)
      : table_(table), part_(part), options_(options), report_(report) {}

  void check_all() {
    const std::vector<Item> items = walk_index();
    check_overlaps(items);
    check_contents(items);
  }

  void check_some(const std::vector<uint32_t>& indices) {
    std::vector<Item> items;
    for (const uint32_t index : indices) {
      if (const auto entry = part_.entry(index)) {
        items.push_back({.offset = entry->offset, .index = index});
      } else {
        add_bad_entry(index);
      }
    }
    std::ranges::sort(items, {}, &Item::offset);
    check_contents(items);
  }

 private:
  /// Every sound entry, by offset; the others and those out of order are reported.
  std::vector<Item> walk_index() {
    std::vector<Item> items;
    items.reserve(part_.records());
    std::optional<Key> before;
    for (uint32_t index = 0; index < part_.records(); ++index) {
      const auto entry = part_.entry(index);
      if (!entry) {
        add_bad_entry(index);
        continue;
      }
      if (before && !(*before < entry->key))
        add(entry->key, "its key is out of order in the index");
      before = entry->key;
      items.push_back({.offset = entry->offset, .index = index});
    }
    std::ranges::sort(items, {}, &Item::offset);
    return items;
  }

  void check_overlaps(const std::vector<Item>& items) {
    uint64_t end = 0;
    for (const Item& item : items) {
      const auto entry = part_.entry(item.index);
      if (!entry || entry->size == 0) continue;
      if (entry->offset < end) add(entry->key, "it overlaps another record");
      end = std::max(end, entry->offset + entry->size);
    }
  }

  void check_contents(const std::vector<Item>& items) {
    parallel_for(items.size(), {.threads = options_.threads, .grain = kGrain, .name = "verify"},
                 [&](size_t begin, size_t end) {
                   uint64_t bytes = 0;
                   for (size_t i = begin; i < end; ++i)
                     bytes += check_content(items[i].index);
                   count(end - begin, bytes);
                 });
  }

  uint64_t check_content(uint32_t index) {
    const auto entry = part_.entry(index);
    if (!entry) return 0;
    const auto bytes = part_.view(*entry);
    if (!content_matches(*entry, bytes)) {
      add(entry->key, fmt::format("the {} bytes at {} do not have the checksum they were written "
                                  "with: expected {:016x}, found {:016x}",
                                  entry->size, entry->offset, entry->checksum, hash64(bytes)));
    }
    return bytes.size();
  }

  void count(uint64_t records, uint64_t bytes) {
    {
      const MutexLock lock(mutex_);
      report_.records += records;
      report_.bytes += bytes;
    }
    if (options_.progress) options_.progress(records);
  }

  void add_bad_entry(uint32_t index) {
    add(std::nullopt, fmt::format("entry {} of the index does not have the checksum it was written "
                                  "with, or points outside the part",
                                  index));
    count(1, 0);
  }

  void add(const std::optional<Key>& key, std::string evidence) {
    const MutexLock lock(mutex_);
    report_.bad.push_back({key, table_.name, part_.file(), std::move(evidence)});
  }

  const TableEntry& table_;
  const PartReader& part_;
  const VerifyOptions& options_;
  Mutex mutex_;
  VerifyReport& report_;
};

/// `wanted` different numbers below `count`, in order.
std::vector<uint64_t> draw(uint64_t count, uint64_t wanted, uint64_t seed) {
  std::vector<uint64_t> drawn;
  Random random(seed);
  uint64_t left = std::min(wanted, count);
  for (uint64_t i = 0; i < count && left > 0; ++i) {
    if (random.below(count - i) >= left) continue;
    drawn.push_back(i);
    --left;
  }
  return drawn;
}

uint64_t total_records(const detail::Snapshot& snapshot) {
  uint64_t total = 0;
  for (const auto& parts : snapshot.tables) {
    for (const auto& part : parts)
      total += part->records();
  }
  return total;
}

void sort_bad(std::vector<Bad>::iterator begin, std::vector<Bad>::iterator end) {
  std::sort(begin, end, [](const Bad& a, const Bad& b) {
    return std::tie(a.key, a.evidence) < std::tie(b.key, b.evidence);
  });
}

void check_parts(const detail::Snapshot& snapshot, const VerifyOptions& options,
                 VerifyReport& report) {
  const auto sample = draw(total_records(snapshot), options.sample, options.seed);
  auto next = sample.begin();
  uint64_t first = 0;
  for (size_t i = 0; i < snapshot.tables.size(); ++i) {
    for (const auto& part : snapshot.tables[i]) {
      const auto begin = static_cast<ptrdiff_t>(report.bad.size());
      PartVerifier verifier(snapshot.manifest.tables[i], *part, options, report);
      std::vector<uint32_t> indices;
      for (; next != sample.end() && *next < first + part->records(); ++next)
        indices.push_back(static_cast<uint32_t>(*next - first));
      first += part->records();
      if (options.sample == 0) {
        verifier.check_all();
      } else {
        verifier.check_some(indices);
      }
      sort_bad(report.bad.begin() + begin, report.bad.end());
    }
  }
}

std::string table_of(const std::string& part_file) {
  const auto name = detail::parse_part_file_name(part_file);
  return name ? name->table : "";
}

}  // namespace

uint64_t count_records(const fs::path& folder) {
  try {
    uint64_t records = 0;
    const auto manifest = detail::read_manifest(folder);
    if (!manifest) return 0;
    for (const TableEntry& table : manifest->tables) {
      for (const detail::PartRecord& part : table.parts)
        records += part.records;
    }
    return records;
  } catch (const Error&) {
    return 0;
  }
}

std::optional<VerifyReport> verify(const fs::path& folder, const VerifyOptions& options) {
  VerifyReport report;
  try {
    if (!detail::read_manifest(folder)) return std::nullopt;
  } catch (const Error& error) {
    report.bad.push_back({std::nullopt, "", std::string(detail::kManifestFile), error.what()});
    report.unnamed = detail::list_parts_and_temporaries(folder);
    return report;
  }
  const auto snapshot = detail::open_snapshot(folder, {});
  if (!snapshot) return std::nullopt;
  for (const Fault& fault : snapshot->faults)
    report.bad.push_back({std::nullopt, table_of(fault.id), fault.id, fault.evidence});
  check_parts(*snapshot, options, report);
  report.unnamed = detail::list_parts_and_temporaries(folder);
  std::erase_if(report.unnamed,
                [&](const std::string& file) { return snapshot->manifest.names(file); });
  return report;
}

}  // namespace seda::cache
