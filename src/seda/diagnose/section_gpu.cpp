// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/base/json_or_null.h"
#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

constexpr double kThrottled = 0.5;  // of the samples
constexpr double kSlowClock = 0.9;  // of the highest

Json pcie(const std::optional<int>& generation, const std::optional<int>& width) {
  if (!generation || !width) return {};
  return fmt::format("gen {} x{}", *generation, *width);
}

Json gpu_json(device::Monitor& monitor, int gpu) {
  const device::GpuInfo info = monitor.info(gpu);
  const device::GpuSample now = monitor.sample(gpu);
  Json out = {{"index", gpu},
              {"name", info.name},
              {"memory_bytes", or_null(info.memory_total_bytes)},
              {"memory_used_bytes", or_null(now.memory_used_bytes)},
              {"sm_clock_mhz", or_null(now.sm_clock_mhz)},
              {"sm_clock_max_mhz", or_null(info.sm_clock_max_mhz)},
              {"power_w", or_null(now.power_w)},
              {"power_limit_w", or_null(info.power_limit_w)},
              {"temperature_c", or_null(now.temperature_c)},
              {"throttle_reasons", or_null(now.throttle_reasons)},
              {"pcie_now", pcie(now.pcie_generation, now.pcie_width)},
              {"pcie_max", pcie(info.pcie_generation_max, info.pcie_width_max)}};
  Json links = Json::object();
  for (int other = 0; other < monitor.gpu_count(); ++other) {
    if (other != gpu) links[std::to_string(other)] = to_string(monitor.link(gpu, other));
  }
  if (!links.empty()) out["links"] = std::move(links);
  return out;
}

}  // namespace

Section gpu_section(device::Monitor& monitor, const device::Platform& platform, const GpuUse& use) {
  const std::string absence = monitor.absence();
  if (!absence.empty()) {
    Section out = not_measured("GPU hardware", absence);
    if (const std::string why = platform.cuda_absence(); !why.empty()) out.evidence["cuda"] = why;
    return out;
  }
  const device::DriverInfo driver = monitor.driver();
  const bool held_back = use.throttled >= kThrottled && use.clock <= kSlowClock;
  const bool usable = platform.cuda_absence().empty();
  Section out{"GPU hardware",
              std::string(to_string(held_back || !usable ? Band::poor : Band::good))};
  out.evidence["driver"] = driver.driver_version;
  out.evidence["cuda"] = usable ? driver.cuda_version : platform.cuda_absence();
  out.evidence["gpus"] = Json::array();
  for (int gpu = 0; gpu < monitor.gpu_count(); ++gpu)
    out.evidence["gpus"].push_back(gpu_json(monitor, gpu));
  if (use.samples > 0) {
    out.evidence["model_gpu_busy_while_fed"] = or_null(use.busy);
    out.evidence["throttled_share_while_fed"] = use.throttled;
  }
  return out;
}

}  // namespace seda::diagnose
