// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "seda/config/config.h"
#include "seda/dataset/utterance.h"
#include "seda/device/platform.h"
#include "seda/device/stream.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"
#include "seda/feed/open_clips.h"
#include "seda/python/home_process.h"

namespace seda::python {

class HeldBatch;

/// What a loader was asked for.
struct SessionOptions {
  std::filesystem::path corpus;
  config::Config config;
  dataset::Split split = dataset::Split::train;
  int rank = 0;
  int ranks = 1;
  int local_ranks = 1;  ///< On this machine, which share its cores.
  bool shuffle = true;
  bool drop_last = false;
  bool use_cache = true;                ///< Off: raw files.
  std::function<void()> while_waiting;  ///< See `feed::FeedOptions`.
};

/// Clips, the devices they are fed to, and how: what stays when a session starts elsewhere.
struct OpenedFeed {
  device::Platform platform;
  feed::OpenedClips clips;
  feed::FeedOptions options;
};

/// Finds the devices and opens the clips, which are prepared first where that is needed.
std::shared_ptr<const OpenedFeed> open_feed(const SessionOptions& options);

/// A loader for a host language, whose batches live as long as anyone there has use for them.
///
/// Thread-safe: each batch is given to one caller. Its threads end with `stop`, its memory when its
/// owner and every batch it has given out are gone, in the thread that lets go of the last.
///
/// In a forked process every call is an Error(usage), and `stop` and its end do nothing.
class Session : public std::enable_shared_from_this<Session> {
 public:
  /// What a call of `next` throws once the session is stopped.
  struct Stopped {};

  static std::shared_ptr<Session> start(std::shared_ptr<const OpenedFeed> feed,
                                        const feed::SamplerState& from);

  /// Of the batch that comes next: where an epoch has been given out, the start of the one after.
  feed::SamplerState position();

  /// The next batch of that epoch; null where all of it were given out, or it is not the one at
  /// hand. Where all slots are held by batches that are still alive, waiting would be forever: an
  /// Error(usage) says so.
  std::shared_ptr<HeldBatch> next(uint64_t epoch);

  /// Ends its threads, and the calls of `next` that wait. Batches stay good. Takes as long as the
  /// clips at hand.
  void stop();

  feed::Loader& loader();
  /// See `feed::order_digest`. Plans the feed once more.
  std::string order() const;
  const OpenedFeed& feed() const noexcept { return *feed_; }
  std::shared_ptr<const OpenedFeed> shared_feed() const noexcept { return feed_; }
  device::Device device() const noexcept { return feed_->options.roles.model; }
  int slots() const noexcept { return slots_; }
  int held() const noexcept { return held_; }

  /// Whether this is the process that it was started in.
  bool is_at_home() const noexcept { return home_.is_here(); }

 private:
  friend class HeldBatch;
  Session(std::shared_ptr<const OpenedFeed> feed, const feed::SamplerState& from);
  ~Session() = default;
  void watch() const;
  feed::SamplerState pass_end_of_epoch();
  device::StreamView stream() const;
  device::StreamView last_stream() const;

  std::shared_ptr<const OpenedFeed> feed_;
  HomeProcess home_;
  std::optional<device::Stream> filled_;    // follows the filling of batches; none on the CPU
  std::optional<device::Stream> released_;  // follows their last use
  std::unique_ptr<feed::Loader> loader_;
  int slots_;
  std::atomic<int> held_{0};
  std::atomic<bool> stopped_{false};
  std::timed_mutex turn_;
};

}  // namespace seda::python
