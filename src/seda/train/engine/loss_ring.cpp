// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/loss_ring.h"

#include <utility>

namespace seda::train {
namespace {

constexpr size_t kCapacity = 4096;

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
      rows_(torch::zeros({static_cast<int64_t>(kCapacity), kLossColumns},
                         torch::TensorOptions().pinned_memory(stream.device().is_cuda()))) {}

void LossRing::push(const torch::Tensor& row) {
  if (pushed_ - read_ == kCapacity) read(0);
  const size_t place = pushed_ % kCapacity;
  rows_[static_cast<int64_t>(place)].copy_(row, /*non_blocking=*/true);
  if (place == copied_.size()) copied_.emplace_back(stream_);
  copied_[place].record(stream_);
  ++pushed_;
}

bool LossRing::ready(size_t pending) const {
  return pushed_ - read_ <= pending || copied_[(pushed_ - pending - 1) % kCapacity].done();
}

void LossRing::read(size_t pending) {
  if (pushed_ - read_ <= pending) return;
  const size_t end = pushed_ - pending;
  copied_[(end - 1) % kCapacity].synchronize();
  for (; read_ < end; ++read_) {
    losses_.push_back(losses_of(rows_.const_data_ptr<float>() +
                                static_cast<int64_t>(read_ % kCapacity) * kLossColumns));
  }
}

std::vector<StepLosses> LossRing::take(size_t pending) {
  read(pending);
  return std::exchange(losses_, {});
}

}  // namespace seda::train
