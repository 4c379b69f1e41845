// SPDX-License-Identifier: Apache-2.0
#include "seda/train/flop_meter.h"

#include "seda/device/peak_flops.h"
#include "seda/model/model_cost.h"

namespace seda::train {

std::optional<double> peak_flops(const device::Platform& platform, device::Device device,
                                 bool bfloat16) {
  if (device.is_cpu()) return std::nullopt;
  const auto peak = device::peak_flops(platform.properties(device).name);
  if (!peak || bfloat16) return peak;
  return *peak / 2;
}

std::span<const feed::Bucket> fixed_shapes(const feed::Loader& loader,
                                           const feed::FeedOptions& options) {
  return options.fixed_shapes ? loader.buckets() : std::span<const feed::Bucket>();
}

FlopMeter::FlopMeter(const model::ModelOptions& model, std::span<const feed::Bucket> buckets,
                     std::optional<double> peak)
    : peak_(peak) {
  flops_.reserve(buckets.size());
  for (const feed::Bucket& bucket : buckets)
    flops_.push_back(model::step_flops(model, {bucket.batch_size, bucket.tokens, bucket.frames}));
}

std::optional<double> FlopMeter::per_step(const FigureCounter& steps) const {
  if (flops_.empty()) return std::nullopt;
  double flops = 0;
  double batches = 0;
  for (const auto& [bucket, time] : steps.buckets()) {
    flops += static_cast<double>(time.batches) * flops_.at(bucket);
    batches += static_cast<double>(time.batches);
  }
  if (batches == 0) return std::nullopt;
  return flops / batches;
}

std::optional<double> FlopMeter::share(const FigureCounter& steps) const {
  const auto flops = per_step(steps);
  const RunFigures figures = steps.figures();
  if (!peak_ || !flops || figures.seconds <= 0) return std::nullopt;
  return *flops * static_cast<double>(figures.batches) / figures.seconds / *peak_;
}

RunFigures FlopMeter::figures(const FigureCounter& steps) const {
  RunFigures out = steps.figures();
  out.flop_share = share(steps);
  return out;
}

}  // namespace seda::train
