// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "seda/device/platform.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"
#include "seda/model/model_options.h"
#include "seda/train/run_figures.h"

namespace seda::train {

/// Operations a second that a device can do in products of bf16, or of fp32 as TF32; nothing of a
/// CPU, and of a GPU that is not known.
std::optional<double> peak_flops(const device::Platform& platform, device::Device device,
                                 bool bfloat16);

/// The loader's shapes; none where each batch has its own.
std::span<const feed::Bucket> fixed_shapes(const feed::Loader& loader,
                                           const feed::FeedOptions& options);

/// How much of what a GPU could multiply the products of a model use: its FLOP utilisation.
class FlopMeter {
 public:
  /// `buckets` are the fixed shapes of batches; `peak` is the GPU's, in operations a second.
  /// Without either nothing is known.
  FlopMeter(const model::ModelOptions& model, std::span<const feed::Bucket> buckets,
            std::optional<double> peak);

  /// Operations of a step, on average over those that were counted, by their shapes; padding counts
  /// as work. Nothing where none was, or shapes are not fixed.
  std::optional<double> per_step(const FigureCounter& steps) const;

  /// The same over the steps' time, as a share of the peak.
  std::optional<double> share(const FigureCounter& steps) const;

  /// The counter's figures, with it.
  RunFigures figures(const FigureCounter& steps) const;

 private:
  std::vector<double> flops_;  // of a step of each bucket
  std::optional<double> peak_;
};

}  // namespace seda::train
