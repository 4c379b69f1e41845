// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>
#include <torch/csrc/cuda/nccl.h>

#include "seda/base/error.h"
#include "seda/train/engine/rank_group_nccl.h"
#include "seda/train/engine/rank_group_tcp.h"

namespace seda::train {
namespace {

namespace nccl = torch::cuda::nccl;

/// Rank 0's id, which reaches the others as the largest of numbers that are zero elsewhere.
nccl::ncclUniqueId shared_id(TcpRankGroup& control, const Ranks& ranks) {
  nccl::ncclUniqueId id{};
  if (ranks.leads()) nccl::get_unique_id(id);
  std::vector<double> numbers;
  for (const char byte : id.internal)
    numbers.push_back(static_cast<unsigned char>(byte));
  const std::vector<double> shared = control.largest(numbers);
  for (size_t i = 0; i < shared.size(); ++i)
    id.internal[i] = static_cast<char>(static_cast<unsigned char>(shared[i]));
  return id;
}

/// Ends what the communicator is doing, so that its stream goes on; torch's wrappers lack it.
void abort(nccl::ncclComm_t communicator) {
  void* library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return;
  using Abort = int (*)(void*);
  const auto function = reinterpret_cast<Abort>(::dlsym(library, "ncclCommAbort"));
  if (function != nullptr) function(communicator);
}

class NcclRankGroup final : public RankGroup {
 public:
  NcclRankGroup(const Ranks& ranks, device::Device device)
      : control_(ranks),
        index_(static_cast<c10::DeviceIndex>(device.index)),
        beside_(c10::cuda::getStreamFromPool(/*isHighPriority=*/true, index_)) {
    const c10::cuda::CUDAGuard guard(index_);
    communicator_ = nccl::comm_init_rank(ranks.count, shared_id(control_, ranks), ranks.rank);
  }

  ~NcclRankGroup() override {
    if (communicator_ != nullptr) nccl::comm_destroy(communicator_);
  }
  NcclRankGroup(const NcclRankGroup&) = delete;
  NcclRankGroup& operator=(const NcclRankGroup&) = delete;

  void start_sum(const torch::Tensor& tensor) override {
    follow(c10::cuda::getCurrentCUDAStream(index_), beside_);
    std::vector<torch::Tensor> tensors = {tensor};
    nccl::all_reduce(tensors, tensors, static_cast<int32_t>(nccl::ncclRedOp::Sum), {beside_},
                     {communicator_});
  }

  void finish() override { follow(beside_, c10::cuda::getCurrentCUDAStream(index_)); }

  std::vector<double> largest(std::span<const double> values) override {
    return control_.largest(values);
  }

  /// A rank that is gone leaves NCCL's kernels waiting for ever.
  void check() override {
    try {
      control_.check();
    } catch (...) {
      if (communicator_ != nullptr) abort(std::exchange(communicator_, nullptr));
      throw;
    }
  }

 private:
  /// Later work on `to` runs after what is on `from` now.
  static void follow(const c10::cuda::CUDAStream& from, const c10::cuda::CUDAStream& to) {
    at::cuda::CUDAEvent event;
    event.record(from);
    event.block(to);
  }

  TcpRankGroup control_;
  c10::DeviceIndex index_;
  c10::cuda::CUDAStream beside_;
  nccl::ncclComm_t communicator_ = nullptr;
};

}  // namespace

std::unique_ptr<RankGroup> make_nccl_rank_group(const Ranks& ranks, device::Device device) {
  return std::make_unique<NcclRankGroup>(ranks, device);
}

}  // namespace seda::train
