// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/gang.h"

#include "seda/train/engine/gang_nccl.h"
#include "seda/train/engine/gang_tcp.h"

namespace seda::train {

void sum(Gang& gang, const torch::Tensor& tensor) {
  gang.start_sum(tensor);
  gang.finish();
}

void share_from_first(Gang& gang, const Ranks& ranks, const torch::Tensor& tensor) {
  if (!ranks.leads()) tensor.zero_();
  sum(gang, tensor);
}

std::unique_ptr<Gang> join_gang(const Ranks& ranks, device::Device device) {
  if (device.is_cpu()) return std::make_unique<TcpGang>(ranks);
  return make_nccl_gang(ranks, device);
}

}  // namespace seda::train
