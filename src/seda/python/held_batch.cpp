// SPDX-License-Identifier: Apache-2.0
#include "seda/python/held_batch.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "seda/base/log.h"
#include "seda/python/session.h"

namespace seda::python {

HeldBatch::HeldBatch(std::shared_ptr<Session> session, feed::BatchLease lease)
    : session_(std::move(session)), lease_(std::move(lease)) {
  ++session_->held_;
  if (!session_->filled_) return;
  filled_.emplace(lease_.stream());
  filled_->record(lease_.stream());
}

HeldBatch::~HeldBatch() {
  --session_->held_;
  release();
}

std::shared_ptr<HeldBatch> HeldBatch::hold(std::shared_ptr<Session> session,
                                           feed::BatchLease lease) {
  const auto end = [](HeldBatch* batch) {
    if (batch->session_->is_at_home()) delete batch;  // else the slot is another process'
  };
  return {new HeldBatch(std::move(session), std::move(lease)), end};
}

device::Device HeldBatch::device() const noexcept {
  return session_->device();
}

void HeldBatch::use_on(device::NativeStream stream) {
  if (!filled_) return;
  const device::StreamView own = lease_.stream();
  const device::StreamView user(own.backend(), own.device().index, stream);
  user.wait(*filled_);
  const MutexLock lock(mutex_);
  if (std::ranges::find(users_, user) == users_.end()) users_.push_back(user);
}

void HeldBatch::release() noexcept {
  const MutexLock lock(mutex_);
  try {
    if (!filled_ || users_.empty()) return lease_.release();
    const device::StreamView last = session_->last_stream();
    last.wait(*filled_);
    for (const device::StreamView user : users_) {
      device::Event used(user);
      used.record(user);
      last.wait(used);
    }
    lease_.release(last);
  } catch (const std::exception& error) {
    log::error("while a batch was given back: {}; streams must outlive the tensors they use",
               error.what());
  }
}

}  // namespace seda::python
