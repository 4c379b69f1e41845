// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/stream.h"

namespace seda::device {

/// Enqueues work that keeps `stream` busy for so long and touches nothing: a stand-in for a
/// training step.
///
/// On a GPU one block spins by the device's own timer; the call returns at once. On the CPU the
/// calling thread sleeps, until Ctrl-C at the latest. Error(unavailable) for a GPU in a build
/// without CUDA.
void occupy(StreamView stream, double seconds);

}  // namespace seda::device
