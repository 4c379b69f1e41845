// SPDX-License-Identifier: Apache-2.0
#include <sys/sysinfo.h>

#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

constexpr uint64_t kEnough = uint64_t{16} * 1000 * 1000 * 1000;
constexpr double kFreeShare = 0.05;

Json device_json(const device::Platform& platform, device::Device device) {
  const device::DeviceMemory memory = platform.memory(device);
  return {{"free_bytes", memory.free_bytes}, {"total_bytes", memory.total_bytes}};
}

Json plan_json(const feed::MemoryPlan& plan) {
  Json out = Json::array();
  for (const feed::MemoryItem& item : plan.items) {
    constexpr const char* kRoles[] = {"host", "data", "model"};
    out.push_back({{"role", kRoles[static_cast<size_t>(item.role)]},
                   {"what", item.what},
                   {"count", item.count},
                   {"bytes", item.total()}});
  }
  return out;
}

Band band_of(const MachineUse& machine) {
  const uint64_t total = machine.total_bytes.value_or(0);
  const auto free = static_cast<double>(machine.free_bytes.value_or(total));
  if (free < kFreeShare * static_cast<double>(total)) return Band::poor;
  return total >= kEnough ? Band::good : Band::fair;
}

}  // namespace

Section memory_section(const MemoryFacts& facts, const device::Platform& platform) {
  Section out{"memory", std::string(to_string(band_of(facts.machine)))};
  struct sysinfo info{};
  sysinfo(&info);
  out.evidence["ram_bytes"] = facts.machine.total_bytes.value_or(0);
  out.evidence["ram_available_bytes"] = facts.machine.free_bytes.value_or(0);
  out.evidence["swap_bytes"] = uint64_t{info.totalswap} * info.mem_unit;
  out.evidence["swap_used_bytes"] = uint64_t{info.totalswap - info.freeswap} * info.mem_unit;
  out.evidence["major_faults_per_s"] = facts.machine.major_faults_per_s;
  for (const device::Device device : platform.devices()) {
    if (device.is_cuda()) out.evidence[device::to_string(device)] = device_json(platform, device);
  }
  if (facts.plan == nullptr) return out;
  const bool pinned = facts.options.pinned && facts.options.roles.data.is_cuda();
  out.evidence["pinned_bytes"] = pinned ? facts.plan->bytes(feed::MemoryRole::host) : 0;
  out.evidence["plan"] = plan_json(*facts.plan);
  return out;
}

}  // namespace seda::diagnose
