// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/json.h"

namespace seda::diagnose {

/// What holds a run back: the words that scripts may rely on.
enum class Cause {
  healthy,
  slow_storage,
  slow_decode,
  slow_text,
  too_few_workers,
  ring_too_small,
  unpinned_copies,
  slow_transfer,
  host_sync,
  launch_bound,
  batch_too_small,
  slow_clip,
  cpu_contention,
  padding_waste,
  cold_cache,
  cache_rebuilt,
  cache_off,
  reference_path,
  memory_pressure,
  gpu_throttled,
  gpu_bound,
  no_gpu,
  unknown,
};
std::string_view to_string(Cause cause);

/// Of what another way to take steps brings.
inline constexpr const char* kStepUnit = "clips/s of the step";

/// What a remedy brought where it was tried.
struct Gain {
  double before = 0;
  double after = 0;
  std::string unit = "clips/s";

  bool operator==(const Gain&) const = default;
};

/// Something to do about it.
struct Remedy {
  std::string change;  ///< "data.num_workers: 8", or a command.
  // NOLINTBEGIN(readability-redundant-member-init): g++ wants them where fewer are given
  std::string expected_gain{};  ///< In words; empty unless it was measured in this run.
  std::string key{};            ///< Of the configuration, where it is one that can be set,
  std::string value{};          ///< and to what, as a file has it.
  std::optional<Gain> gain{};
  // NOLINTEND(readability-redundant-member-init)

  bool operator==(const Remedy&) const = default;
};

/// The remedy of setting a key.
Remedy set_to(std::string key, std::string value);

/// One cause, what shows that it is the one, and what helps against it.
struct Verdict {
  Cause cause = Cause::unknown;
  std::vector<std::string> evidence;  ///< A figure each, best first.
  std::vector<Remedy> remedies;       ///< The cheapest first.
};

/// `{cause, evidence, remedies[{change, expected_gain, before, after, unit}]}`; what was not
/// measured is null.
Json to_json(const Verdict& verdict);

}  // namespace seda::diagnose
