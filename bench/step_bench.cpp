// SPDX-License-Identifier: Apache-2.0
// Row 13 of bench/README.md, beside torch.compile with CUDA graphs (step_peers.py).
//
// One training step of a pre-norm transformer at three sizes, as a CUDA graph, timed by events:
// forward, backward, and the update. `fused` by seda's kernels, `plain` by torch's, op by op; both
// compute in bf16 with fp32 weights behind them. step_peers.py trains the same network by PyTorch.
//
//   step_bench [--peak TFLOPS] [--widths 256,512,1024]     prints one JSON object
//
// --peak: what the GPU can do in bf16, dense, where its name is not known here. Beside AdamW the
// update has what a training run has: the gradient's norm, clipping, and the averaged weights.
#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "bench/support/report_row.h"
#include "bench/support/step_network.h"
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json.h"
#include "seda/base/log.h"
#include "seda/device/peak_flops.h"
#include "seda/device/platform.h"
#include "seda/train/busy_time.h"
#include "seda/train/engine/flat_parameters.h"
#include "seda/train/engine/kernel_recorder.h"
#include "seda/train/engine/optimizer.h"

namespace seda::bench {
namespace {

constexpr std::array kSizes = {StepSize{256, 6}, StepSize{512, 12}, StepSize{1024, 24}};
constexpr int kWarmSteps = 3;
constexpr int kRuns = 25;
constexpr int kStepsOfRun = 10;
constexpr double kLearningRate = 1e-4;

struct Arguments {
  double peak_tflops = 0;  ///< 0: looked up.
  std::string widths;      ///< Empty: all.
};

Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments out;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (words[i] != "--peak" && words[i] != "--widths") {
      throw_error(ErrorKind::usage, "expected --peak or --widths, found '{}'", words[i]);
    }
    if (i + 1 == words.size()) throw_error(ErrorKind::usage, "{}: expected a value", words[i]);
    if (words[i] == "--peak") {
      out.peak_tflops = std::stod(words[i + 1]);
    } else {
      out.widths = words[i + 1];
    }
  }
  return out;
}

/// The network with its weights, and what one step does.
class Step {
 public:
  Step(const StepSize& size, bool fused)
      : fused_(fused),
        network_(size),
        parameters_(network_.ptr(), torch::kCUDA, torch::kBFloat16),
        optimizer_(parameters_, {}, fused),
        mel_(torch::randn({kStepBatch, kStepFrames, kStepMels}, torch::kCUDA)) {
    optimizer_.set_lr(kLearningRate);
  }

  /// Only enqueues.
  void run() {
    const auto found = network_->forward(mel_.to(torch::kBFloat16), fused_);
    const auto loss = torch::l1_loss(found.to(torch::kFloat32), mel_);
    const auto gradients = torch::autograd::grad({loss}, parameters_.parameters());
    const torch::NoGradGuard no_grad;
    parameters_.write_gradients(gradients);
    optimizer_.watch(loss);
    optimizer_.update();
  }

  int64_t parameters() const { return parameters_.layout().weights(); }
  bool finite() { return optimizer_.latch().item<float>() == 0; }

 private:
  bool fused_ = false;
  StepNetwork network_;
  train::FlatParameters parameters_;
  train::Optimizer optimizer_;
  torch::Tensor mel_;  // [batch, frames, mels]
};

/// The step as a CUDA graph; all on the current stream, which is not the default one.
class StepGraph {
 public:
  explicit StepGraph(Step& step) {
    for (int i = 0; i < kWarmSteps; ++i)
      step.run();
    c10::cuda::getCurrentCUDAStream().synchronize();
    c10::cuda::CUDACachingAllocator::emptyCache();
    graph_.capture_begin();
    step.run();
    graph_.capture_end();
  }

  void replay() { graph_.replay(); }

 private:
  at::cuda::CUDAGraph graph_;
};

