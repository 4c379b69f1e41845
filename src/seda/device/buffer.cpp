// SPDX-License-Identifier: Apache-2.0
#include "seda/device/buffer.h"

#include <utility>

namespace seda::device {

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      resource_(std::exchange(other.resource_, nullptr)),
      stream_(other.stream_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this == &other) return *this;
  reset();
  data_ = std::exchange(other.data_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  resource_ = std::exchange(other.resource_, nullptr);
  stream_ = other.stream_;
  return *this;
}

void Buffer::reset() noexcept {
  if (data_ != nullptr) resource_->deallocate(data_, bytes_, stream_);
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace seda::device
