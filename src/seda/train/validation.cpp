// SPDX-License-Identifier: Apache-2.0
#include "seda/train/validation.h"

#include <set>
#include <vector>

#include "seda/base/error.h"
#include "seda/feed/make_loader.h"
#include "seda/train/loss_mean.h"

namespace seda::train {
namespace {

constexpr size_t kMostBatches = 64;

/// Of a batch's clips, those that were not in one before: the last is filled up with others.
double share_of_new(const std::vector<uint32_t>& clips, std::set<uint32_t>& seen) {
  const size_t before = seen.size();
  seen.insert(clips.begin(), clips.end());
  return static_cast<double>(seen.size() - before) / static_cast<double>(clips.size());
}

}  // namespace

StepLosses validate(Engine& engine, const RunSetup& setup, const device::Platform& platform,
                    device::StreamView stream,
                    const std::function<void(const feed::Batch&, size_t)>& visit) {
  const auto loader = feed::make_loader(setup.validation, setup.validation_feed, platform);
  LossMean mean;
  std::set<uint32_t> seen;
  for (size_t i = 0; i < kMostBatches; ++i) {
    const auto lease = loader->next(stream);
    if (!lease) break;
    const feed::Batch& batch = **lease;
    visit(batch, i);
    const double weight = share_of_new(batch.info.clips, seen);
    mean.add(engine.evaluate(batch, i), weight * static_cast<double>(batch.info.real_frames));
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
