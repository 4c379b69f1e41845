// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/nvml_activity.h"

#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

namespace seda::device::nvml {
namespace {

constexpr int64_t kRenewalNs = 100'000'000;
constexpr double kPercent = 0.01;
constexpr double kMebibyte = 1 << 20;

/// A counter and where its value goes, in which unit.
struct Reading {
  GpmMetricId id;
  std::optional<double> GpuActivity::* field;
  double scale;
};

constexpr Reading kReadings[] = {
    {.id = gpm_graphics, .field = &GpuActivity::busy, .scale = kPercent},
    {.id = gpm_sm, .field = &GpuActivity::sm, .scale = kPercent},
    {.id = gpm_pcie_tx, .field = &GpuActivity::pcie_tx_bytes_per_s, .scale = kMebibyte},
    {.id = gpm_pcie_rx, .field = &GpuActivity::pcie_rx_bytes_per_s, .scale = kMebibyte},
};

bool is_supported(const Functions& nvml, Handle gpu) {
  const bool complete = nvml.gpm_support != nullptr && nvml.gpm_sample_allocate != nullptr &&
                        nvml.gpm_sample_free != nullptr && nvml.gpm_sample_take != nullptr &&
                        nvml.gpm_metrics != nullptr;
  GpmSupport support{.version = kGpmVersion, .supported = 0};
  return complete && nvml.gpm_support(gpu, &support) == kSuccess && support.supported != 0;
}

}  // namespace

ActivityCounters::ActivityCounters(const Functions& functions, Handle gpu)
    : nvml_(functions), gpu_(gpu) {
  if (!is_supported(nvml_, gpu_)) return;
  before_ = ask<Sample>(nvml_.gpm_sample_allocate).value_or(nullptr);
  after_ = ask<Sample>(nvml_.gpm_sample_allocate).value_or(nullptr);
}

ActivityCounters::~ActivityCounters() {
  if (before_ != nullptr) nvml_.gpm_sample_free(before_);
  if (after_ != nullptr) nvml_.gpm_sample_free(after_);
}

std::optional<GpuActivity> ActivityCounters::read(int64_t now_ns) {
  if (!supported()) return std::nullopt;
  if (!taken_ns_) {
    if (take(before_)) taken_ns_ = now_ns;
    return std::nullopt;
  }
  if (now_ns - *taken_ns_ < kRenewalNs) return last_;
  if (!take(after_)) {
    taken_ns_.reset();
    return last_ = std::nullopt;
  }
  last_ = difference();
  std::swap(before_, after_);
  taken_ns_ = now_ns;
  return last_;
}

bool ActivityCounters::take(Sample sample) const {
  return nvml_.gpm_sample_take(gpu_, sample) == kSuccess;
}

std::optional<GpuActivity> ActivityCounters::difference() const {
  const auto request = std::make_unique<GpmRequest>();
  request->version = kGpmVersion;
  request->count = std::size(kReadings);
  request->before = before_;
  request->after = after_;
  for (size_t i = 0; i < std::size(kReadings); ++i)
    request->metrics[i].id = kReadings[i].id;
  if (nvml_.gpm_metrics(request.get()) != kSuccess) return std::nullopt;

  GpuActivity activity;
  for (size_t i = 0; i < std::size(kReadings); ++i) {
    const GpmMetric& metric = request->metrics[i];
    if (metric.result != kSuccess || !std::isfinite(metric.value)) continue;
    activity.*kReadings[i].field = metric.value * kReadings[i].scale;
  }
  return activity;
}

}  // namespace seda::device::nvml
