// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/nvml_reasons.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "seda/device/detail/nvml.h"

namespace seda::device::nvml {
namespace {

struct ReasonWord {
  unsigned long long bit;
  std::string_view word;
  bool limits;  ///< Takes speed away from a GPU that has work.
};

constexpr ReasonWord kReasonWords[] = {
    {.bit = reason_idle, .word = "idle", .limits = false},
    {.bit = reason_application_clocks, .word = "application clocks", .limits = false},
    {.bit = reason_power_cap, .word = "power cap", .limits = true},
    {.bit = reason_hardware_slowdown, .word = "hardware slowdown", .limits = true},
    {.bit = reason_sync_boost, .word = "sync boost", .limits = false},
    {.bit = reason_thermal, .word = "thermal slowdown", .limits = true},
    {.bit = reason_hardware_thermal, .word = "hardware thermal slowdown", .limits = true},
    {.bit = reason_power_brake, .word = "power brake", .limits = true},
    {.bit = reason_display_clocks, .word = "display clocks", .limits = false},
    {.bit = reason_board_limit, .word = "board limit", .limits = true},
    {.bit = reason_reliability, .word = "reliability limit", .limits = true},
};

}  // namespace

std::vector<std::string> reason_words(unsigned long long bits) {
  std::vector<std::string> words;
  for (const ReasonWord& reason : kReasonWords) {
    if ((bits & reason.bit) != 0) words.emplace_back(reason.word);
    bits &= ~reason.bit;
  }
  if (bits != 0) words.push_back(fmt::format("reason {:#x}", bits));
  return words;
}

bool is_limited(unsigned long long bits) {
  return std::ranges::any_of(kReasonWords, [bits](const ReasonWord& reason) {
    return reason.limits && (bits & reason.bit) != 0;
  });
}

}  // namespace seda::device::nvml
