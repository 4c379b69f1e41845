// SPDX-License-Identifier: Apache-2.0
#include "seda/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stop_token>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "seda/base/interrupt.h"
#include "seda/base/mutex.h"
#include "seda/base/thread.h"

namespace seda {
namespace {

/// The pieces still to be done and the first thing that went wrong.
class Pieces {
 public:
  Pieces(size_t count, size_t grain) : count_(count), grain_(grain) {}

  void work(const std::function<void(size_t, size_t)>& body) {
    try {
      while (!stopped_.load(std::memory_order_relaxed)) {
        throw_if_interrupted();
        const size_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
        if (begin >= count_) return;
        body(begin, std::min(count_, begin + grain_));
      }
    } catch (...) {
      stop(std::current_exception());
    }
  }

  void rethrow() const {
    const MutexLock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void stop(std::exception_ptr error) {
    const MutexLock lock(mutex_);
    if (!error_) error_ = std::move(error);
    stopped_.store(true, std::memory_order_relaxed);
  }

  const size_t count_;
  const size_t grain_;
  std::atomic<size_t> next_{0};
  std::atomic<bool> stopped_{false};
  mutable Mutex mutex_;
  std::exception_ptr error_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace

void parallel_for(size_t count, const ParallelOptions& options,
                  const std::function<void(size_t begin, size_t end)>& body) {
  const size_t grain = std::max<size_t>(1, options.grain);
  const size_t pieces = (count + grain - 1) / grain;
  const size_t wanted = options.threads > 0 ? static_cast<size_t>(options.threads)
                                            : static_cast<size_t>(usable_cores());
  const size_t threads = std::min(wanted, pieces);
  Pieces work(count, grain);
  if (threads <= 1) {
    work.work(body);
  } else {
    const std::stop_token stop = StopScope::current();  // outlives the workers
    std::vector<std::jthread> workers;
    workers.reserve(threads);
    for (size_t i = 0; i < threads; ++i) {
      workers.emplace_back([&, i] {
        const StopScope heeded(stop);
        set_thread_name(fmt::format("{}-{}", options.name, i));
        work.work(body);
      });
    }
  }
  work.rethrow();
}

}  // namespace seda
