// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/memory_plan.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/units.h"

namespace seda::feed {
namespace {

constexpr int kFewestSlots = 2;

std::string name_of(MemoryRole role) {
  if (role == MemoryRole::host) return "the host";
  return role == MemoryRole::data ? "the data role" : "the model role";
}

device::Device device_of(MemoryRole role, const FeedOptions& options) {
  if (role == MemoryRole::host) return device::kCpu;
  return role == MemoryRole::data ? options.roles.data : options.roles.model;
}

std::string what_to_lower(MemoryRole role, const FeedOptions& options) {
  const char* batch = batch_key(options);
  if (role == MemoryRole::host) {
    return fmt::format("lower data.prefetch_buffer_size, {} or data.max_mel_frames", batch);
  }
  if (!options.budgets.isolated) {
    return fmt::format("lower {} or data.max_mel_frames, or free the device", batch);
  }
  return fmt::format("lower {} or data.max_mel_frames, or raise {}", batch,
                     role == MemoryRole::data ? "data.data_gpu_memory" : "data.model_gpu_memory");
}

/// What each role may take.
class Limits {
 public:
  Limits(const FeedOptions& options, const device::Platform& platform)
      : options_(options), platform_(platform) {}

  uint64_t of(MemoryRole role) const {
    const device::Device device = device_of(role, options_);
    if (options_.budgets.isolated && device.is_cuda()) {
      return role == MemoryRole::data ? options_.budgets.data_bytes : options_.budgets.model_bytes;
    }
    return platform_.memory(device).free_bytes;
  }

  /// Roles that share what is free; with budgets each has its own.
  bool share(MemoryRole a, MemoryRole b) const {
    const device::Device device = device_of(a, options_);
    if (options_.budgets.isolated && device.is_cuda()) return a == b;
    return device == device_of(b, options_);
  }

 private:
  const FeedOptions& options_;
  const device::Platform& platform_;
};

uint64_t together(const MemoryPlan& plan, MemoryRole role, const Limits& limits) {
  uint64_t sum = 0;
  for (const MemoryItem& item : plan.items) {
    if (limits.share(role, item.role)) sum += item.total();
  }
  return sum;
}

MemoryPlan lay_out(const MemoryNeeds& needs, int model_slots, bool resident) {
  MemoryPlan plan;
  const bool rows_alone = resident && needs.data_slots > 0;
  plan.host_slot_bytes = rows_alone ? needs.row_bytes : needs.host_slot_bytes;
  plan.input_bytes = rows_alone ? needs.row_bytes : needs.input_bytes;
  plan.model_slots = model_slots;
  plan.resident = resident;
  const auto add = [&](MemoryRole role, const char* what, int count, uint64_t bytes) {
    if (count > 0 && bytes > 0) plan.items.push_back({role, what, count, bytes});
  };
  add(MemoryRole::host, "batches gathered ahead", needs.host_slots, plan.host_slot_bytes);
  add(MemoryRole::data, "uploads", needs.data_slots, plan.input_bytes);
  add(MemoryRole::data, "batches made", needs.data_slots, needs.output_bytes);
  add(MemoryRole::data, "tables of the mel", 1, needs.table_bytes);
  add(MemoryRole::data, "resident corpus", resident ? 1 : 0, needs.resident_bytes);
  add(MemoryRole::model, "slots", model_slots, needs.model_slot_bytes);
  return plan;
}

bool fits(const MemoryPlan& plan, MemoryRole role, const Limits& limits) {
  return together(plan, role, limits) <= limits.of(role);
}

void require(const MemoryPlan& plan, MemoryRole role, const Limits& limits,
             const FeedOptions& options) {
  if (plan.bytes(role) == 0 || fits(plan, role, limits)) return;
  throw_error(ErrorKind::memory, "memory of {} on {}: the plan asks for {} of a limit of {}; {}",
              name_of(role), device::to_string(device_of(role, options)),
              format_bytes(together(plan, role, limits)), format_bytes(limits.of(role)),
              what_to_lower(role, options));
}

}  // namespace

uint64_t MemoryPlan::bytes(MemoryRole role) const {
  uint64_t sum = 0;
  for (const MemoryItem& item : items)
    sum += item.role == role ? item.total() : 0;
  return sum;
}

MemoryPlan plan_memory(const MemoryNeeds& needs, const FeedOptions& options,
                       const device::Platform& platform) {
  const Limits limits(options, platform);
  std::vector<std::string> notes;
  bool resident = options.resident;
  int slots = needs.model_slots;
  // With the fewest slots, so that a corpus which fits beside them stays.
  const MemoryPlan whole = lay_out(needs, std::min(slots, kFewestSlots), resident);
  if (resident && !fits(whole, MemoryRole::data, limits)) {
    resident = false;
    notes.push_back(fmt::format(
        "the corpus is not kept on {}: it takes {}, and {} are missing; batches are gathered from "
        "the source instead",
        device::to_string(options.roles.data), format_bytes(needs.resident_bytes),
        format_bytes(together(whole, MemoryRole::data, limits) - limits.of(MemoryRole::data))));
  }
  while (slots > kFewestSlots && !fits(lay_out(needs, slots, resident), MemoryRole::model, limits))
    --slots;
  if (slots < needs.model_slots) {
    notes.push_back(fmt::format("slots on {} cut from {} to {}: {} each, limit {}",
                                device::to_string(options.roles.model), needs.model_slots, slots,
                                format_bytes(needs.model_slot_bytes),
                                format_bytes(limits.of(MemoryRole::model))));
  }
  MemoryPlan plan = lay_out(needs, slots, resident);
  for (const MemoryRole role : {MemoryRole::host, MemoryRole::data, MemoryRole::model})
    require(plan, role, limits, options);
  plan.notes = std::move(notes);
  return plan;
}

std::vector<std::string> describe(const MemoryPlan& plan, const FeedOptions& options) {
  std::vector<std::string> lines;
  for (const MemoryRole role : {MemoryRole::host, MemoryRole::data, MemoryRole::model}) {
    if (plan.bytes(role) == 0) continue;
    std::string line = fmt::format("memory of {} on {}:", name_of(role),
                                   device::to_string(device_of(role, options)));
    for (const MemoryItem& item : plan.items) {
      if (item.role == role)
        line += fmt::format(" {} {} of {},", item.count, item.what, format_bytes(item.bytes));
    }
    line += fmt::format(" {} in all", format_bytes(plan.bytes(role)));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace seda::feed
