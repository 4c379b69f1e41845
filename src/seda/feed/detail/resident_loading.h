// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/feed/detail/resident_plan.h"
#include "seda/feed/resident_corpus.h"

namespace seda::feed::detail {

/// What is read, and where it goes.
struct ResidentTask {
  const ClipSource& source;
  std::span<const ClipLength> clips;
  const ResidentPlan& plan;
  const device::Buffer& sounds;
  const device::Buffer& tokens;
  std::span<ResidentClip> places;  ///< [rows]
};

/// Brings the runs of a resident corpus to their places. Thread-safe: each call of `bring` takes a
/// reader and, unless the corpus lies in host memory, a piece of staging memory that go round.
class ResidentLoading {
 public:
  /// For so many threads.
  ResidentLoading(const ResidentTask& task, const ResidentMemory& memory, int threads);

  /// Reads the clips of a run and enqueues their copy.
  void bring(const ResidentRun& run) SEDA_EXCLUDES(mutex_);

  /// In the order of rows; once, when all runs are there.
  std::vector<ResidentFault> take_faults() SEDA_EXCLUDES(mutex_);

 private:
  /// What a thread works with.
  struct Seat {
    std::unique_ptr<ClipReader> reader;
    device::Buffer staging;  // empty where clips are read into their places
    device::Event copied;
  };
  /// Where the elements of a run are written.
  struct RunMemory {
    std::byte* sounds = nullptr;
    int32_t* tokens = nullptr;
  };

  std::unique_ptr<Seat> take_seat() SEDA_EXCLUDES(mutex_);
  void give_back(std::unique_ptr<Seat> seat) SEDA_EXCLUDES(mutex_);
  RunMemory memory_of(const ResidentRun& run, const Seat& seat) const;
  void read(const ResidentRun& run, const RunMemory& to, ClipReader& reader);
  std::optional<Fault> write(const ClipContent& content, const ResidentRun& run,
                             const RunMemory& to, size_t clip);
  void copy(const ResidentRun& run, const RunMemory& from) const;
  void keep(uint32_t row, Fault fault) SEDA_EXCLUDES(mutex_);

  const ResidentTask task_;
  const device::StreamView stream_;
  const bool staged_;
  Mutex mutex_;
  std::deque<std::unique_ptr<Seat>> seats_ SEDA_GUARDED_BY(mutex_);  // free ones
  std::vector<ResidentFault> faults_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::feed::detail
