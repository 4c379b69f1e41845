// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seda/config/config.h"
#include "seda/device/device.h"

namespace seda::diagnose {

/// A part of a training step; seconds.
struct StepPhase {
  std::string name;   ///< "data_wait", "forward", "loss", "backward", "optimizer", "logging".
  double mean_s = 0;  ///< On the device, by events; on a CPU by the host's clock.
  double std_s = 0;
  double host_s = 0;  ///< The host was in it, mean.
  double share = 0;   ///< Of a step.
};

/// What kernels of one name take of a step on a GPU.
struct StepKernel {
  std::string name;
  double count = 0;    ///< A step.
  double seconds = 0;  ///< A step, of all of them.
};

/// What one training step takes, and what it would take run otherwise.
///
/// All of it was measured with the real model. Times of one step are of one batch.
struct StepProfile {
  device::Device model;
  std::string path;      ///< How steps run as configured: "CUDA graphs", "op by op", …
  int batch_size = 0;    ///< Clips of a batch, as configured; 0 with the next.
  int batch_frames = 0;  ///< Frames that its batches may have, as configured; 0: `batch_size`.
  size_t steps = 0;
  double clips = 0;    ///< Of a batch, the mean of those steps.
  double frames = 0;   ///< The same with padding: clips of another set of shapes weigh by it.
  double total_s = 0;  ///< From the start of a step to the next, data and logging included,
  double std_s = 0;
  std::optional<double> flops;       ///< Operations of the model's products in a step,
  std::optional<double> flop_share;  ///< and what they are of the GPU's peak, where that is known.
  std::vector<StepPhase> phases;     ///< Of steps run op by op: a graph has no parts.
  double ceiling_s = 0;  ///< A step as configured, with a resident batch; where none of its shapes
                         ///< came in time, of the loop without its waits for data.
  double ceiling_frames = 0;  ///< Of its batches, padding included: not all shapes came in time.
  std::optional<double> gpu_idle_share;  ///< Of the steps' time, no kernel; nothing of a CPU.
  std::string idle_source;               ///< What that is from.
  std::vector<StepKernel> kernels;       ///< The longest first; none where they were not recorded.
  std::optional<double> graph_s;         ///< A step as a CUDA graph with fused kernels,
  std::optional<double> fused_s;         ///< op by op with them,
  std::optional<double> plain_s;         ///< and so without.
  std::optional<double> as_graph_s;      ///< As configured, but as a CUDA graph; nothing of one.
  std::optional<double> with_fused_s;    ///< As configured, but with fused kernels; likewise.
  double host_s = 0;                     ///< The host needs to enqueue one step op by op.
  double host_syncs = 0;                 ///< Times the host waited for the device, a step.
  std::optional<double> unwatched_s;     ///< A step for which it waits no more, where it did.
  std::optional<double> larger_batch_s;  ///< A step with twice as large batches, as configured,
  int larger_batch = 0;                  ///< `batch_size` or `batch_frames` of it; 0: not tried.
  double larger_frames = 0;              ///< The frames of its batches, padding included.

  /// Speed of steps of `seconds` on batches of so many frames, in clips as long as the loop's.
  double clips_per_second(double frames_of_batch, double seconds) const {
    return frames > 0 && seconds > 0 ? clips * frames_of_batch / frames / seconds : 0;
  }
  /// As configured.
  double clips_per_second() const { return clips_per_second(ceiling_frames, ceiling_s); }
};

/// Measures it as a configuration says; absent where there is no trainer.
using ProbeStep = std::function<StepProfile(const config::Config&)>;

}  // namespace seda::diagnose
