// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include "seda/base/shared_library.h"

/// The part of NVIDIA's management library that seda asks, declared here because its header comes
/// only with the toolkit. Names are NVML's without their prefix; layouts are pinned by the
/// assertions and are the same in NVML 12.9 and 13.4.
namespace seda::device::nvml {

using Handle = struct OpaqueDevice*;
using Sample = struct OpaqueSample*;
using Return = int;

inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNotFound = 6;

inline constexpr int kClockSm = 1;
inline constexpr int kTemperatureGpu = 0;
inline constexpr int kRemoteGpu = 0;
inline constexpr int kRemoteSwitch = 2;
inline constexpr unsigned kMaxLinks = 36;
inline constexpr unsigned kTextBytes = 96;  ///< Names, identifiers and versions fit.

enum TopologyLevel : int {
  topology_internal = 0,
  topology_single = 10,
  topology_multiple = 20,
  topology_hostbridge = 30,
  topology_node = 40,
  topology_system = 50,
};

/// Bits of the reasons why clocks are what they are.
enum ClockReason : unsigned long long {
  reason_idle = 0x1,
  reason_application_clocks = 0x2,
  reason_power_cap = 0x4,
  reason_hardware_slowdown = 0x8,
  reason_sync_boost = 0x10,
  reason_thermal = 0x20,
  reason_hardware_thermal = 0x40,
  reason_power_brake = 0x80,
  reason_display_clocks = 0x100,
  reason_board_limit = 0x200,
  reason_reliability = 0x400,
};

struct Utilization {
  unsigned gpu;     ///< Per cent.
  unsigned memory;  ///< Per cent.
};
static_assert(sizeof(Utilization) == 8);

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;  ///< With what the driver keeps for itself.
};
static_assert(sizeof(Memory) == 24);

struct MemoryV2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, used) == 32);
inline constexpr unsigned kMemoryV2Version = sizeof(MemoryV2) | (2U << 24U);

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned device_id;
  unsigned subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, bus_id) == 36);

struct GpmSupport {
  unsigned version;
  unsigned supported;
};
static_assert(sizeof(GpmSupport) == 8);
inline constexpr unsigned kGpmVersion = 1;

enum GpmMetricId : unsigned {
  gpm_graphics = 1,
  gpm_sm = 2,
  gpm_pcie_tx = 20,  ///< MiB/s.
  gpm_pcie_rx = 21,  ///< MiB/s.
};

struct GpmMetric {
  unsigned id;
  Return result;
  double value;
  const char* short_name;
  const char* long_name;
  const char* unit;
};
static_assert(sizeof(GpmMetric) == 40 && offsetof(GpmMetric, value) == 8);

/// Only the first `count` metrics are looked at; the library's own array is longer in every newer
/// version.
struct GpmRequest {
  unsigned version;
  unsigned count;
  Sample before;
  Sample after;
  GpmMetric metrics[512];
};
static_assert(offsetof(GpmRequest, before) == 8 && offsetof(GpmRequest, metrics) == 24);

template <typename Signature>
using Function = std::add_pointer_t<Signature>;

/// The functions of a loaded library; null where it is too old to have one.
struct Functions {
  explicit Functions(const SharedLibrary& library);

  Function<Return()> init;
  Function<Return()> shutdown;
  Function<const char*(Return)> error_text;
  Function<Return(char*, unsigned)> driver_version;
  Function<Return(int*)> cuda_version;  ///< 13000 for 13.0.
  Function<Return(unsigned*)> device_count;
  Function<Return(unsigned, Handle*)> device_handle;
  Function<Return(Handle, char*, unsigned)> name;
  Function<Return(Handle, PciInfo*)> pci_info;
  Function<Return(Handle, Utilization*)> utilization;
  Function<Return(Handle, Memory*)> memory;
  Function<Return(Handle, MemoryV2*)> memory_v2;
  Function<Return(Handle, int, unsigned*)> clock;      ///< MHz.
  Function<Return(Handle, int, unsigned*)> clock_max;  ///< MHz.
  Function<Return(Handle, unsigned*)> power;           ///< mW.
  Function<Return(Handle, unsigned*)> power_limit;     ///< mW.
  Function<Return(Handle, int, unsigned*)> temperature;
  Function<Return(Handle, unsigned long long*)> clock_reasons;
  Function<Return(Handle, unsigned*)> pcie_generation;
  Function<Return(Handle, unsigned*)> pcie_width;
  Function<Return(Handle, unsigned*)> pcie_generation_max;
  Function<Return(Handle, unsigned*)> pcie_width_max;
  Function<Return(Handle, Handle, int*)> common_ancestor;
  Function<Return(Handle, unsigned, int*)> nvlink_active;
  Function<Return(Handle, unsigned, int*)> nvlink_remote_type;
  Function<Return(Handle, unsigned, PciInfo*)> nvlink_remote;
  Function<Return(Handle, GpmSupport*)> gpm_support;
  Function<Return(Sample*)> gpm_sample_allocate;
  Function<Return(Sample)> gpm_sample_free;
  Function<Return(Handle, Sample)> gpm_sample_take;
  Function<Return(GpmRequest*)> gpm_metrics;
};

/// What `function` writes through its last argument; nullopt where the library lacks it or it
/// refuses.
template <typename Value, typename Call, typename... Arguments>
std::optional<Value> ask(Call* function, Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != kSuccess) return std::nullopt;
  return value;
}

}  // namespace seda::device::nvml
