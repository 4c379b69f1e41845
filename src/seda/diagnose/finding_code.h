// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace seda::diagnose {

/// What a check found, for scripts. docs/faults.md says what each means and what helps.
enum class FindingCode {
  no_configuration,
  reference_loader,
  too_many_workers,
  prefetch_off,
  pageable_copies,
  shapes_vary,
  plain_kernels,
  no_graphs,
  full_precision,
  eager_debug,
  planted_faults,
  no_gpu,
  no_gpu_monitor,
  missing_gpu,
  budget_above_card,
  no_peer_access,
  little_ram,
  little_disk,
  no_cache,
  stale_cache,
  damaged_cache,
  unwritable_cache,
  busy_cache,
  unreadable_corpus,
  no_clips,
  bad_clips,
  clips_skipped,
  clips_cut,
  unknown_symbols,
  silent_clips,
  clipped_clips,
  short_clips,
  low_rate_clips,
  batch_too_large,
  slots_cut,
  memory_exceeded,
  loader_failed,
  wrong_path,
  starved,
};
std::string_view to_string(FindingCode code);

/// Every word that may stand as the code of a finding: those above, and those of the schema.
std::vector<std::string_view> finding_codes();

}  // namespace seda::diagnose
