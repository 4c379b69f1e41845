// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/device/detail/block_map.h"
#include "seda/device/memory_resource.h"

namespace seda::device {

struct PoolOptions {
  size_t chunk_bytes = size_t{64} << 20;  ///< Least taken from upstream at a time.

  bool operator==(const PoolOptions&) const = default;
};

struct PoolStatistics {
  uint64_t used_bytes = 0;      ///< Given out, rounded up to `kAlignment`.
  uint64_t reserved_bytes = 0;  ///< Taken from upstream.
  uint64_t peak_used_bytes = 0;
  uint64_t largest_free_bytes = 0;  ///< The most that can be given without growing.
  uint64_t chunks = 0;
  uint64_t stream_waits = 0;  ///< Times a stream was made to wait for another to reuse its memory.
  uint64_t host_waits = 0;    ///< Times the host waited for a copy to leave host memory.
};

/// Keeps freed memory and gives it out again, without a call to the device.
///
/// Best fit; free neighbours within a chunk are joined, memory in use never moves, chunks are never
/// joined: free memory may be in pieces too small for a request, and then the pool grows. It grows
/// by a chunk, or where upstream refuses that, by just what was asked, after giving back what is
/// wholly free.
///
/// Reuse is ordered by stream. Memory freed on a stream is at once free for that stream. For
/// another, a piece whose work has run is preferred; otherwise that stream is made to wait by
/// event, not the host. Host memory is the caller's at once, so there the host waits, and only for
/// the last use of that very piece.
class PoolResource final : public MemoryResource {
 public:
  explicit PoolResource(MemoryResource& upstream, PoolOptions options = {});
  ~PoolResource() override;

  Device device() const noexcept override { return upstream_.device(); }

  /// Gives every wholly free chunk back, waiting for its last use. Returns the bytes.
  size_t trim();

  PoolStatistics statistics() const;

 private:
  void* do_allocate(size_t bytes, StreamView stream) override;
  void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept override;

  bool ready(detail::Marks& marks, StreamView stream) SEDA_REQUIRES(mutex_);
  void wait_for(const detail::Marks& marks, StreamView stream);
  void grow(size_t bytes, StreamView stream) SEDA_REQUIRES(mutex_);
  void* take_from_upstream(size_t& bytes, StreamView stream) SEDA_REQUIRES(mutex_);
  size_t return_free_chunks() SEDA_REQUIRES(mutex_);
  bool return_chunk(const detail::Chunk& chunk, const detail::Marks& marks) noexcept;
  detail::Marks mark(StreamView stream) SEDA_REQUIRES(mutex_);
  std::shared_ptr<Event> spare_event(StreamView stream) SEDA_REQUIRES(mutex_);
  void keep_event(std::shared_ptr<Event> event) SEDA_REQUIRES(mutex_);

  MemoryResource& upstream_;
  PoolOptions options_;
  mutable Mutex mutex_;
  detail::BlockMap blocks_ SEDA_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Event>> spare_events_ SEDA_GUARDED_BY(mutex_);
  uint64_t marks_made_ SEDA_GUARDED_BY(mutex_) = 0;
  PoolStatistics counted_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::device
