// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "seda/python/home_process.h"
#include "seda/python/session.h"

namespace seda::python {

/// The session that a loader feeds from. Where the loader goes elsewhere, another takes its place.
///
/// Thread-safe: who asks meanwhile waits for the new one. Its end stops the session; what was given
/// out stays good. In a forked process every call is an Error(usage), but for `close`, which like
/// its end does nothing there.
class SessionOwner {
 public:
  /// Begins with the first batch.
  explicit SessionOwner(std::shared_ptr<const OpenedFeed> feed);
  ~SessionOwner();
  SessionOwner(const SessionOwner&) = delete;
  SessionOwner& operator=(const SessionOwner&) = delete;

  /// The one at hand; an Error(usage) once closed.
  std::shared_ptr<Session> session();

  /// `Session::next` of the one at hand: a wait in one goes on in that which takes its place.
  std::shared_ptr<HeldBatch> next(uint64_t epoch);

  /// Goes on from `to`. Where that fails it is where it was; closed, where that fails too.
  void seek(const feed::SamplerState& to);

  void close();

 private:
  std::unique_lock<std::timed_mutex> take_turn();

  HomeProcess home_;
  std::function<void()> while_waiting_;
  std::timed_mutex turn_;
  std::shared_ptr<Session> session_;  // of whoever has the turn; null once closed
};

}  // namespace seda::python
