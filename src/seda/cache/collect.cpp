// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/collect.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "seda/base/interrupt.h"
#include "seda/cache/detail/store.h"
#include "seda/cache/detail/writer_access.h"

namespace seda::cache {
namespace {

using detail::IndexEntry;
using detail::PartList;
using detail::PartReader;
using detail::PartRecord;
using detail::TableEntry;

/// What is to become of one part.
struct Plan {
  const PartReader* part = nullptr;
  PartRecord record;
  std::vector<uint32_t> kept;  // places in its index

  uint64_t dropped() const { return part->records() - kept.size(); }
};

/// Collects one table: looks at every entry, then rewrites the parts that need it.
class TableCollector {
 public:
  TableCollector(const TableEntry& table, const PartList& parts, const Keep& keep,
                 const CollectOptions& options, CollectReport& report)
      : table_(table), parts_(parts), keep_(keep), options_(options), report_(report) {
    some_replaced_ =
        std::ranges::any_of(table.parts, [](const PartRecord& p) { return p.replaces > 0; });
  }

  /// The table as it will be; new parts are added to `transaction`.
  void run(detail::Transaction& transaction, TableEntry& target, uint64_t part_bytes) {
    std::vector<PartRecord> untouched;
    std::vector<Plan> rewrite;
    for (size_t position = 0; position < parts_.parts().size(); ++position) {
      Plan plan = make_plan(position);
      if (plan.dropped() > 0 || is_small(plan)) {
        rewrite.push_back(std::move(plan));
      } else {
        plan.record.replaces = 0;  // whatever was replaced is dropped
        untouched.push_back(plan.record);
      }
    }
    const bool needed = rewrite.size() > 1 || (rewrite.size() == 1 && rewrite[0].dropped() > 0);
    if (!needed) return;
    target.parts = std::move(untouched);
    write(rewrite, transaction, target, part_bytes);
  }

 private:
  bool is_small(const Plan& plan) const { return plan.record.bytes < options_.small_part_bytes; }

  Plan make_plan(size_t position) {
    Plan plan{.part = parts_.parts()[position].get(), .record = table_.parts[position], .kept = {}};
    for (uint32_t index = 0; index < plan.part->records(); ++index) {
      if (index % 1024 == 0) throw_if_interrupted();
      if (is_kept(position, *plan.part, index)) plan.kept.push_back(index);
      if (options_.progress) options_.progress(1);
    }
    report_.records_dropped += plan.dropped();
    return plan;
  }

  bool is_kept(size_t position, const PartReader& part, uint32_t index) {
    const auto entry = part.entry(index);
    if (!entry) {
      report_.damaged.push_back({.id = fmt::format("{:016x}:{}", part.id(), index),
                                 .code = "cache_damaged",
                                 .evidence = part.file() + ": damaged entry in its index"});
      return false;
    }
    if (keep_.record && !keep_.record(table_.name, table_.fingerprint, entry->key)) return false;
    if (some_replaced_ && parts_.is_replaced(position, entry->key)) return false;
    return !options_.check_content || is_sound(part, *entry);
  }

  bool is_sound(const PartReader& part, const IndexEntry& entry) {
    if (content_matches(entry, part.view(entry))) return true;
    report_.damaged.push_back({.id = entry.key.hex(),
                               .code = "cache_damaged",
                               .evidence = part.file() + ": its content does not have the checksum "
                                                         "it was written with"});
    return false;
  }

  void write(const std::vector<Plan>& plans, detail::Transaction& transaction, TableEntry& target,
             uint64_t part_bytes) {
    std::optional<detail::PartWriter> writer;
    for (const Plan& plan : plans) {
      for (const uint32_t index : by_offset(plan)) {
        if (index % 1024 == 0) throw_if_interrupted();
        if (!writer) writer.emplace(transaction.folder(), table_.name, table_.fingerprint);
        copy(*plan.part, index, *writer);
        if (writer->is_full(part_bytes)) finish(writer, transaction, target);
      }
    }
    finish(writer, transaction, target);
  }

  /// Reads the old part from front to back.
  static std::vector<uint32_t> by_offset(const Plan& plan) {
    std::vector<std::pair<uint64_t, uint32_t>> places;
    for (const uint32_t index : plan.kept) {
      const auto entry = plan.part->entry(index);
      places.emplace_back(entry ? entry->offset : 0, index);
    }
    std::ranges::sort(places);
    std::vector<uint32_t> sorted;
    sorted.reserve(places.size());
    for (const auto& [offset, index] : places)
      sorted.push_back(index);
    return sorted;
  }

  static void finish(std::optional<detail::PartWriter>& writer, detail::Transaction& transaction,
                     TableEntry& target) {
    if (!writer) return;
    transaction.add_part(target, *writer, nullptr);
    writer.reset();
  }

  void copy(const PartReader& part, uint32_t index, detail::PartWriter& writer) {
    const auto entry = part.entry(index);
    if (!entry) return;
    const auto bytes = part.view(*entry);
    if (!options_.check_content && !is_sound(part, *entry)) {
      ++report_.records_dropped;
      return;
    }
    writer.append(entry->key, {.bytes = bytes, .dims = entry->dims, .type = entry->type},
                  entry->checksum);
  }

  const TableEntry& table_;
  const PartList& parts_;
  const Keep& keep_;
  const CollectOptions& options_;
  CollectReport& report_;
  bool some_replaced_ = false;
};

struct Totals {
  uint64_t bytes = 0;
  uint64_t parts = 0;
};

Totals totals_of(const detail::Manifest& manifest) {
  Totals totals;
  for (const TableEntry& table : manifest.tables) {
    totals.parts += table.parts.size();
    for (const PartRecord& part : table.parts)
      totals.bytes += part.bytes;
  }
  return totals;
}

bool is_wanted(const Keep& keep, const TableEntry& table) {
  return !keep.table || keep.table(table.name, table.fingerprint, table.description);
}

uint64_t drop_unwanted(detail::Manifest& manifest, const Keep& keep, CollectReport& report) {
  return std::erase_if(manifest.tables, [&](const TableEntry& table) {
    if (is_wanted(keep, table)) return false;
    for (const PartRecord& part : table.parts)
      report.records_dropped += part.records;
    return true;
  });
}

}  // namespace

CollectReport collect(Writer& writer, const Keep& keep, const CollectOptions& options) {
  CollectReport report;
  writer.seal();
  detail::Store& store = WriterAccess::store(writer);
  store.update([&](detail::Transaction& transaction) {
    const Totals before = totals_of(transaction.next());
    report.tables_dropped = drop_unwanted(transaction.next(), keep, report);
    for (TableEntry& target : transaction.next().tables) {
      const TableEntry table = target;
      const auto parts = store.table(table.name, table.description).parts();
      TableCollector(table, *parts, keep, options, report)
          .run(transaction, target, store.options().part_bytes);
    }
    const Totals after = totals_of(transaction.next());
    report.parts_before = before.parts;
    report.parts_after = after.parts;
    report.bytes_freed = before.bytes > after.bytes ? before.bytes - after.bytes : 0;
  });
  return report;
}

}  // namespace seda::cache
