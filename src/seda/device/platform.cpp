// SPDX-License-Identifier: Apache-2.0
#include "seda/device/platform.h"

#include <utility>

#include <fmt/ranges.h>

#include "seda/base/error.h"

namespace seda::device {

Platform::Platform() : Platform(make_cpu_backend(), make_cuda_backend()) {}

Platform::Platform(std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> cuda)
    : cpu_(std::move(cpu)), cuda_(std::move(cuda)) {}

std::vector<Device> Platform::devices() const {
  std::vector<Device> all = {kCpu};
  for (int index = 0; index < cuda_->device_count(); ++index)
    all.push_back(cuda(index));
  return all;
}

bool Platform::has(Device device) const noexcept {
  return device.index >= 0 && device.index < family(device.kind).device_count();
}

std::string Platform::cuda_absence() const {
  return cuda_->absence();
}

Backend& Platform::backend(Device device) const {
  if (has(device)) return family(device.kind);
  std::vector<std::string> names;
  for (const Device present : devices())
    names.push_back(to_string(present));
  const std::string reason = family(device.kind).absence();
  throw_error(ErrorKind::unavailable, "no device {}: this machine has {}{}{}", to_string(device),
              fmt::join(names, ", "), reason.empty() ? "" : "; ", reason);
}

DeviceProperties Platform::properties(Device device) const {
  return backend(device).properties(device.index);
}

DeviceMemory Platform::memory(Device device) const {
  return backend(device).memory(device.index);
}

StreamView Platform::default_stream(Device device) const {
  return {backend(device), device.index, nullptr};
}

bool Platform::can_reach(Device from, Device to) const {
  Backend& from_backend = backend(from);
  Backend& to_backend = backend(to);
  if (from == to) return true;
  return &from_backend == &to_backend && from_backend.can_reach(from.index, to.index);
}

void Platform::enable_peer(Device from, Device to) const {
  if (from == to) return;
  if (!can_reach(from, to)) {
    throw_error(ErrorKind::unavailable,
                "{} cannot address the memory of {}: copies between them go through the host",
                to_string(from), to_string(to));
  }
  backend(from).enable_peer(from.index, to.index);
}

Backend& Platform::family(DeviceKind kind) const noexcept {
  return kind == DeviceKind::cpu ? *cpu_ : *cuda_;
}

}  // namespace seda::device
