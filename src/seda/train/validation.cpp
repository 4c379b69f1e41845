// SPDX-License-Identifier: Apache-2.0
#include "seda/train/validation.h"

#include "seda/base/error.h"
#include "seda/feed/make_loader.h"
#include "seda/train/loss_mean.h"

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

}  // namespace

StepLosses validate(Engine& engine, const RunSetup& setup, const device::Platform& platform,
                    device::StreamView stream,
                    const std::function<void(const feed::Batch&, size_t)>& visit) {
  const auto loader = feed::make_loader(setup.validation, validation_feed(setup), platform);
  LossMean mean;
  for (size_t i = 0; i < kMostBatches; ++i) {
    const auto lease = loader->next(stream);
    if (!lease) break;
    const feed::Batch& batch = **lease;
    visit(batch, i);
    mean.add(engine.evaluate(batch, i), static_cast<double>(batch.info.real_frames));
  }
  return mean.value();
}

void require_finite_validation(bool finite, uint64_t updates) {
  if (finite) return;
  throw_error(ErrorKind::check_failed,
              "step {}: the validation loss is not finite; look at the held-out clips with "
              "seda validate, and lower training.lr where they are fine",
              updates);
}

}  // namespace seda::train
