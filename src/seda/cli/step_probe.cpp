// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/step_probe.h"

#include "seda/base/error.h"
#include "seda/train/load_library.h"
#include "seda/train/profile_step.h"

namespace seda::cli {
namespace {

/// Short: whoever asks has more to measure. Larger batches are a matter of GPUs.
train::StepProfileOptions brief(const device::Platform& platform) {
  return {.steps = 30,
          .most_s = 3,
          .most_warm_up_s = 5,
          .other_s = 1.5,
          .larger_batch = platform.has(device::cuda(0))};
}

}  // namespace

StepProbe step_probe(const std::filesystem::path& corpus, bool use_cache,
                     const device::Platform& platform, ProgressStyle progress) {
  try {
    const train::Library& library = train::load_library();
    return {[=, &library, &platform](const config::Config& config) {
              train::TrainOptions options = train::train_options(config, corpus);
              options.use_cache = use_cache;
              options.announce_cache = false;
              options.progress = progress;
              return train::profile_step(options, library, platform, brief(platform)).profile;
            },
            {}};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unavailable) throw;
    return {{}, error.what()};
  }
}

}  // namespace seda::cli
