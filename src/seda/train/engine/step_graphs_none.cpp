// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/train/engine/step_graphs.h"

namespace seda::train {

struct StepGraphs::State {};

StepGraphs::StepGraphs(TrainingStep& /*step*/, device::StreamView /*stream*/) {
  throw_error(ErrorKind::unavailable,
              "CUDA graphs: this build has no CUDA; set training.enable_graph_mode: false");
}

StepGraphs::~StepGraphs() = default;

void StepGraphs::run(const feed::Batch& /*batch*/, bool /*ends_update*/) {}

size_t StepGraphs::shapes() const noexcept {
  return 0;
}

}  // namespace seda::train
