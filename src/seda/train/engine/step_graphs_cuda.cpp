// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>

#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/device/copy.h"
#include "seda/feed/batch_layout.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/step_graphs.h"

namespace seda::train {
namespace {

constexpr int kRehearsals = 3;

using ShapeKey = std::tuple<int, int, int, int>;

ShapeKey key_of(const feed::BatchShape& shape) {
  return {shape.batch, shape.tokens, shape.frames, shape.n_mels};
}

/// Later work on `to` runs after what is on `from` now.
void order(const c10::cuda::CUDAStream& from, const c10::cuda::CUDAStream& to) {
  at::cuda::CUDAEvent event;
  event.record(from);
  event.block(to);
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

/// Ends a capture that failed, which torch does not do without an error of its own.
void give_up(at::cuda::CUDAGraph& graph) noexcept {
  try {
    graph.capture_end();
  } catch (const c10::Error& error) {
    log::debug("capture that failed: {}", error.what_without_backtrace());
  }
}

[[noreturn]] void throw_not_captured(const c10::Error& error, const feed::BatchShape& shape) {
  const std::string text = error.what_without_backtrace();
  throw_error(
      ErrorKind::internal,
      "a step of {} clips, {} tokens and {} frames cannot be captured as a CUDA graph ({}); "
      "set training.enable_graph_mode: false",
      shape.batch, shape.tokens, shape.frames, text.substr(0, text.find('\n')));
}

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

struct StepGraphs::Graphs {
  Graphs(TrainingStep& training_step, device::StreamView step_stream)
      : step(training_step),
        stream(step_stream),
        device(torch_device(step_stream.device())),
        beside(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        pool(at::cuda::graph_pool_handle()) {}

  FixedBatch& fixed_batch(const feed::BatchShape& shape) {
    return batches.try_emplace(key_of(shape), shape, device).first->second;
  }

  void rehearse(const FixedBatch& batch, bool ends_update) {
    for (int i = 0; i < kRehearsals; ++i)
      step.rehearse(batch.tensors, ends_update);
    beside.synchronize();
    c10::cuda::CUDACachingAllocator::emptyCache();  // what only rehearsals needed
  }

  std::unique_ptr<at::cuda::CUDAGraph> capture(const FixedBatch& batch, bool ends_update) {
    auto graph = std::make_unique<at::cuda::CUDAGraph>();
    // Other threads may go on with their own calls to CUDA.
    graph->capture_begin(pool, cudaStreamCaptureModeThreadLocal);
    try {
      step.run(batch.tensors, ends_update);
    } catch (const c10::OutOfMemoryError&) {
      give_up(*graph);
      throw;
    } catch (const c10::Error& error) {
      give_up(*graph);
      throw_not_captured(error, batch.shape);
    }
    graph->capture_end();
    return graph;
  }

  /// What the graph is to be made of is on the engine's stream, which waits for it afterwards.
  std::unique_ptr<at::cuda::CUDAGraph> make(const FixedBatch& batch, bool ends_update) {
    const auto current = c10::cuda::getCurrentCUDAStream(device.index());
    order(current, beside);
    std::unique_ptr<at::cuda::CUDAGraph> graph;
    {
      const c10::cuda::CUDAStreamGuard guard(beside);
      rehearse(batch, ends_update);
      graph = capture(batch, ends_update);
    }
    order(beside, current);
    return graph;
  }

  TrainingStep& step;
  device::StreamView stream;
  torch::Device device;
  c10::cuda::CUDAStream beside;
  at::cuda::MempoolId_t pool;
  std::map<ShapeKey, FixedBatch> batches;
  std::map<std::pair<ShapeKey, bool>, std::unique_ptr<at::cuda::CUDAGraph>> graphs;
};

StepGraphs::StepGraphs(TrainingStep& step, device::StreamView stream)
    : graphs_(std::make_unique<Graphs>(step, stream)) {}

StepGraphs::~StepGraphs() = default;

bool StepGraphs::has(const feed::BatchShape& shape, bool ends_update) const {
  return graphs_->graphs.contains({key_of(shape), ends_update});
}

void StepGraphs::run(const feed::Batch& batch, bool ends_update) {
  check_layout(batch);
  const FixedBatch& fixed = graphs_->fixed_batch(batch.shape);
  fixed.copy(batch, graphs_->stream);
  auto& graph = graphs_->graphs[{key_of(batch.shape), ends_update}];
  if (graph == nullptr) graph = graphs_->make(fixed, ends_update);
  graph->replay();
}

size_t StepGraphs::shapes() const noexcept {
  return graphs_->batches.size();
}

}  // namespace seda::train
