// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/device/copy.h"
#include "seda/feed/batch_layout.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/captured_graph.h"
#include "seda/train/engine/step_graphs.h"

namespace seda::train {
namespace {

using ShapeKey = std::tuple<int, int, int, int>;

ShapeKey key_of(const feed::BatchShape& shape) {
  return {shape.batch, shape.tokens, shape.frames, shape.n_mels};
}

/// The batch that the graphs of one shape read.
struct FixedBatch {
  FixedBatch(const feed::BatchShape& batch_shape, torch::Device device)
      : shape(batch_shape),
        memory(torch::zeros({static_cast<int64_t>(feed::batch_bytes(shape))},
                            torch::TensorOptions().dtype(torch::kUInt8).device(device))),
        tensors(batch_tensors(shape, feed::batch_arrays(shape, memory.data_ptr()), device)) {}

  /// The arrays of a batch lie one after another, so that one copy is enough.
  void copy(const feed::Batch& batch, device::StreamView stream) const {
    device::copy({.data = memory.data_ptr(), .device = stream.device()},
                 {batch.arrays.mel, stream.device()}, feed::batch_bytes(shape), stream);
  }

  feed::BatchShape shape;
  torch::Tensor memory;  // [bytes]
  model::ModelBatch tensors;
};

/// A batch whose arrays lie elsewhere than its layout says could not be copied as a whole.
void check_layout(const feed::Batch& batch) {
  const feed::BatchArrays planned = feed::batch_arrays(batch.shape, batch.arrays.mel);
  const feed::BatchArrays& found = batch.arrays;
  const bool same = planned.tokens == found.tokens && planned.mel_lengths == found.mel_lengths &&
                    planned.token_lengths == found.token_lengths &&
                    planned.speakers == found.speakers && planned.languages == found.languages;
  if (same) return;
  throw_error(ErrorKind::usage,
              "a batch for a CUDA graph: expected arrays one after another as in "
              "batch_layout.h, found others");
}

}  // namespace

struct StepGraphs::State {
  State(TrainingStep& training_step, device::StreamView step_stream)
      : step(training_step),
        stream(step_stream),
        device(torch_device(step_stream.device())),
        maker(step_stream) {}

  FixedBatch& fixed_batch(const feed::BatchShape& shape) {
    return batches.try_emplace(key_of(shape), shape, device).first->second;
  }

  std::unique_ptr<CapturedGraph> make(const FixedBatch& batch, bool ends_update) {
    return maker.make(
        {.rehearse = [&] { step.rehearse(batch.tensors, ends_update); },
         .run = [&] { step.run(batch.tensors, ends_update); },
         .what = fmt::format("a step of {} clips, {} tokens and {} frames", batch.shape.batch,
                             batch.shape.tokens, batch.shape.frames)});
  }

  TrainingStep& step;
  device::StreamView stream;
  torch::Device device;
  GraphMaker maker;
  std::map<ShapeKey, FixedBatch> batches;
  std::map<std::pair<ShapeKey, bool>, std::unique_ptr<CapturedGraph>> graphs;
};

StepGraphs::StepGraphs(TrainingStep& step, device::StreamView stream)
    : state_(std::make_unique<State>(step, stream)) {}

StepGraphs::~StepGraphs() = default;

void StepGraphs::run(const feed::Batch& batch, bool ends_update) {
  check_layout(batch);
  const FixedBatch& fixed = state_->fixed_batch(batch.shape);
  fixed.copy(batch, state_->stream);
  auto& graph = state_->graphs[{key_of(batch.shape), ends_update}];
  if (graph == nullptr) graph = state_->make(fixed, ends_update);
  graph->replay();
}

size_t StepGraphs::shapes() const noexcept {
  return state_->batches.size();
}

}  // namespace seda::train
