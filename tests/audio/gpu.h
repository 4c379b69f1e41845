// SPDX-License-Identifier: Apache-2.0
// A GPU for tests, which skip where there is none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/device/upload.h"
#include "tests/support/statistics_resource.h"

namespace seda::audio::testing_support {

inline const device::Platform& platform() {
  static const device::Platform machine;
  return machine;
}

/// A stream and its memory.
class Gpu {
 public:
  template <typename T>
  device::Buffer upload(const std::vector<T>& values) {
    return device::upload<T>(values, memory_, stream_);
  }

  template <typename T>
  std::vector<T> download(const device::Buffer& buffer) {
    std::vector<T> out(buffer.bytes() / sizeof(T));
    device::copy(device::on_host(out.data()), buffer.location(), out.size() * sizeof(T), stream_);
    stream_.synchronize();
    return out;
  }

  device::StreamView stream() { return stream_; }
  seda::testing_support::StatisticsResource& memory() { return memory_; }

 private:
  device::Stream stream_{platform(), device::cuda(0)};
  device::PlainResource plain_{platform(), device::cuda(0)};
  seda::testing_support::StatisticsResource memory_{plain_};
};

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = platform().cuda_absence(); !why.empty()) GTEST_SKIP() << why;
    gpu_.emplace();
  }

  std::optional<Gpu> gpu_;
};

}  // namespace seda::audio::testing_support
