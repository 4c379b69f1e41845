// SPDX-License-Identifier: Apache-2.0
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/train/stream_scope.h"

namespace seda::train {

struct StreamScope::State {
  explicit State(const c10::cuda::CUDAStream& stream) : guard(stream) {}

  c10::cuda::CUDAStreamGuard guard;
};

StreamScope::StreamScope(device::StreamView stream) {
  if (stream.device().is_cpu()) return;
  auto* const native = static_cast<cudaStream_t>(stream.native());
  const auto index = static_cast<c10::DeviceIndex>(stream.device().index);
  state_ = std::make_unique<State>(c10::cuda::getStreamFromExternal(native, index));
}

StreamScope::~StreamScope() = default;

}  // namespace seda::train
