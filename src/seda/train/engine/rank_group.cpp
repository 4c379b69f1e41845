// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/rank_group.h"

#include "seda/train/engine/rank_group_nccl.h"
#include "seda/train/engine/rank_group_tcp.h"

namespace seda::train {

void sum(RankGroup& group, const torch::Tensor& tensor) {
  group.start_sum(tensor);
  group.finish();
}

void share_from_first(RankGroup& group, const Ranks& ranks, const torch::Tensor& tensor) {
  if (!ranks.leads()) tensor.zero_();
  sum(group, tensor);
}

std::unique_ptr<RankGroup> join_rank_group(const Ranks& ranks, device::Device device) {
  if (device.is_cpu()) return std::make_unique<TcpRankGroup>(ranks);
  return make_nccl_rank_group(ranks, device);
}

}  // namespace seda::train
