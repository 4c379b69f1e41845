// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seda/device/platform.h"
#include "seda/feed/feed_options.h"

namespace seda::feed {

/// What a loader would take, were there no limits.
struct MemoryNeeds {
  int host_slots = 0;
  uint64_t host_slot_bytes = 0;
  int data_slots = 0;  ///< Of each of the next two; 0 where the data role is the CPU's.
  uint64_t input_bytes = 0;
  uint64_t output_bytes = 0;  ///< 0 where batches are made in the model's slots.
  int model_slots = 0;        ///< 0 where the host's slots are the model's.
  uint64_t model_slot_bytes = 0;
  uint64_t resident_bytes = 0;  ///< On the data device.
  uint64_t row_bytes = 0;       ///< With it there, an upload says only where clips lie: its size.
  uint64_t table_bytes = 0;     ///< Of the mel, on the data device.
};

enum class MemoryRole { host, data, model };

struct MemoryItem {
  MemoryRole role = MemoryRole::host;
  std::string what;
  int count = 0;
  uint64_t bytes = 0;  ///< Of each.

  uint64_t total() const { return static_cast<uint64_t>(count) * bytes; }
  bool operator==(const MemoryItem&) const = default;
};

/// What it takes.
struct MemoryPlan {
  std::vector<MemoryItem> items;
  uint64_t host_slot_bytes = 0;
  uint64_t input_bytes = 0;
  int model_slots = 0;
  bool resident = false;
  std::vector<std::string> notes;  ///< What had to be cut, and why.

  uint64_t bytes(MemoryRole role) const;
};

/// Fits the needs into the budgets of the roles, or, where those do not bind, into what is free:
/// the corpus is not kept resident, slots become fewer, down to two. What still does not fit is an
/// Error(memory) that names the role, what was asked, the limit, and what to lower.
MemoryPlan plan_memory(const MemoryNeeds& needs, const FeedOptions& options,
                       const device::Platform& platform);

/// A line for each role: "model role, cuda:0: 4 slots of 5.3 MiB = 21.2 MiB of 16.0 GiB".
std::vector<std::string> describe(const MemoryPlan& plan, const FeedOptions& options);

}  // namespace seda::feed
