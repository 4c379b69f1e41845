// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/device/backend.h"

namespace seda::device {
namespace {

/// Stands in for CUDA in a build without it: no devices, so nothing else is ever called.
class NoCudaBackend final : public Backend {
 public:
  DeviceKind kind() const noexcept override { return DeviceKind::cuda; }
  int device_count() const noexcept override { return 0; }
  std::string absence() const override {
    return "seda was built without CUDA: build it where a CUDA toolkit is (nvcc on PATH), with "
           "SEDA_WITH_CUDA=ON";
  }

  DeviceProperties properties(int /*index*/) const override { refuse(); }
  DeviceMemory memory(int /*index*/) const override { refuse(); }
  void* allocate(int /*index*/, size_t /*bytes*/) override { refuse(); }
  void deallocate(int /*index*/, void* /*data*/) noexcept override {}
  void* allocate_pinned(int /*index*/, size_t /*bytes*/) override { refuse(); }
  void deallocate_pinned(int /*index*/, void* /*data*/) noexcept override {}
  NativeStream create_stream(int /*index*/, StreamPriority /*priority*/) override { refuse(); }
  void destroy_stream(int /*index*/, NativeStream /*stream*/) noexcept override {}
  void synchronize_stream(int /*index*/, NativeStream /*stream*/) override { refuse(); }
  bool stream_done(int /*index*/, NativeStream /*stream*/) override { refuse(); }
  NativeEvent create_event(int /*index*/, EventTiming /*timing*/) override { refuse(); }
  void destroy_event(int /*index*/, NativeEvent /*event*/) noexcept override {}
  void record_event(int /*index*/, NativeEvent /*event*/, NativeStream /*stream*/) override {
    refuse();
  }
  void wait_event(int /*index*/, NativeStream /*stream*/, NativeEvent /*event*/) override {
    refuse();
  }
  bool event_done(int /*index*/, NativeEvent /*event*/) override { refuse(); }
  void synchronize_event(int /*index*/, NativeEvent /*event*/) override { refuse(); }
  double elapsed_ms(int /*index*/, NativeEvent /*begin*/, NativeEvent /*end*/) override {
    refuse();
  }
  void copy(int /*index*/, Location /*to*/, ConstLocation /*from*/, size_t /*bytes*/,
            NativeStream /*stream*/) override {
    refuse();
  }
  void fill(int /*index*/, void* /*data*/, std::byte /*value*/, size_t /*bytes*/,
            NativeStream /*stream*/) override {
    refuse();
  }
  bool can_reach(int /*index*/, int /*peer*/) const override { return false; }
  void enable_peer(int /*index*/, int /*peer*/) override { refuse(); }

 private:
  [[noreturn]] void refuse() const { throw Error(ErrorKind::unavailable, absence()); }
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend() {
  return std::make_unique<NoCudaBackend>();
}

}  // namespace seda::device
