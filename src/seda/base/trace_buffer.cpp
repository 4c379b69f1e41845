// SPDX-License-Identifier: Apache-2.0
#include "seda/base/trace_buffer.h"

namespace seda {

void TraceBuffer::add_chunk() {
  const MutexLock lock(mutex_);
  current_ = chunks_.emplace_back(std::make_unique<Chunk>()).get();
  used_ = 0;
}

void TraceBuffer::collect(std::vector<TraceEvent>& events) const {
  const MutexLock lock(mutex_);
  for (const auto& chunk : chunks_) {
    const size_t filled = chunk->filled.load(std::memory_order_acquire);
    events.insert(events.end(), chunk->events.begin(), chunk->events.begin() + filled);
  }
}

}  // namespace seda
