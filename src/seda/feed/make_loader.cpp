// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/make_loader.h"

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/feed/native_loader.h"
#include "seda/feed/reference_loader.h"

namespace seda::feed {
namespace {

void announce(const NativeLoader& loader, const FeedOptions& options) {
  for (const std::string& line : describe(loader.memory(), options))
    log::info("{}", line);
  for (const std::string& note : loader.memory().notes)
    log::warning("{}", note);
  log::info("SUCCESS: native data loading (workers {}, slots {}, data {}, model {})",
            loader.workers(), loader.slots(), device::to_string(options.roles.data),
            device::to_string(options.roles.model));
  if (options.roles.data == options.roles.model && options.roles.data.is_cuda() &&
      options.budgets.isolated) {
    log::info("both roles share {}, each with its own budget",
              device::to_string(options.roles.data));
  }
}

}  // namespace

std::unique_ptr<Loader> make_loader(const OpenedClips& clips, const FeedOptions& options,
                                    const device::Platform& platform, TraceRecorder* trace) {
  if (options.native) return make_loader(clips.source, options, platform, trace);
  if (options.announce) {
    log::info("WARNING: reference loader, expect a CPU bottleneck; set data.native_loading: true{}",
              options.native_set_by.empty() ? "" : " (" + options.native_set_by + ")");
  }
  return std::make_unique<ReferenceLoader>(clips.source, clips.corpus, options, platform);
}

std::unique_ptr<Loader> make_loader(std::shared_ptr<const ClipSource> source,
                                    const FeedOptions& options, const device::Platform& platform,
                                    TraceRecorder* trace) {
  if (!options.native) {
    throw_error(ErrorKind::internal, "the reference loader was asked for without its files");
  }
  if (options.announce && options.inject.any()) {
    log::warning("PLANTED FAULTS: {} (debug.inject); what is measured now is not this machine's",
                 describe(options.inject));
  }
  if (options.announce && options.inject.transfer_ms > 0 && options.roles.data.is_cpu() &&
      options.roles.model.is_cpu()) {
    log::warning(
        "slow_transfer holds nothing up: both roles are the CPU's, nothing is transferred");
  }
  const auto faulty = with_faults(std::move(source), options.inject);
  auto loader = std::make_unique<NativeLoader>(faulty, options, platform, trace);
  if (options.announce) announce(*loader, options);
  return loader;
}

}  // namespace seda::feed
