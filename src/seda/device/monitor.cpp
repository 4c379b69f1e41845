// SPDX-License-Identifier: Apache-2.0
#include "seda/device/monitor.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"

namespace seda::device {
namespace {

/// "0000:1B:00.0" and "00000000:1b:00.0" are one place: lower case, domain without leading zeros.
std::string normalized_bus_id(std::string_view bus_id) {
  const auto colon = bus_id.find(':');
  const auto digit = bus_id.find_first_not_of('0');
  if (colon != std::string_view::npos) bus_id.remove_prefix(std::min(colon, digit));
  std::string out(bus_id);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

}  // namespace

std::string to_string(const GpuLink& link) {
  if (link.nvlinks > 0) return fmt::format("NV{}", link.nvlinks);
  switch (link.path) {
    case LinkClass::self:
      return "X";
    case LinkClass::pix:
      return "PIX";
    case LinkClass::pxb:
      return "PXB";
    case LinkClass::phb:
      return "PHB";
    case LinkClass::node:
      return "NODE";
    case LinkClass::sys:
      return "SYS";
    case LinkClass::unknown:
      break;
  }
  return "N/A";
}

std::unique_ptr<Monitor> make_monitor(const std::string& library) {
  try {
    return make_nvml_monitor(library);
  } catch (const Error& error) {
    return make_empty_monitor(error.what());
  }
}

std::optional<int> find_gpu(const Monitor& monitor, std::string_view pci_bus_id) {
  if (pci_bus_id.empty()) return std::nullopt;
  const std::string wanted = normalized_bus_id(pci_bus_id);
  for (int gpu = 0; gpu < monitor.gpu_count(); ++gpu) {
    if (normalized_bus_id(monitor.info(gpu).pci_bus_id) == wanted) return gpu;
  }
  return std::nullopt;
}

}  // namespace seda::device
