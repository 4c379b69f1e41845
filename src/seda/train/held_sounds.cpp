// SPDX-License-Identifier: Apache-2.0
#include "seda/train/held_sounds.h"

#include <algorithm>
#include <limits>

#include "seda/base/error.h"
#include "seda/feed/clip_lengths.h"

namespace seda::train {
namespace {

feed::LengthLimits no_limits() {
  return {.max_symbols = std::numeric_limits<int>::max(),
          .max_frames = std::numeric_limits<int>::max(),
          .overlong = feed::Overlong::truncate};
}

}  // namespace

HeldSounds::HeldSounds(const feed::ClipSource& source, dataset::Split split,
                       const device::Platform& platform, device::StreamView stream,
                       ProgressStyle progress) {
  const device::Device device = stream.device();
  const auto lengths = feed::clip_lengths(source.rows(), split, source.mel(), no_limits());
  feed::require_clips(lengths.clips);
  const uint64_t needed = feed::ResidentCorpus::bytes_needed(source, lengths.clips);
  on_device_ = device.is_cuda() && needed <= platform.memory(device).free_bytes / 2;
  staging_ = std::make_unique<device::PinnedResource>(platform, device);
  if (on_device_ || device.is_cpu()) {
    memory_ = std::make_unique<device::PlainResource>(platform, device);
  } else {
    memory_ = std::make_unique<device::PinnedResource>(platform, device);
  }
  corpus_ = std::make_unique<feed::ResidentCorpus>(
      source, lengths.clips, feed::ResidentOptions{.progress = progress},
      feed::ResidentMemory{*memory_, *staging_,
                           on_device_ ? stream : platform.default_stream(device::kCpu)});
  bank_.samples = static_cast<const int16_t*>(corpus_->base().sounds);
  for (const feed::ClipLength& clip : lengths.clips) {
    const auto place = corpus_->place(clip.row);
    if (!place) continue;
    bank_.begins.push_back(place->sound_offset);
    bank_.lengths.push_back(place->sound_length);
    bank_.count = std::max(bank_.count, place->sound_offset + place->sound_length);
    seconds_ += static_cast<double>(place->sound_length) / source.mel().sample_rate;
  }
  for (const feed::ResidentFault& fault : corpus_->faults())
    faults_.push_back(fault.fault);
  if (bank_.begins.empty()) {
    throw_error(ErrorKind::check_failed,
                "expected sounds to learn from, found none that can be "
                "read; the first: {}",
                faults_.empty() ? "none" : faults_[0].evidence);
  }
}

}  // namespace seda::train
