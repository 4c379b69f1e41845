// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/metrics_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/utf8.h"

namespace seda::diagnose {
namespace {

std::string head(std::string_view metric, std::string_view help) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", metric, help);
}

std::string labels(const device::GpuInfo& gpu) {
  return fmt::format(R"({{gpu="{}",name="{}"}})", gpu.index, metric_label(gpu.name));
}

std::string constant(std::string_view metric, std::string_view help, double value) {
  return is_known(value) ? head(metric, help) + fmt::format("{} {}\n", metric, value) : "";
}

/// One value for each GPU that has it.
template <typename Value>
std::string for_gpus(const WatchedMachine& machine, std::string_view metric, std::string_view help,
                     const Value& value_of) {
  std::string lines;
  for (size_t i = 0; i < machine.gpus.size(); ++i) {
    const double value = value_of(i);
    if (is_known(value)) lines += fmt::format("{}{} {}\n", metric, labels(machine.gpus[i]), value);
  }
  return lines.empty() ? "" : head(metric, help) + lines;
}

std::string machine_text(const WatchedMachine& machine) {
  std::string out =
      constant("seda_gpu_count", "GPUs watched.", static_cast<double>(machine.gpus.size())) +
      constant("seda_machine_cores", "Cores of the machine.", machine.cores) +
      constant("seda_process_usable_cores", "Cores that may be used.", machine.usable_cores) +
      constant("seda_machine_memory_total_bytes", "Memory of the machine.",
               machine.memory_total_bytes);
  out += for_gpus(machine, "seda_gpu_memory_total_bytes", "Memory of the GPU.", [&](size_t i) {
    const auto& bytes = machine.gpus[i].memory_total_bytes;
    return bytes ? static_cast<double>(*bytes) : kUnknown;
  });
  return out + for_gpus(machine, "seda_gpu_power_limit_watts", "Power limit.",
                        [&](size_t i) { return machine.gpus[i].power_limit_w.value_or(kUnknown); });
}

}  // namespace

std::string metric_label(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const char32_t character = decode_utf8(text, at);
    if (character == U'\n') {
      out += "\\n";
      continue;
    }
    if (character == U'\\' || character == U'"') out += '\\';
    append_utf8(out, character);
  }
  return out;
}

std::string metrics_text(const WatchedMachine& machine, const WatchSample& sample) {
  std::string out = machine_text(machine);
  for (const auto& field : host_fields())
    out += constant(field.metric, field.help, field.scale * sample.host.*field.value);
  for (const auto& field : gpu_fields()) {
    out += for_gpus(machine, field.metric, field.help, [&](size_t i) {
      return i < sample.gpus.size() ? field.scale * sample.gpus[i].*field.value : kUnknown;
    });
  }
  return out;
}

}  // namespace seda::diagnose
