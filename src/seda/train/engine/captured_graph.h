// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "seda/device/stream.h"

namespace seda::train {

/// Work that a CUDA graph is made of. Neither function may wait for the device or read anything on
/// the host that changes from one run to the next.
struct CapturedWork {
  std::function<void()> rehearse;  ///< The same work without an effect.
  std::function<void()> run;
  std::string what;  ///< For the message when it cannot be captured: "a step of 16 clips".
};

/// A CUDA graph.
class CapturedGraph {
 public:
  virtual ~CapturedGraph() = default;
  /// Enqueues it on torch's current stream.
  virtual void replay() = 0;
};

/// Makes CUDA graphs of work on one stream.
///
/// Work is rehearsed once on a stream beside, and then captured: a third of a second or so, in
/// which the host waits. All graphs and rehearsals share their memory, which holds because they run
/// one after another and leave their results elsewhere.
class GraphMaker {
 public:
  /// Error(unavailable) in a build without CUDA.
  explicit GraphMaker(device::StreamView stream);
  ~GraphMaker();
  GraphMaker(const GraphMaker&) = delete;
  GraphMaker& operator=(const GraphMaker&) = delete;

  /// To be called in a StreamScope of the stream. Error(internal) where torch cannot capture it.
  std::unique_ptr<CapturedGraph> make(const CapturedWork& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seda::train
