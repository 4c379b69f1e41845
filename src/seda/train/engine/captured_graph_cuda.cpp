// SPDX-License-Identifier: Apache-2.0
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/captured_graph.h"

namespace seda::train {
namespace {

constexpr int kRehearsals = 3;

/// Later work on `to` runs after what is on `from` now.
void order(const c10::cuda::CUDAStream& from, const c10::cuda::CUDAStream& to) {
  at::cuda::CUDAEvent event;
  event.record(from);
  event.block(to);
}

/// Ends a capture that failed, which torch does not do without an error of its own.
void give_up(at::cuda::CUDAGraph& graph) noexcept {
  try {
    graph.capture_end();
  } catch (const c10::Error& error) {
    log::debug("capture that failed: {}", error.what_without_backtrace());
  }
}

[[noreturn]] void throw_not_captured(const c10::Error& error, const std::string& what) {
  const std::string text = error.what_without_backtrace();
  throw_error(ErrorKind::internal,
              "{} cannot be captured as a CUDA graph ({}); set training.enable_graph_mode: false",
              what, text.substr(0, text.find('\n')));
}

class TorchGraph final : public CapturedGraph {
 public:
  TorchGraph(const CapturedWork& work, at::cuda::MempoolId_t pool) {
    // Other threads may go on with their own calls to CUDA.
    graph_.capture_begin(pool, cudaStreamCaptureModeThreadLocal);
    try {
      work.run();
    } catch (const c10::OutOfMemoryError&) {
      give_up(graph_);
      throw;
    } catch (const c10::Error& error) {
      give_up(graph_);
      throw_not_captured(error, work.what);
    }
    graph_.capture_end();
  }

  void replay() override { graph_.replay(); }

 private:
  at::cuda::CUDAGraph graph_;
};

}  // namespace

struct GraphMaker::State {
  explicit State(torch::Device of)
      : device(of),
        beside(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        pool(at::cuda::graph_pool_handle()) {}

  torch::Device device;
  c10::cuda::CUDAStream beside;
  at::cuda::MempoolId_t pool;
};

GraphMaker::GraphMaker(device::StreamView stream)
    : state_(std::make_unique<State>(torch_device(stream.device()))) {}

GraphMaker::~GraphMaker() = default;

/// What the graph is to be made of is on the current stream, which waits for it afterwards.
std::unique_ptr<CapturedGraph> GraphMaker::make(const CapturedWork& work) {
  const auto current = c10::cuda::getCurrentCUDAStream(state_->device.index());
  order(current, state_->beside);
  std::unique_ptr<CapturedGraph> graph;
  {
    const c10::cuda::CUDAStreamGuard guard(state_->beside);
    for (int i = 0; i < kRehearsals; ++i)
      work.rehearse();
    state_->beside.synchronize();
    c10::cuda::CUDACachingAllocator::emptyCache();  // what only rehearsals needed
    graph = std::make_unique<TorchGraph>(work, state_->pool);
  }
  order(state_->beside, current);
  return graph;
}

}  // namespace seda::train
