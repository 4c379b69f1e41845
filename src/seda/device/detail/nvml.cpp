// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/nvml.h"

namespace seda::device::nvml {
namespace {

/// A function of the library by its name, or by the one it had before; null where neither is.
class Symbol {
 public:
  Symbol(const SharedLibrary& library, const char* name, const char* older = nullptr)
      : library_(library), name_(name), older_(older) {}

  template <typename Signature>
  operator Signature*() const {  // NOLINT: becomes whatever it is assigned to
    auto* found = library_.function<Signature>(name_);
    if (found == nullptr && older_ != nullptr) found = library_.function<Signature>(older_);
    return found;
  }

 private:
  const SharedLibrary& library_;
  const char* name_;
  const char* older_;
};

}  // namespace

Functions::Functions(const SharedLibrary& library)
    : init(Symbol(library, "nvmlInit_v2")),
      shutdown(Symbol(library, "nvmlShutdown")),
      error_text(Symbol(library, "nvmlErrorString")),
      driver_version(Symbol(library, "nvmlSystemGetDriverVersion")),
      cuda_version(
          Symbol(library, "nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion")),
      device_count(Symbol(library, "nvmlDeviceGetCount_v2")),
      device_handle(Symbol(library, "nvmlDeviceGetHandleByIndex_v2")),
      name(Symbol(library, "nvmlDeviceGetName")),
      pci_info(Symbol(library, "nvmlDeviceGetPciInfo_v3")),
      utilization(Symbol(library, "nvmlDeviceGetUtilizationRates")),
      memory(Symbol(library, "nvmlDeviceGetMemoryInfo")),
      memory_v2(Symbol(library, "nvmlDeviceGetMemoryInfo_v2")),
      clock(Symbol(library, "nvmlDeviceGetClockInfo")),
      clock_max(Symbol(library, "nvmlDeviceGetMaxClockInfo")),
      power(Symbol(library, "nvmlDeviceGetPowerUsage")),
      power_limit(Symbol(library, "nvmlDeviceGetEnforcedPowerLimit")),
      temperature(Symbol(library, "nvmlDeviceGetTemperature")),
      clock_reasons(Symbol(library, "nvmlDeviceGetCurrentClocksEventReasons",
                           "nvmlDeviceGetCurrentClocksThrottleReasons")),
      pcie_generation(Symbol(library, "nvmlDeviceGetCurrPcieLinkGeneration")),
      pcie_width(Symbol(library, "nvmlDeviceGetCurrPcieLinkWidth")),
      pcie_generation_max(Symbol(library, "nvmlDeviceGetMaxPcieLinkGeneration")),
      pcie_width_max(Symbol(library, "nvmlDeviceGetMaxPcieLinkWidth")),
      common_ancestor(Symbol(library, "nvmlDeviceGetTopologyCommonAncestor")),
      nvlink_active(Symbol(library, "nvmlDeviceGetNvLinkState")),
      nvlink_remote_type(Symbol(library, "nvmlDeviceGetNvLinkRemoteDeviceType")),
      nvlink_remote(Symbol(library, "nvmlDeviceGetNvLinkRemotePciInfo_v2")),
      gpm_support(Symbol(library, "nvmlGpmQueryDeviceSupport")),
      gpm_sample_allocate(Symbol(library, "nvmlGpmSampleAlloc")),
      gpm_sample_free(Symbol(library, "nvmlGpmSampleFree")),
      gpm_sample_take(Symbol(library, "nvmlGpmSampleGet")),
      gpm_metrics(Symbol(library, "nvmlGpmMetricsGet")) {}

}  // namespace seda::device::nvml
