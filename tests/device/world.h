// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "seda/device/platform.h"
#include "tests/device/gate.h"
#include "tests/support/fake_backend.h"

namespace seda::device {

/// The kinds of device every suite runs on: the CPU, a fake GPU, and a real one where there is one.
enum class WorldKind { cpu, fake, cuda };

std::string to_string(WorldKind kind);
inline void PrintTo(WorldKind kind, std::ostream* out) {
  *out << to_string(kind);
}
inline const std::vector<WorldKind> kWorldKinds = {WorldKind::cpu, WorldKind::fake,
                                                   WorldKind::cuda};

/// A platform and the device of it that a test runs on.
class World {
 public:
  explicit World(WorldKind kind);

  const Platform& platform() const { return fake_ ? fake_->platform : *machine_; }
  Device device() const { return kind_ == WorldKind::cpu ? kCpu : cuda(0); }
  WorldKind kind() const { return kind_; }

  /// Why the device is not here; empty where it is.
  std::string absence() const;

  /// Only in the fake world.
  testing_support::FakeBackend& fake() const { return *fake_->backend; }

  /// Stops `stream` until the gate opens. nullptr on the CPU, whose streams cannot be stopped.
  std::unique_ptr<Gate> close_gate(StreamView stream) const;

 private:
  WorldKind kind_;
  std::unique_ptr<testing_support::FakePlatform> fake_;
  std::unique_ptr<Platform> machine_;
};

/// Bytes that no other seed gives.
std::vector<uint8_t> pattern(size_t bytes, uint32_t seed);

/// Blocking copies between a vector and a place.
void write_bytes(const std::vector<uint8_t>& bytes, Location to, StreamView stream);
std::vector<uint8_t> read_bytes(ConstLocation from, size_t bytes, StreamView stream);

}  // namespace seda::device

/// First line of a test that needs the world's device.
#define SEDA_SKIP_UNLESS_PRESENT(world) \
  if (const std::string why = (world).absence(); !why.empty()) GTEST_SKIP() << why
