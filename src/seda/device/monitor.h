// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/clock.h"

namespace seda::device {

struct DriverInfo {
  std::string driver_version;  ///< "580.65.06"; empty where unknown.
  std::string cuda_version;    ///< The newest the driver runs, "13.0".
};

/// What does not change while a GPU is in the machine. A field the driver does not know is empty.
struct GpuInfo {
  int index = 0;  ///< As the monitor counts: every GPU, in bus order. See `find_gpu`.
  std::string name;
  std::string pci_bus_id;
  std::optional<uint64_t> memory_total_bytes;
  std::optional<int> sm_clock_max_mhz;
  std::optional<double> power_limit_w;
  std::optional<int> pcie_generation_max;  ///< The most that GPU and slot can do together.
  std::optional<int> pcie_width_max;
};

/// What the chip itself counts (Hopper and later), over the time since the one before; shares 0–1.
struct GpuActivity {
  std::optional<double> busy;  ///< Some kernel ran.
  std::optional<double> sm;    ///< Multiprocessors with work: ≥ 0.8 is a GPU well used.
  std::optional<double> pcie_tx_bytes_per_s;  ///< Out of the GPU.
  std::optional<double> pcie_rx_bytes_per_s;  ///< Into the GPU.
};

/// One look at a GPU. A field the driver or chip does not give is empty, never an error.
struct GpuSample {
  std::optional<double> utilization;  ///< Share of the driver's last period with any kernel, 0–1.
  std::optional<uint64_t> memory_used_bytes;
  std::optional<int> sm_clock_mhz;
  std::optional<double> power_w;
  std::optional<int> temperature_c;
  std::optional<std::vector<std::string>> throttle_reasons;  ///< In words, "power cap".
  std::optional<bool> throttled;  ///< One of them is a limit of power, heat or hardware.
  std::optional<int> pcie_generation;
  std::optional<int> pcie_width;
  std::optional<GpuActivity> activity;  ///< Renewed at most ten times a second.
};

/// The way between two GPUs, as `nvidia-smi topo` classes it: the same GPU, one PCIe bridge,
/// several, the host bridge, the NUMA node, the whole system.
enum class LinkClass { self, pix, pxb, phb, node, sys, unknown };

struct GpuLink {
  LinkClass path = LinkClass::unknown;
  int nvlinks = 0;  ///< NVLinks between the two, or from the less linked one into their switches.
};

/// "X", "PIX", … or "NV18" where there are NVLinks; "N/A" where unknown.
std::string to_string(const GpuLink& link);

/// Reads the machine's GPUs from outside, whoever uses them. Thread-safe.
class Monitor {
 public:
  Monitor() = default;
  virtual ~Monitor() = default;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Why there is nothing to watch; empty where there is a GPU.
  virtual std::string absence() const = 0;
  virtual DriverInfo driver() const = 0;
  virtual int gpu_count() const noexcept = 0;

  /// `gpu` is below `gpu_count`, else Error(unavailable).
  virtual GpuInfo info(int gpu) const = 0;
  virtual GpuSample sample(int gpu) = 0;
  virtual GpuLink link(int gpu, int other) const = 0;
};

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

/// NVML where its library is, otherwise a monitor of nothing that says why. Never throws for want
/// of either.
std::unique_ptr<Monitor> make_monitor(const std::string& library = kNvmlLibrary);

/// NVML; Error(unavailable) where the library is missing or does not start. `clock`, if given,
/// outlives the monitor.
std::unique_ptr<Monitor> make_nvml_monitor(const std::string& library,
                                           const Clock* clock = nullptr);

/// Watches nothing, because of `reason`.
std::unique_ptr<Monitor> make_empty_monitor(std::string reason);

/// The monitor's index of a device known by its PCI bus id: CUDA may count and hide GPUs
/// differently.
std::optional<int> find_gpu(const Monitor& monitor, std::string_view pci_bus_id);

}  // namespace seda::device
