// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/finding_code.h"

#include <array>

namespace seda::diagnose {
namespace {

/// In the order of `FindingCode`.
constexpr auto kNames = std::to_array<std::string_view>({
    "no_configuration", "reference_loader", "too_many_workers",  "prefetch_off",
    "pageable_copies",  "shapes_vary",      "plain_kernels",     "no_graphs",
    "full_precision",   "eager_debug",      "planted_faults",    "no_gpu",
    "no_gpu_monitor",   "missing_gpu",      "budget_above_card", "no_peer_access",
    "little_ram",       "little_disk",      "no_cache",          "stale_cache",
    "damaged_cache",    "unwritable_cache", "busy_cache",        "unreadable_corpus",
    "no_clips",         "bad_clips",        "clips_skipped",     "clips_cut",
    "unknown_symbols",  "silent_clips",     "clipped_clips",     "short_clips",
    "low_rate_clips",   "batch_too_large",  "slots_cut",         "memory_exceeded",
    "loader_failed",    "wrong_path",       "starved",
});

/// What config::Problem may say.
constexpr auto kOfSchema = std::to_array<std::string_view>({
    "unknown_key",
    "wrong_type",
    "out_of_range",
    "not_a_choice",
    "no_value",
    "contradiction",
    "conflict",
    "duplicate_key",
    "empty_file",
    "not_a_section",
    "second_document",
    "alias",
    "anchor",
    "tag",
    "bad_key",
    "no_colon",
});

static_assert(kNames.size() == static_cast<size_t>(FindingCode::starved) + 1);

}  // namespace

std::string_view to_string(FindingCode code) {
  return kNames.at(static_cast<size_t>(code));
}

std::vector<std::string_view> finding_codes() {
  std::vector<std::string_view> all(kNames.begin(), kNames.end());
  all.insert(all.end(), kOfSchema.begin(), kOfSchema.end());
  return all;
}

}  // namespace seda::diagnose
