// SPDX-License-Identifier: Apache-2.0
#include "tests/device/world.h"

#include <fmt/format.h>

#include "seda/device/copy.h"

namespace seda::device {
namespace {

class FakeGate final : public Gate {
 public:
  FakeGate(testing_support::FakeBackend& backend, StreamView stream)
      : backend_(backend), stream_(stream) {
    backend_.hold(stream_);
  }
  ~FakeGate() override { open(); }

  void open() override {
    if (!open_) backend_.release(stream_);
    open_ = true;
  }
  bool gave_up() override { return false; }

 private:
  testing_support::FakeBackend& backend_;
  StreamView stream_;
  bool open_ = false;
};

}  // namespace

std::string to_string(WorldKind kind) {
  switch (kind) {
    case WorldKind::cpu:
      return "cpu";
    case WorldKind::fake:
      return "fake";
    case WorldKind::cuda:
      break;
  }
  return "cuda";
}

World::World(WorldKind kind) : kind_(kind) {
  if (kind == WorldKind::fake) {
    fake_ = std::make_unique<testing_support::FakePlatform>();
  } else {
    machine_ = std::make_unique<Platform>();
  }
}

std::string World::absence() const {
  if (platform().has(device())) return {};
  return fmt::format("needs {}: {}", to_string(device()), platform().cuda_absence());
}

std::unique_ptr<Gate> World::close_gate(StreamView stream) const {
  if (kind_ == WorldKind::fake) return std::make_unique<FakeGate>(fake(), stream);
  return kind_ == WorldKind::cuda ? make_cuda_gate(stream) : nullptr;
}

std::vector<uint8_t> pattern(size_t bytes, uint32_t seed) {
  std::vector<uint8_t> out(bytes);
  uint32_t state = seed * 2654435761U + 1;
  for (uint8_t& byte : out) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<uint8_t>(state >> 24U);
  }
  return out;
}

void write_bytes(const std::vector<uint8_t>& bytes, Location to, StreamView stream) {
  copy(to, on_host(bytes.data()), bytes.size(), stream);
  stream.synchronize();
}

std::vector<uint8_t> read_bytes(ConstLocation from, size_t bytes, StreamView stream) {
  std::vector<uint8_t> out(bytes);
  copy(on_host(out.data()), from, bytes, stream);
  stream.synchronize();
  return out;
}

}  // namespace seda::device
