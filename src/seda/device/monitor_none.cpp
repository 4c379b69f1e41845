// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "seda/base/error.h"
#include "seda/device/monitor.h"

namespace seda::device {
namespace {

class EmptyMonitor final : public Monitor {
 public:
  explicit EmptyMonitor(std::string reason) : reason_(std::move(reason)) {}

  std::string absence() const override { return reason_; }
  DriverInfo driver() const override { return {}; }
  int gpu_count() const noexcept override { return 0; }
  GpuInfo info(int gpu) const override { refuse(gpu); }
  GpuSample sample(int gpu) override { refuse(gpu); }
  GpuLink link(int gpu, int /*other*/) const override { refuse(gpu); }

 private:
  [[noreturn]] void refuse(int gpu) const {
    throw_error(ErrorKind::unavailable, "no GPU {} to watch: {}", gpu, reason_);
  }

  std::string reason_;
};

}  // namespace

std::unique_ptr<Monitor> make_empty_monitor(std::string reason) {
  return std::make_unique<EmptyMonitor>(std::move(reason));
}

}  // namespace seda::device
