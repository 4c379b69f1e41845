// SPDX-License-Identifier: Apache-2.0
// A library with NVML's symbols and made-up answers. With FAKE_NVML_OLD it lacks what drivers of
// years ago lack.
#include "tests/device/fake_nvml.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "seda/device/detail/nvml.h"

using seda::device::FakeNvmlState;
using namespace seda::device::nvml;  // NOLINT(google-build-using-namespace): its own types

namespace {

FakeNvmlState state;

constexpr Return kInvalidArgument = 2;
constexpr Return kInsufficientSize = 7;
constexpr unsigned long long kGibibyte = 1ULL << 30;

Handle handle_of(unsigned index) {
  return reinterpret_cast<Handle>(static_cast<uintptr_t>(index) + 1);
}

unsigned index_of(Handle handle) {
  return static_cast<unsigned>(reinterpret_cast<uintptr_t>(handle) - 1);
}

template <typename Value>
Return answer(Handle gpu, Value* out, Value value) {
  if (gpu == nullptr || index_of(gpu) >= state.gpus) return kInvalidArgument;
  *out = value;
  return kSuccess;
}

Return answer_text(char* out, unsigned length, const char* text) {
  if (std::strlen(text) + 1 > length) return kInsufficientSize;
  std::strncpy(out, text, length);
  return kSuccess;
}

PciInfo pci_of(unsigned bus) {
  PciInfo pci{};
  pci.bus = bus;
  std::snprintf(pci.bus_id, sizeof(pci.bus_id), "00000000:%02X:00.0", bus);
  return pci;
}

unsigned bus_of(unsigned index) {
  return 0x1a + index;
}

}  // namespace

