// SPDX-License-Identifier: Apache-2.0
#include "seda/train/validation.h"

#include "seda/feed/make_loader.h"

namespace seda::train {
namespace {

constexpr size_t kMostBatches = 64;

feed::FeedOptions validation_feed(const RunSetup& setup) {
  feed::FeedOptions options = setup.feed;
  options.split = dataset::Split::validation;
  options.order.shuffle = false;
  options.order.rank = 0;
  options.order.ranks = 1;
  options.heeds_interrupt = true;
  options.start = {};
  options.resident = false;
  options.native = true;  // the reference loader is for comparing how training is fed
  options.announce = false;
  return options;
}

/// Adds `losses`, of a batch that weighs `weight`.
void add(StepLosses& sum, const StepLosses& losses, float weight) {
  sum.total += weight * losses.total;
  sum.prior += weight * losses.prior;
  sum.duration += weight * losses.duration;
  sum.flow += weight * losses.flow;
  sum.finite = sum.finite && losses.finite;
}

}  // namespace

StepLosses validate(Engine& engine, const RunSetup& setup, const device::Platform& platform,
                    device::StreamView stream,
                    const std::function<void(const feed::Batch&, size_t)>& visit) {
  const auto loader = feed::make_loader(setup.validation, validation_feed(setup), platform);
  StepLosses sum;
  float weights = 0;
  for (size_t i = 0; i < kMostBatches; ++i) {
    const auto lease = loader->next(stream);
    if (!lease) break;
    const feed::Batch& batch = **lease;
    visit(batch, i);
    const auto weight = static_cast<float>(batch.info.real_frames);
    add(sum, engine.evaluate(batch, i), weight);
    weights += weight;
  }
  StepLosses mean{.finite = sum.finite};
  if (weights > 0) add(mean, sum, 1 / weights);
  return mean;
}

}  // namespace seda::train
