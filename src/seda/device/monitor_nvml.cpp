// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/mutex.h"
#include "seda/device/detail/nvml.h"
#include "seda/device/detail/nvml_activity.h"
#include "seda/device/detail/nvml_reasons.h"
#include "seda/device/monitor.h"

namespace seda::device {
namespace {

using nvml::ask;

template <typename To, typename From>
std::optional<To> scaled(std::optional<From> value, To scale) {
  if (!value) return std::nullopt;
  return static_cast<To>(*value) * scale;
}

std::optional<int> whole(std::optional<unsigned> value) {
  return scaled<int>(value, 1);
}

/// Fields of fixed size are not trusted to end with a zero.
template <size_t N>
std::string text_of(const char (&field)[N]) {
  return {field, strnlen(field, N)};
}

template <typename Call, typename... Arguments>
std::string ask_text(Call* function, Arguments... arguments) {
  char text[nvml::kTextBytes] = {};
  if (function == nullptr || function(arguments..., text, nvml::kTextBytes) != nvml::kSuccess) {
    return {};
  }
  return text_of(text);
}

LinkClass link_class(int level) {
  switch (level) {
    case nvml::topology_internal:
    case nvml::topology_single:
      return LinkClass::pix;
    case nvml::topology_multiple:
      return LinkClass::pxb;
    case nvml::topology_hostbridge:
      return LinkClass::phb;
    case nvml::topology_node:
      return LinkClass::node;
    case nvml::topology_system:
      return LinkClass::sys;
    default:
      return LinkClass::unknown;
  }
}

/// The library, started for as long as this lives.
class Session {
 public:
  explicit Session(const std::string& library) : library_(library), functions_(library_) {
    const bool complete = functions_.init != nullptr && functions_.shutdown != nullptr &&
                          functions_.device_count != nullptr && functions_.device_handle != nullptr;
    if (!complete) {
      throw_error(ErrorKind::unavailable, "{} is no usable NVML: update the NVIDIA driver",
                  library);
    }
    const nvml::Return result = functions_.init();
    if (result != nvml::kSuccess) {
      const char* reason =
          functions_.error_text == nullptr ? nullptr : functions_.error_text(result);
      throw_error(ErrorKind::unavailable,
                  "NVML does not start: {} (code {}); see what nvidia-smi says, then load or "
                  "update the NVIDIA driver",
                  reason == nullptr ? "no reason given" : reason, result);
    }
  }
  ~Session() { functions_.shutdown(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const nvml::Functions& functions() const noexcept { return functions_; }

 private:
  SharedLibrary library_;
  nvml::Functions functions_;
};

class NvmlMonitor final : public Monitor {
 public:
  NvmlMonitor(const std::string& library, const Clock* clock)
      : clock_(clock == nullptr ? &steady_clock_ : clock),
        session_(library),
        nvml_(session_.functions()) {
    const unsigned count = ask<unsigned>(nvml_.device_count).value_or(0);
    const MutexLock lock(mutex_);
    for (unsigned index = 0; index < count; ++index) {
      const auto handle = ask<nvml::Handle>(nvml_.device_handle, index);
      gpus_.push_back(handle.value_or(nullptr));
      activity_.push_back(handle ? std::make_unique<nvml::ActivityCounters>(nvml_, *handle)
                                 : nullptr);
    }
  }

  std::string absence() const override {
    return gpus_.empty() ? "the NVIDIA driver is there, but it shows no GPU" : "";
  }

  DriverInfo driver() const override {
    DriverInfo info{.driver_version = ask_text(nvml_.driver_version), .cuda_version = {}};
    if (const auto version = ask<int>(nvml_.cuda_version)) {
      info.cuda_version = fmt::format("{}.{}", *version / 1000, *version % 1000 / 10);
    }
    return info;
  }

  int gpu_count() const noexcept override { return static_cast<int>(gpus_.size()); }

  GpuInfo info(int gpu) const override {
    nvml::Handle handle = at(gpu);
    GpuInfo info;
    info.index = gpu;
    info.name = "unreadable GPU";
    if (handle == nullptr) return info;
    info.name = ask_text(nvml_.name, handle);
    info.pci_bus_id = bus_id(handle);
    const auto memory = ask<nvml::Memory>(nvml_.memory, handle);
    if (memory) info.memory_total_bytes = memory->total;
    info.sm_clock_max_mhz = whole(ask<unsigned>(nvml_.clock_max, handle, nvml::kClockSm));
    info.power_limit_w = scaled(ask<unsigned>(nvml_.power_limit, handle), 1e-3);
    info.pcie_generation_max = whole(ask<unsigned>(nvml_.pcie_generation_max, handle));
    info.pcie_width_max = whole(ask<unsigned>(nvml_.pcie_width_max, handle));
    return info;
  }

  GpuSample sample(int gpu) override {
    nvml::Handle handle = at(gpu);
    GpuSample sample;
    if (handle == nullptr) return sample;
    sample_use(handle, sample);
    sample_clocks(handle, sample);
    sample.pcie_generation = whole(ask<unsigned>(nvml_.pcie_generation, handle));
    sample.pcie_width = whole(ask<unsigned>(nvml_.pcie_width, handle));
    const MutexLock lock(mutex_);
    sample.activity = activity_[static_cast<size_t>(gpu)]->read(clock_->now_ns());
    return sample;
  }

  GpuLink link(int gpu, int other) const override {
    nvml::Handle from = at(gpu);
    nvml::Handle to = at(other);
    if (gpu == other) return {.path = LinkClass::self, .nvlinks = 0};
    if (from == nullptr || to == nullptr) return {};
    const auto level = ask<int>(nvml_.common_ancestor, from, to);
    return {.path = level ? link_class(*level) : LinkClass::unknown, .nvlinks = nvlinks(from, to)};
  }

 private:
  nvml::Handle at(int gpu) const {
    if (gpu < 0 || gpu >= gpu_count()) {
      throw_error(ErrorKind::unavailable, "no GPU {} to watch: NVML shows {}", gpu, gpu_count());
    }
    return gpus_[static_cast<size_t>(gpu)];
  }

  std::string bus_id(nvml::Handle handle) const {
    const auto pci = ask<nvml::PciInfo>(nvml_.pci_info, handle);
    return pci ? text_of(pci->bus_id) : std::string();
  }

  void sample_use(nvml::Handle handle, GpuSample& sample) const {
    if (const auto use = ask<nvml::Utilization>(nvml_.utilization, handle))
      sample.utilization = use->gpu * 0.01;
    sample.memory_used_bytes = memory_used(handle);
  }

  void sample_clocks(nvml::Handle handle, GpuSample& sample) const {
    sample.sm_clock_mhz = whole(ask<unsigned>(nvml_.clock, handle, nvml::kClockSm));
    sample.power_w = scaled(ask<unsigned>(nvml_.power, handle), 1e-3);
    sample.temperature_c = whole(ask<unsigned>(nvml_.temperature, handle, nvml::kTemperatureGpu));
    if (const auto bits = ask<unsigned long long>(nvml_.clock_reasons, handle)) {
      sample.throttle_reasons = nvml::reason_words(*bits);
      sample.throttled = nvml::is_limited(*bits);
    }
  }

  /// Without what the driver keeps for itself where it tells that apart.
  std::optional<uint64_t> memory_used(nvml::Handle handle) const {
    nvml::MemoryV2 memory{};
    memory.version = nvml::kMemoryV2Version;
    if (nvml_.memory_v2 != nullptr && nvml_.memory_v2(handle, &memory) == nvml::kSuccess) {
      return memory.used;
    }
    const auto older = ask<nvml::Memory>(nvml_.memory, handle);
    return older ? std::optional<uint64_t>(older->used) : std::nullopt;
  }

  /// Links straight to the other GPU, or where both hang on switches, of the one with fewer.
  int nvlinks(nvml::Handle from, nvml::Handle to) const {
    const auto [direct, switched] = count_nvlinks(from, bus_id(to));
    if (direct > 0) return direct;
    return std::min(switched, count_nvlinks(to, bus_id(from)).second);
  }

  std::pair<int, int> count_nvlinks(nvml::Handle from, const std::string& to_bus_id) const {
    int direct = 0;
    int switched = 0;
    for (unsigned link = 0; link < nvml::kMaxLinks; ++link) {
      const auto active = ask<int>(nvml_.nvlink_active, from, link);
      if (!active) break;
      if (*active == 0) continue;
      const auto type = ask<int>(nvml_.nvlink_remote_type, from, link);
      const auto remote = ask<nvml::PciInfo>(nvml_.nvlink_remote, from, link);
      if (type == nvml::kRemoteSwitch) ++switched;
      if (remote && text_of(remote->bus_id) == to_bus_id) ++direct;
    }
    return {direct, switched};
  }

  SteadyClock steady_clock_;
  const Clock* clock_;
  Session session_;
  const nvml::Functions& nvml_;
  std::vector<nvml::Handle> gpus_;  ///< Null for one that NVML counts but does not open.
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<nvml::ActivityCounters>> activity_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<Monitor> make_nvml_monitor(const std::string& library, const Clock* clock) {
  return std::make_unique<NvmlMonitor>(library, clock);
}

}  // namespace seda::device