extern "C" {

FakeNvmlState* fake_nvml_state() {
  return &state;
}

Return nvmlInit_v2() {
  if (state.init_result == kSuccess) ++state.inits;
  if (const char* percent = std::getenv("FAKE_NVML_UTILIZATION"))
    state.utilization_percent = static_cast<unsigned>(std::atoi(percent));
  return state.init_result;
}
Return nvmlShutdown() {
  ++state.shutdowns;
  return kSuccess;
}
const char* nvmlErrorString(Return result) {
  return result == 9 ? "Driver Not Loaded" : "Unknown Error";
}
Return nvmlSystemGetDriverVersion(char* out, unsigned length) {
  return answer_text(out, length, "580.65.06");
}
Return nvmlSystemGetCudaDriverVersion(int* out) {
  *out = 13010;
  return kSuccess;
}
Return nvmlDeviceGetCount_v2(unsigned* out) {
  *out = state.gpus;
  return kSuccess;
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Handle* out) {
  if (index == state.unreadable_gpu) return kNotFound;
  *out = handle_of(index);
  return kSuccess;
}
Return nvmlDeviceGetName(Handle /*gpu*/, char* out, unsigned length) {
  return answer_text(out, length, "NVIDIA Fake 1000");
}
Return nvmlDeviceGetPciInfo_v3(Handle gpu, PciInfo* out) {
  return answer(gpu, out, pci_of(bus_of(index_of(gpu))));
}
Return nvmlDeviceGetUtilizationRates(Handle gpu, Utilization* out) {
  return answer(gpu, out, {state.utilization_percent, 42});
}
Return nvmlDeviceGetMemoryInfo(Handle gpu, Memory* out) {
  return answer(gpu, out, {80 * kGibibyte, 69 * kGibibyte, 11 * kGibibyte});
}
Return nvmlDeviceGetClockInfo(Handle gpu, int type, unsigned* out) {
  return answer(gpu, out, type == kClockSm ? 1410U : 2619U);
}
Return nvmlDeviceGetMaxClockInfo(Handle gpu, int type, unsigned* out) {
  return answer(gpu, out, type == kClockSm ? 1980U : 2619U);
}
Return nvmlDeviceGetPowerUsage(Handle gpu, unsigned* out) {
  return answer(gpu, out, 312'500U);
}
Return nvmlDeviceGetEnforcedPowerLimit(Handle gpu, unsigned* out) {
  return answer(gpu, out, 700'000U);
}
Return nvmlDeviceGetTemperature(Handle gpu, int sensor, unsigned* out) {
  return sensor == kTemperatureGpu ? answer(gpu, out, 61U) : kInvalidArgument;
}
Return nvmlDeviceGetCurrentClocksThrottleReasons(Handle gpu, unsigned long long* out) {
  return answer(gpu, out, state.clock_reasons);
}
Return nvmlDeviceGetCurrPcieLinkGeneration(Handle gpu, unsigned* out) {
  return answer(gpu, out, 4U);
}
Return nvmlDeviceGetCurrPcieLinkWidth(Handle gpu, unsigned* out) {
  return answer(gpu, out, 8U);
}
Return nvmlDeviceGetMaxPcieLinkGeneration(Handle gpu, unsigned* out) {
  return answer(gpu, out, 5U);
}
Return nvmlDeviceGetMaxPcieLinkWidth(Handle gpu, unsigned* out) {
  return answer(gpu, out, 16U);
}
Return nvmlDeviceGetTopologyCommonAncestor(Handle one, Handle /*other*/, int* out) {
  return answer(one, out, state.topology_level);
}

#ifndef FAKE_NVML_OLD

Return nvmlSystemGetCudaDriverVersion_v2(int* out) {
  *out = 13000;
  return kSuccess;
}
Return nvmlDeviceGetMemoryInfo_v2(Handle gpu, MemoryV2* out) {
  if (out->version != 0x2000028) return kInvalidArgument;
  return answer(gpu, out,
                {out->version, 80 * kGibibyte, kGibibyte, 69 * kGibibyte, 10 * kGibibyte});
}
Return nvmlDeviceGetCurrentClocksEventReasons(Handle gpu, unsigned long long* out) {
  return answer(gpu, out, state.clock_reasons);
}
Return nvmlDeviceGetNvLinkState(Handle gpu, unsigned link, int* out) {
  if (link >= 18) return kInvalidArgument;
  // Link 0 is down: it is skipped, not the end.
  const int links = state.direct_nvlinks + state.switched_nvlinks;
  return answer(gpu, out, link > 0 && static_cast<int>(link) <= links ? 1 : 0);
}
Return nvmlDeviceGetNvLinkRemoteDeviceType(Handle gpu, unsigned /*link*/, int* out) {
  return answer(gpu, out, state.switched_nvlinks > 0 ? kRemoteSwitch : kRemoteGpu);
}
Return nvmlDeviceGetNvLinkRemotePciInfo_v2(Handle gpu, unsigned /*link*/, PciInfo* out) {
  const unsigned other = bus_of(1 - index_of(gpu));
  return answer(gpu, out, pci_of(state.switched_nvlinks > 0 ? 0x80 : other));
}
Return nvmlGpmQueryDeviceSupport(Handle gpu, GpmSupport* out) {
  if (out->version != 1) return kInvalidArgument;
  return answer(gpu, out, {1, state.gpm_supported ? 1U : 0U});
}
Return nvmlGpmSampleAlloc(Sample* out) {
  ++state.gpm_samples;
  *out = reinterpret_cast<Sample>(new int(0));
  return kSuccess;
}
Return nvmlGpmSampleFree(Sample sample) {
  --state.gpm_samples;
  delete reinterpret_cast<int*>(sample);
  return kSuccess;
}
Return nvmlGpmSampleGet(Handle /*gpu*/, Sample sample) {
  *reinterpret_cast<int*>(sample) = ++state.gpm_samples_got;
  return state.gpm_sample_result;
}
Return nvmlGpmMetricsGet(GpmRequest* request) {
  if (request->version != 1) return kInvalidArgument;
  // The earlier sample must come first.
  const int before = *reinterpret_cast<int*>(request->before);
  const int after = *reinterpret_cast<int*>(request->after);
  if (before >= after) return kInvalidArgument;
  for (unsigned i = 0; i < request->count; ++i) {
    GpmMetric& metric = request->metrics[i];
    metric.result = metric.id == state.gpm_refused_metric ? kNotSupported : kSuccess;
    metric.value = metric.id == gpm_sm ? state.sm_percent : static_cast<double>(metric.id);
  }
  return kSuccess;
}

#endif  // FAKE_NVML_OLD

}  // extern "C"
