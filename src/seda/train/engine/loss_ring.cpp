// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/loss_ring.h"

#include <utility>

namespace seda::train {
namespace {

constexpr int64_t kCapacity = 4096;

float at(const float* row, LossColumn column) {
  return row[static_cast<int64_t>(column)];
}

}  // namespace

StepLosses losses_of(const float* row) {
  return {.total = at(row, LossColumn::total),
          .prior = at(row, LossColumn::prior),
          .duration = at(row, LossColumn::duration),
          .flow = at(row, LossColumn::flow),
          .gradient_norm = at(row, LossColumn::gradient_norm),
          .finite = at(row, LossColumn::latched) == 0};
}

LossRing::LossRing(device::StreamView stream)
    : stream_(stream),
      rows_(torch::zeros({kCapacity, kLossColumns},
                         torch::TensorOptions().pinned_memory(stream.device().is_cuda()))) {}

void LossRing::push(const torch::Tensor& row) {
  if (pending_ == kCapacity) read();
  rows_[pending_].copy_(row, /*non_blocking=*/true);
  ++pending_;
}

void LossRing::read() {
  stream_.synchronize();
  for (int64_t i = 0; i < pending_; ++i)
    losses_.push_back(losses_of(rows_.const_data_ptr<float>() + i * kLossColumns));
  pending_ = 0;
}

std::vector<StepLosses> LossRing::take() {
  read();
  return std::exchange(losses_, {});
}

}  // namespace seda::train
