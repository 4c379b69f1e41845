// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/watch_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/json_or_null.h"
#include "seda/base/units.h"
#include "seda/cli/verdict_text.h"
#include "seda/diagnose/bands.h"

namespace seda::cli {
namespace {

using diagnose::GpuPoint;
using diagnose::HostPoint;
using diagnose::is_known;

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, text);
}

std::string bytes(double value) {
  return is_known(value) ? format_bytes(static_cast<uint64_t>(std::max(0.0, value))) : "unknown";
}

Json growth_json(const diagnose::Growth& growth) {
  return {{"steady", growth.steady}, {"bytes_per_second", growth.per_second}};
}

Json gpu_json(const WatchResult& result, size_t i) {
  const device::GpuInfo& info = result.record.machine.gpus[i];
  const diagnose::GpuSummary& gpu = result.summary.gpus[i];
  const GpuPoint& mean = gpu.mean;
  const GpuPoint peak =
      i < result.record.peak.gpus.size() ? result.record.peak.gpus[i] : GpuPoint{};
  return {{"index", info.index},
          {"name", info.name},
          {"used", gpu.used},
          {"busy_mean", mean.utilization},
          {"busy_low", gpu.low_quantile},
          {"busy_high", gpu.high_quantile},
          {"sm_activity", mean.sm_activity},
          {"power_w", mean.power_w},
          {"power_limit_w", or_null(info.power_limit_w)},
          {"memory_peak_bytes", peak.memory_bytes},
          {"memory_growth", growth_json(gpu.memory)},
          {"sm_clock_mhz", mean.sm_clock_mhz},
          {"temperature_c", peak.temperature_c},
          {"slowed", mean.slowed},
          {"power_capped", mean.power_capped},
          {"limits", result.record.limits[i]},
          {"pcie_in_bytes_per_s", mean.pcie_in_bytes_per_s},
          {"pcie_out_bytes_per_s", mean.pcie_out_bytes_per_s}};
}

Json process_json(const WatchResult& result) {
  if (!result.record.has_process) return {};
  const HostPoint& host = result.summary.host;
  return {{"cpu", host.cpu},
          {"busiest_cpu", host.busiest_cpu},
          {"processes", host.processes},
          {"threads", host.threads},
          {"read_bytes", result.record.read_bytes},
          {"written_bytes", result.record.written_bytes},
          {"major_faults_per_s", host.major_faults_per_s},
          {"memory_peak_bytes", result.record.peak.host.resident_bytes},
          {"memory_growth", growth_json(result.summary.resident)}};
}

std::string gpu_text(const WatchResult& result, size_t i) {
  const device::GpuInfo& info = result.record.machine.gpus[i];
  const diagnose::GpuSummary& gpu = result.summary.gpus[i];
  const GpuPoint& mean = gpu.mean;
  const std::string name = fmt::format("GPU {}", info.index);
  if (!is_known(mean.utilization)) return line(name, info.name + ": use not known");
  std::string text = fmt::format("{}: busy {}", info.name, format_percent(mean.utilization));
  if (!gpu.used) return line(name, text + ", not used");
  text += fmt::format("  ({})",
                      to_string(diagnose::band(1 - mean.utilization, diagnose::kGpuIdleBounds)));
  if (is_known(mean.sm_activity)) text += ", multiprocessors " + format_percent(mean.sm_activity);
  std::string rest;
  if (is_known(mean.power_w)) rest += fmt::format("{:.0f} W", mean.power_w);
  if (info.power_limit_w) rest += fmt::format(" of {:.0f} W", *info.power_limit_w);
  if (is_known(mean.sm_clock_mhz)) rest += fmt::format(", {:.0f} MHz", mean.sm_clock_mhz);
  const GpuPoint& peak = result.record.peak.gpus[i];
  if (is_known(peak.temperature_c)) rest += fmt::format(", up to {:.0f} °C", peak.temperature_c);
  if (is_known(peak.memory_bytes)) rest += ", memory up to " + bytes(peak.memory_bytes);
  std::string out = line(name, text) + line("", rest);
  if (!result.record.limits[i].empty())
    out += line("", fmt::format("held back by: {}", fmt::join(result.record.limits[i], ", ")));
  return out;
}

