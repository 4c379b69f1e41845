// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "seda/device/platform.h"
#include "seda/device/stream.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/loader.h"
#include "seda/feed/open_clips.h"

namespace seda::bench {

/// Where a loader's clips come from.
enum class Clips {
  files,       ///< Wavs, decoded anew every time.
  precompute,  ///< A cache of mels.
  on_the_fly,  ///< A cache of samples.
};
std::string_view to_string(Clips clips);

/// A corpus and the devices that are fed from it: the first GPU in both roles, else the CPU.
class LoaderSetting {
 public:
  explicit LoaderSetting(std::filesystem::path corpus);

  /// Prepared at the first call.
  std::shared_ptr<const feed::ClipSource> open(Clips clips) const;

  /// Batches of 32, up to 880 frames; as many workers as there are cores.
  feed::FeedOptions options() const;
  std::unique_ptr<feed::Loader> make_loader(Clips clips, const feed::FeedOptions& options) const;

  const device::Platform& platform() const noexcept { return platform_; }
  device::Device model() const noexcept { return model_; }
  device::Stream make_stream() const { return {platform_, model_}; }
  /// What is made on the GPU where there is one, else what is ready to be fed.
  Clips usual() const noexcept { return model_.is_cuda() ? Clips::on_the_fly : Clips::precompute; }

 private:
  std::filesystem::path corpus_;
  device::Platform platform_;
  device::Device model_;
};

/// Takes every batch of an epoch and gives it back at once, then waits for the stream. Returns the
/// clips.
size_t drain(feed::Loader& loader, device::StreamView stream);

}  // namespace seda::bench
