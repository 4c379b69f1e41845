// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/train/engine/captured_graph.h"

namespace seda::train {

struct GraphMaker::State {};

GraphMaker::GraphMaker(device::StreamView /*stream*/) {
  throw_error(ErrorKind::unavailable,
              "CUDA graphs: this build has no CUDA; set training.enable_graph_mode: false");
}

GraphMaker::~GraphMaker() = default;

std::unique_ptr<CapturedGraph> GraphMaker::make(const CapturedWork& /*work*/) {
  return nullptr;
}

}  // namespace seda::train
