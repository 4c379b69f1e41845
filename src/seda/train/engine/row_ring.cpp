// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/row_ring.h"

#include <utility>

namespace seda::train {
namespace {

constexpr size_t kRingCapacity = 4096;

}  // namespace

RowRing::RowRing(device::StreamView stream, int64_t columns)
    : stream_(stream),
      columns_(columns),
      rows_(torch::zeros({static_cast<int64_t>(kRingCapacity), columns},
                         torch::TensorOptions().pinned_memory(stream.device().is_cuda()))) {}

void RowRing::push(const torch::Tensor& row) {
  if (pushed_ - read_ == kRingCapacity) read(0);
  const size_t place = pushed_ % kRingCapacity;
  rows_[static_cast<int64_t>(place)].copy_(row, /*non_blocking=*/true);
  if (place == copied_.size()) copied_.emplace_back(stream_);
  copied_[place].record(stream_);
  ++pushed_;
}

bool RowRing::ready(size_t pending) const {
  return pushed_ - read_ <= pending || copied_[(pushed_ - pending - 1) % kRingCapacity].done();
}

void RowRing::read(size_t pending) {
  if (pushed_ - read_ <= pending) return;
  const size_t end = pushed_ - pending;
  copied_[(end - 1) % kRingCapacity].synchronize();
  for (; read_ < end; ++read_) {
    const float* row =
        rows_.const_data_ptr<float>() + static_cast<int64_t>(read_ % kRingCapacity) * columns_;
    values_.insert(values_.end(), row, row + columns_);
  }
}

std::vector<float> RowRing::take(size_t pending) {
  read(pending);
  return std::exchange(values_, {});
}

}  // namespace seda::train
