// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "seda/device/stream.h"
#include "seda/model/phases.h"
#include "seda/train/engine.h"

namespace seda::train {

/// Times the parts of steps by events on their stream, and the host beside it.
///
/// One thread. Between `take`s it only records.
class PhaseClock final : public model::PhaseListener {
 public:
  explicit PhaseClock(device::StreamView stream) : stream_(stream) {}

  void begin(model::Phase phase) override;
  /// The step's last part is over.
  void end_step();

  /// Of the steps since the last call; waits for them.
  std::vector<PhaseTimes> take();

 private:
  struct Mark {
    model::Phase phase = model::Phase::forward;  ///< That begins here.
    bool ends_step = false;                      ///< Or none does.
    int64_t host_ns = 0;
    device::Event event;
  };

  void mark(model::Phase phase, bool ends_step);

  device::StreamView stream_;
  std::vector<Mark> marks_;
};

}  // namespace seda::train
