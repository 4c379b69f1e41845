// SPDX-License-Identifier: Apache-2.0
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/captured_graph.h"

namespace seda::train {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

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

/// The memory that all graphs of a maker share.
class GraphMemory {
 public:
  explicit GraphMemory(c10::DeviceIndex device)
      : device_(device), pool_(at::cuda::graph_pool_handle()) {
    allocator::createOrIncrefPool(device_, pool_);
  }
  ~GraphMemory() { allocator::releasePool(device_, pool_); }
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  at::cuda::MempoolId_t pool() const noexcept { return pool_; }

  /// While it lives, what torch allocates on the stream lies there.
  class Use {
   public:
    Use(const GraphMemory& memory, c10::cuda::CUDAStream stream) : memory_(memory) {
      allocator::beginAllocateToPool(
          memory_.device_, memory_.pool_,
          [own = stream.stream()](cudaStream_t of) { return of == own; });
    }
    ~Use() {
      allocator::endAllocateToPool(memory_.device_, memory_.pool_);
      allocator::releasePool(memory_.device_, memory_.pool_);  // as it began
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    const GraphMemory& memory_;
  };

 private:
  c10::DeviceIndex device_;
  at::cuda::MempoolId_t pool_;
};

}  // namespace

struct GraphMaker::State {
  explicit State(torch::Device device)
      : beside(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        memory(device.index()) {}

  /// Work that was done once has chosen its kernels, which takes most of the time there is.
  void rehearse(const CapturedWork& work) const {
    allocator::emptyCache();  // of what ran without graphs
    const GraphMemory::Use use(memory, beside);
    work.rehearse();
    beside.synchronize();
  }

  c10::cuda::CUDAStream beside;
  GraphMemory memory;
};

GraphMaker::GraphMaker(device::StreamView stream)
    : state_(std::make_unique<State>(torch_device(stream.device()))) {}

GraphMaker::~GraphMaker() = default;

/// What the graph is to be made of is on the current stream, which waits for it afterwards.
std::unique_ptr<CapturedGraph> GraphMaker::make(const CapturedWork& work) {
  const Stopwatch time;
  const auto current = c10::cuda::getCurrentCUDAStream(state_->beside.device_index());
  order(current, state_->beside);
  std::unique_ptr<CapturedGraph> graph;
  {
    const c10::cuda::CUDAStreamGuard guard(state_->beside);
    state_->rehearse(work);
    graph = std::make_unique<TorchGraph>(work, state_->memory.pool());
  }
  order(state_->beside, current);
  log::debug("{}: a CUDA graph made in {}", work.what, format_seconds(time.seconds()));
  return graph;
}

}  // namespace seda::train