std::string process_text(const WatchResult& result) {
  if (!result.record.has_process) return {};
  const HostPoint& host = result.summary.host;
  if (!is_known(host.cpu)) return line("process", "ended before it could be seen");
  std::string out = line(
      "process", fmt::format("{:.1f} of {} cores, {:.0f} processes, {:.0f} threads", host.cpu,
                             result.record.machine.usable_cores, host.processes, host.threads));
  out +=
      line("", fmt::format("memory up to {}, {:.0f} major faults/s",
                           bytes(result.record.peak.host.resident_bytes), host.major_faults_per_s));
  return out +
         line("", fmt::format("{} read from storage, {} written", bytes(result.record.read_bytes),
                              bytes(result.record.written_bytes)));
}

std::string machine_text(const WatchResult& result) {
  const HostPoint& host = result.summary.host;
  std::string text = is_known(host.machine_cpu)
                         ? fmt::format("{} of {} cores in use", format_percent(host.machine_cpu),
                                       result.record.machine.cores)
                         : "cores in use not known";
  if (is_known(host.io_wait))
    text += fmt::format(", {} wait for storage", format_percent(host.io_wait));
  text += is_known(host.disk_busy) ? fmt::format(", disk busy {}", format_percent(host.disk_busy))
                                   : ", no disk to be seen";
  return line("machine", text);
}

std::string rhythm_text(const WatchResult& result) {
  if (!result.summary.gpu) return {};
  const auto& [found, period, p_value] = result.summary.oscillation;
  return line("oscillation", found ? fmt::format("of the GPU's use every {}, p {:.2g}",
                                                 format_seconds(result.summary.period_s), p_value)
                                   : fmt::format("none (p {:.2g})", p_value));
}

}  // namespace

Json to_json(const WatchResult& result) {
  Json gpus = Json::array();
  for (size_t i = 0; i < result.record.machine.gpus.size(); ++i)
    gpus.push_back(gpu_json(result, i));
  const HostPoint& host = result.summary.host;
  const diagnose::Oscillation& rhythm = result.summary.oscillation;
  return {{"watched", result.what},
          {"exit_code", or_null(result.exit_code)},
          {"samples", result.record.samples},
          {"seconds", result.record.seconds},
          {"warm_up_seconds", result.summary.warm_up_s},
          {"gpus", std::move(gpus)},
          {"gpu_absence", result.record.machine.gpu_absence},
          {"process", process_json(result)},
          {"machine",
           {{"cores", result.record.machine.cores},
            {"usable_cores", result.record.machine.usable_cores},
            {"cpu", host.machine_cpu},
            {"io_wait", host.io_wait},
            {"disk_busy", host.disk_busy}}},
          {"oscillation",
           {{"found", rhythm.found},
            {"period_s", rhythm.found ? Json(result.summary.period_s) : Json()},
            {"p_value", rhythm.p_value}}},
          {"notes", result.notes},
          {"verdict", diagnose::to_json(result.verdict)}};
}

std::string report_text(const WatchResult& result) {
  std::string out = line("watched", result.what);
  std::string time =
      fmt::format("{} samples in {}", result.record.samples, format_seconds(result.record.seconds));
  if (result.summary.warm_up_s > 0) {
    time +=
        fmt::format(", the first {} of warm-up left out", format_seconds(result.summary.warm_up_s));
  }
  out += line("", time);
  for (size_t i = 0; i < result.record.machine.gpus.size(); ++i)
    out += gpu_text(result, i);
  if (result.record.machine.gpus.empty()) out += line("GPU", "none");
  out += process_text(result) + machine_text(result) + rhythm_text(result);
  for (const std::string& note : result.notes)
    out += line("note", note);
  return out + verdict_text(result.verdict);
}

}  // namespace seda::cli
