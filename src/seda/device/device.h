// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::device {

enum class DeviceKind { cpu, cuda };

/// Where memory lives and work runs: the host, or one GPU. Says nothing about whether it is there.
struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;  ///< As CUDA counts what is visible to the process; 0 for the CPU.

  bool is_cpu() const noexcept { return kind == DeviceKind::cpu; }
  bool is_cuda() const noexcept { return kind == DeviceKind::cuda; }

  auto operator<=>(const Device&) const = default;
};

inline constexpr Device kCpu{};

constexpr Device cuda(int index) noexcept {
  return {.kind = DeviceKind::cuda, .index = index};
}

/// Reads "cpu", "cuda" (the first GPU), "cuda:1" or "1". An Error(usage) quotes `text`.
Device parse_device(std::string_view text);

/// "cpu" or "cuda:1"; `parse_device` reads it back.
std::string to_string(Device device);

}  // namespace seda::device
