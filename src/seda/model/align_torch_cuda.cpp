// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/torch.h>

#include "seda/model/align_cuda.h"
#include "seda/model/detail/align_torch.h"

namespace seda::model::detail {
namespace {

/// Memory of torch's allocator on torch's current stream. One thread.
class TorchResource final : public device::MemoryResource {
 public:
  explicit TorchResource(int index) : index_(index) {}

  device::Device device() const noexcept override {
    return {.kind = device::DeviceKind::cuda, .index = index_};
  }

 private:
  void* do_allocate(size_t bytes, device::StreamView) override {
    const torch::Device place(torch::kCUDA, static_cast<c10::DeviceIndex>(index_));
    auto memory = torch::empty({static_cast<int64_t>(bytes)},
                               torch::TensorOptions().dtype(torch::kUInt8).device(place));
    void* data = memory.data_ptr();
    held_.emplace(data, std::move(memory));
    return data;
  }

  void do_deallocate(void* data, size_t, device::StreamView) noexcept override {
    held_.erase(data);
  }

  int index_;
  std::unordered_map<void*, torch::Tensor> held_;
};

}  // namespace

void align_torch_cuda(const AlignInput& input, const AlignOutput& output, device::Backend& backend,
                      int index) {
  const auto native =
      c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(index)).stream();
  const device::StreamView stream(backend, index, native);
  TorchResource memory(index);
  const AlignShape shape{.batch = input.batch, .tokens = input.tokens, .frames = input.frames};
  AlignCuda(shape, memory, stream).apply(input, output, stream);
}

}  // namespace seda::model::detail
