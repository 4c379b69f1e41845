// SPDX-License-Identifier: Apache-2.0
#include "seda/python/session_owner.h"

#include <exception>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/python/held_batch.h"
#include "seda/python/watchful_lock.h"

namespace seda::python {
namespace {

/// Null where that cannot be, which is said in the log.
std::shared_ptr<Session> try_to_start(std::shared_ptr<const OpenedFeed> feed,
                                      const feed::SamplerState& from) {
  try {
    return Session::start(std::move(feed), from);
  } catch (const std::exception& error) {
    log::error("the loader is closed, since it could not go back to where it was: {}",
               error.what());
    return nullptr;
  }
}

}  // namespace

SessionOwner::SessionOwner(std::shared_ptr<const OpenedFeed> feed)
    : while_waiting_(feed->options.while_waiting), session_(Session::start(std::move(feed), {})) {}

SessionOwner::~SessionOwner() {
  if (session_ != nullptr) session_->stop();
}

std::unique_lock<std::timed_mutex> SessionOwner::take_turn() {
  home_.require();
  auto turn = lock_watchfully(turn_, while_waiting_);
  if (session_ == nullptr) {
    throw_error(ErrorKind::usage, "this loader is closed; make another");
  }
  return turn;
}

std::shared_ptr<Session> SessionOwner::session() {
  const auto turn = take_turn();
  return session_;
}

std::shared_ptr<HeldBatch> SessionOwner::next(uint64_t epoch) {
  for (;;) {
    const auto at_hand = session();
    try {
      return at_hand->next(epoch);
    } catch (const Session::Stopped&) {
      continue;  // another takes its place, or none
    }
  }
}

void SessionOwner::seek(const feed::SamplerState& to) {
  const auto turn = take_turn();
  session_->stop();
  const feed::SamplerState before = session_->loader().state();
  const auto feed = session_->shared_feed();
  session_.reset();  // its memory, where none of it is held, is that of the next
  try {
    session_ = Session::start(feed, to);
  } catch (...) {
    session_ = try_to_start(feed, before);
    throw;
  }
}

void SessionOwner::close() {
  if (!home_.is_here()) return;
  std::shared_ptr<Session> ending;
  {
    const std::lock_guard turn(turn_);
    ending = std::move(session_);
  }
  if (ending != nullptr) ending->stop();
}

}  // namespace seda::python
