// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace seda::model {

/// The parts of a training step. Searching the alignment belongs to the loss: it makes what the
/// networks are compared with.
enum class Phase { forward, loss, backward, optimizer };
inline constexpr size_t kPhases = 4;

/// Is told when a step goes over to another part, or back to one.
class PhaseListener {
 public:
  virtual ~PhaseListener() = default;
  virtual void begin(Phase phase) = 0;
};

}  // namespace seda::model
