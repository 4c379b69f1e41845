// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/merge.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/cache/cache.h"

namespace seda::cache {
namespace {

namespace fs = std::filesystem;

Cache open_source(const fs::path& folder) {
  auto cache = Cache::open(folder, {.verify = true});
  if (!cache) throw_error(ErrorKind::io, "{} holds no cache to merge", folder.native());
  return *std::move(cache);
}

bool same_content(const Record& a, const Record& b) {
  return a.entry.dims == b.entry.dims && a.entry.type == b.entry.type &&
         std::ranges::equal(a.bytes, b.bytes);
}

/// Merges source after source into one table of the target.
class Merger {
 public:
  Merger(Writer& writer, const std::vector<Cache>& caches, const MergeOptions& options)
      : writer_(writer), caches_(caches), options_(options) {}

  /// `caches_[0]` is the target as it was; the others are the sources.
  MergeReport run() {
    for (size_t i = 1; i < caches_.size(); ++i) {
      for (const Table* table : caches_[i].tables()) {
        if (!options_.table || options_.table(table->name())) add_table(i, *table);
      }
    }
    writer_.seal();
    return std::move(report_);
  }

 private:
  void add_table(size_t source, const Table& table) {
    TableWriter target = writer_.table(table.name(), table.description());
    uint64_t seen = 0;
    const uint64_t damaged = table.for_each([&](const Entry& entry) {
      if (seen++ % 256 == 0) throw_if_interrupted();
      add_record(source, table, entry, target);
      if (options_.progress) options_.progress(1);
    });
    if (damaged > 0) {
      report_.faults.push_back(
          {.id = table.name(),
           .code = "cache_damaged",
           .evidence = fmt::format("{}: {} damaged entries in the index of table '{}'",
                                   caches_[source].folder().native(), damaged, table.name())});
    }
  }

  void add_record(size_t source, const Table& table, const Entry& entry, TableWriter& target) {
    const auto record = table.read(entry.address);
    if (!record) {
      add_fault(record.fault(), source);
      return;
    }
    for (size_t i = 0; i < source; ++i) {
      const Table* other = caches_[i].find_table(table.name(), table.fingerprint());
      if (other == nullptr || !other->find(entry.key)) continue;
      const auto earlier = other->read(entry.key);
      if (earlier) return compare(earlier.value(), i, record.value(), source);
    }
    target.append(entry.key,
                  {.bytes = record.value().bytes, .dims = entry.dims, .type = entry.type});
    ++report_.records_added;
    report_.bytes_added += entry.size;
  }

  void compare(const Record& first, size_t first_source, const Record& second,
               size_t second_source) {
    if (same_content(first, second)) {
      ++report_.records_shared;
      return;
    }
    report_.faults.push_back(
        {.id = first.entry.key.hex(),
         .code = "cache_conflict",
         .evidence = fmt::format("{} and {} hold different content under it ({} and {} bytes); the "
                                 "first stays",
                                 caches_[first_source].folder().native(),
                                 caches_[second_source].folder().native(), first.entry.size,
                                 second.entry.size)});
  }

  void add_fault(Fault fault, size_t source) {
    fault.evidence = caches_[source].folder().native() + ": " + fault.evidence;
    report_.faults.push_back(std::move(fault));
  }

  Writer& writer_;
  const std::vector<Cache>& caches_;
  const MergeOptions& options_;
  MergeReport report_;
};

}  // namespace

MergeReport merge(Writer& writer, std::span<const fs::path> sources, const MergeOptions& options) {
  writer.seal();
  std::vector<Cache> caches;
  caches.push_back(open_source(writer.folder()));
  for (const fs::path& source : sources) {
    std::error_code error;
    if (fs::equivalent(source, writer.folder(), error))
      throw_error(ErrorKind::usage, "{} cannot be merged into itself", source.native());
    caches.push_back(open_source(source));
  }
  return Merger(writer, caches, options).run();
}

}  // namespace seda::cache