/// Milliseconds of a step in each run.
Distribution step_times(StepGraph& graph) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  at::cuda::CUDAEvent begin(cudaEventDefault);
  at::cuda::CUDAEvent end(cudaEventDefault);
  Distribution ms;
  for (int run = -1; run < kRuns; ++run) {  // the first warms up
    begin.record(stream);
    for (int i = 0; i < kStepsOfRun; ++i)
      graph.replay();
    end.record(stream);
    end.synchronize();
    if (run >= 0) ms.add(begin.elapsed_time(end) / double{kStepsOfRun});
  }
  return ms;
}

/// Kernels of one step, those that took longest first; nulls where they cannot be recorded.
Json kernels_of(StepGraph& graph) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  try {
    train::KernelRecorder recorder;
    graph.replay();
    stream.synchronize();
    const auto busy = train::busy_time(recorder.take(device::cuda(stream.device_index())));
    Json by_name = Json::array();
    for (const train::KernelTime& kernel : busy.by_name) {
      by_name.push_back(
          {{"name", kernel.name}, {"count", kernel.count}, {"ms", kernel.seconds * 1e3}});
    }
    return {{"kernels", busy.kernels}, {"busy_ms", busy.busy_s * 1e3}, {"by_name", by_name}};
  } catch (const Error& error) {
    std::cerr << "step_bench: " << error.what() << "\n";
    return {{"kernels", nullptr}, {"busy_ms", nullptr}, {"by_name", nullptr}};
  }
}

Json measure(const StepSize& size, bool fused, std::optional<double> peak) {
  torch::manual_seed(0);
  Step step(size, fused);
  StepGraph graph(step);
  const Distribution ms = step_times(graph);
  if (!step.finite())
    throw_error(ErrorKind::internal, "width {}: the loss is not finite", size.width);
  const double flops = step_flops(size) / (ms.quantile(0.5) / 1e3);
  Json row =
      make_row(fmt::format("step/{}/width:{}", fused ? "fused" : "plain", size.width), "ms", ms);
  row["parameters"] = step.parameters();
  row["step_flops"] = step_flops(size);
  row["flops"] = flops;
  row.update(kernels_of(graph));
  if (peak) row["utilisation"] = flops / *peak;
  return row;
}

bool wanted(const Arguments& arguments, const StepSize& size) {
  const std::string widths = "," + arguments.widths + ",";
  return arguments.widths.empty() ||
         widths.find(fmt::format(",{},", size.width)) != std::string::npos;
}

Json rows_of(const Arguments& arguments) {
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
  const std::string gpu = at::cuda::getCurrentDeviceProperties()->name;
  const auto peak = arguments.peak_tflops > 0 ? std::optional(1e12 * arguments.peak_tflops)
                                              : device::peak_flops(gpu);
  if (!peak) std::cerr << "step_bench: no peak is known of " << gpu << "; give --peak TFLOPS\n";
  Json rows = Json::array();
  for (const StepSize& size : kSizes) {
    if (!wanted(arguments, size)) continue;
    for (const bool fused : {true, false}) {
      rows.push_back(measure(size, fused, peak));
      std::cerr << rows.back().dump() << "\n";
      c10::cuda::CUDACachingAllocator::emptyCache();
    }
  }
  return rows;
}

/// Rows of what there is: none without a GPU, which is an error, too.
void run(const std::vector<std::string>& words) {
  const Arguments arguments = read_arguments(words);
  const std::string absence = device::Platform().cuda_absence();
  const Json rows = absence.empty() ? rows_of(arguments) : Json::array();
  std::cout << to_json_text({{"rows", rows}}) << "\n";
  if (!absence.empty()) throw_error(ErrorKind::unavailable, "{}", absence);
}

}  // namespace
}  // namespace seda::bench

int main(int count, char** words) {
  using namespace seda;
  log::configure({.level = log::Level::warning});
  try {
    bench::run({words + 1, words + count});
  } catch (const Error& error) {
    std::cerr << "step_bench: " << error.what() << "\n";
    return exit_code(error.kind());
  } catch (const c10::Error& error) {
    std::cerr << "step_bench: " << error.what_without_backtrace() << "\n";
    return exit_code(ErrorKind::internal);
  }
}
