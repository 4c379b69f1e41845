// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_json.h"

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "seda/base/json_or_null.h"

namespace seda::diagnose {
namespace {

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10, 4 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

template <typename Value>
Json column(std::span<const WatchSample> samples, const Value& value_of) {
  Json out = Json::array();
  for (const WatchSample& sample : samples)
    out.push_back(rounded(value_of(sample)));
  return out;
}

Json gpu_columns(std::span<const WatchSample> samples, size_t gpu) {
  Json out = Json::object();
  for (const auto& field : gpu_fields()) {
    out[std::string(field.name)] = column(samples, [&](const WatchSample& sample) {
      return gpu < sample.gpus.size() ? sample.gpus[gpu].*field.value : kUnknown;
    });
  }
  return out;
}

}  // namespace

Json to_json(const WatchedMachine& machine) {
  Json gpus = Json::array();
  for (const device::GpuInfo& gpu : machine.gpus) {
    gpus.push_back({{"index", gpu.index},
                    {"name", gpu.name},
                    {"memory_total_bytes", or_null(gpu.memory_total_bytes)},
                    {"power_limit_w", or_null(gpu.power_limit_w)},
                    {"sm_clock_max_mhz", or_null(gpu.sm_clock_max_mhz)}});
  }
  return {{"cores", machine.cores},
          {"usable_cores", machine.usable_cores},
          {"memory_total_bytes", machine.memory_total_bytes},
          {"gpu_absence", machine.gpu_absence},
          {"gpus", std::move(gpus)}};
}

Json columns_json(std::span<const WatchSample> samples, size_t gpus) {
  Json host = Json::object();
  for (const auto& field : host_fields()) {
    host[std::string(field.name)] =
        column(samples, [&](const WatchSample& sample) { return sample.host.*field.value; });
  }
  Json of_gpus = Json::array();
  for (size_t gpu = 0; gpu < gpus; ++gpu)
    of_gpus.push_back(gpu_columns(samples, gpu));
  Json seconds = Json::array();
  for (const WatchSample& sample : samples)
    seconds.push_back(std::round(1e3 * sample.seconds) / 1e3);
  return {{"last", samples.empty() ? 0 : samples.back().number},
          {"seconds", std::move(seconds)},
          {"host", std::move(host)},
          {"gpus", std::move(of_gpus)}};
}

}  // namespace seda::diagnose
