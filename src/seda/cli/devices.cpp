// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/devices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/units.h"
#include "seda/device/platform.h"

namespace seda::cli {

Json devices_json() {
  const device::Platform platform;
  Json out = Json::array();
  for (const device::Device device : platform.devices()) {
    const auto properties = platform.properties(device);
    Json entry = {{"device", device::to_string(device)},
                  {"name", properties.name},
                  {"memory_bytes", properties.total_bytes},
                  {"multiprocessors", properties.multiprocessors}};
    if (device.is_cuda()) {
      entry["compute_capability"] =
          fmt::format("{}.{}", properties.compute_major, properties.compute_minor);
      entry["pci_bus_id"] = properties.pci_bus_id;
    }
    out.push_back(entry);
  }
  if (const std::string reason = platform.cuda_absence(); !reason.empty()) {
    out.push_back({{"device", "cuda"}, {"absent", reason}});
  }
  return out;
}

std::string device_text(const Json& device) {
  const auto name = device["device"].get<std::string>();
  if (device.contains("absent")) return name + ": none, " + device["absent"].get<std::string>();
  std::string text = fmt::format("{}: {}, {}, {} {}", name, device["name"].get<std::string>(),
                                 format_bytes(device["memory_bytes"].get<uint64_t>()),
                                 device["multiprocessors"].get<int>(),
                                 device.contains("pci_bus_id") ? "multiprocessors" : "cores");
  if (device.contains("compute_capability")) {
    text += ", compute capability " + device["compute_capability"].get<std::string>();
  }
  return text;
}

}  // namespace seda::cli
