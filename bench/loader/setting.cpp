// SPDX-License-Identifier: Apache-2.0
#include "bench/loader/setting.h"

#include <utility>

#include "seda/base/thread.h"
#include "seda/feed/make_loader.h"

namespace seda::bench {

std::string_view to_string(Clips clips) {
  if (clips == Clips::files) return "files";
  return clips == Clips::precompute ? "precompute" : "on_the_fly";
}

LoaderSetting::LoaderSetting(std::filesystem::path corpus)
    : corpus_(std::move(corpus)),
      model_(platform_.has(device::cuda(0)) ? device::cuda(0) : device::kCpu) {}

std::shared_ptr<const feed::ClipSource> LoaderSetting::open(Clips clips) const {
  feed::OpenOptions options;
  options.use_cache = clips != Clips::files;
  options.prepare.corpus = corpus_;
  options.prepare.cache = corpus_ / ".seda" / to_string(clips);
  options.prepare.text.frontend.phonemes = false;
  options.prepare.text.tokenizer = text::TokenizerKind::characters;
  options.prepare.audio.kind =
      clips == Clips::precompute ? feed::AudioKind::mel : feed::AudioKind::pcm16;
  return feed::open_clips(options).source;
}

feed::FeedOptions LoaderSetting::options() const {
  feed::FeedOptions out;
  out.roles = {model_, model_};
  out.workers = usable_cores();
  out.batch_size = 32;
  out.limits.max_frames = 880;
  out.announce = false;
  return out;
}

std::unique_ptr<feed::Loader> LoaderSetting::make_loader(Clips clips,
                                                         const feed::FeedOptions& options) const {
  return feed::make_loader(open(clips), options, platform_);
}

size_t drain(feed::Loader& loader, device::StreamView stream) {
  size_t clips = 0;
  while (const auto batch = loader.next(stream))
    clips += (**batch).info.clips.size();
  stream.synchronize();
  return clips;
}

}  // namespace seda::bench
