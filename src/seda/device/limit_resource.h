// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "seda/device/memory_resource.h"

namespace seda::device {

struct LimitOptions {
  uint64_t limit_bytes = 0;
  std::string role;  ///< Whose budget it is, for example "the data role".
  std::string hint;  ///< What to lower or raise, for example "lower data.batch_size".

  bool operator==(const LimitOptions&) const = default;
};

/// A hard budget: what is given through it never adds up to more than the limit.
///
/// What goes over is an Error(memory) that names role, asked, in use, limit and the hint, and
/// reaches nobody below. Counts the bytes asked for, not what the resource below makes of them.
class LimitResource final : public MemoryResource {
 public:
  LimitResource(MemoryResource& upstream, LimitOptions options);

  Device device() const noexcept override { return upstream_.device(); }
  uint64_t limit_bytes() const noexcept { return options_.limit_bytes; }
  uint64_t used_bytes() const noexcept { return used_.load(std::memory_order_relaxed); }

 private:
  void* do_allocate(size_t bytes, StreamView stream) override;
  void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept override;
  void reserve(size_t bytes);

  MemoryResource& upstream_;
  LimitOptions options_;
  std::atomic<uint64_t> used_{0};
};

}  // namespace seda::device
