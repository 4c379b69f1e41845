// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/device/stream.h"
#include "seda/feed/batch.h"

namespace seda::python {

class Session;

/// A batch in the hands of a host language: the batch object and every tensor made of it share it.
/// When the last of them is gone its slot goes back, behind all work on the streams that use it.
///
/// Thread-safe; may end in any thread. In a forked process its end does nothing.
class HeldBatch {
 public:
  static std::shared_ptr<HeldBatch> hold(std::shared_ptr<Session> session, feed::BatchLease lease);

  const feed::Batch& batch() const noexcept { return *lease_; }
  device::Device device() const noexcept;
  Session& session() const noexcept { return *session_; }

  /// Later work on `stream`, which is of the batch's device, finds the batch filled, and the slot
  /// is not filled anew before that work is done. Nothing to do on the CPU. A stream that was
  /// destroyed before the batch ends is an error in the log.
  void use_on(device::NativeStream stream);

 private:
  HeldBatch(std::shared_ptr<Session> session, feed::BatchLease lease);
  ~HeldBatch();
  void release() noexcept;

  std::shared_ptr<Session> session_;
  feed::BatchLease lease_;
  std::optional<device::Event> filled_;  // none on the CPU
  Mutex mutex_;
  std::vector<device::StreamView> users_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::python
