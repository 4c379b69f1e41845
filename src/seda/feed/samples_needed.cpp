// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/samples_needed.h"

#include <algorithm>

namespace seda::feed {

int64_t samples_needed(const audio::MelOptions& options, int frames) {
  if (frames <= 0) return 0;
  const int64_t padding = audio::mel_padding(options);
  const int64_t last_frame_begin = int64_t{frames - 1} * options.hop_length - padding;
  const int64_t mirrored = padding + 1;  // before the first sample
  return std::max(last_frame_begin + options.n_fft, mirrored);
}

}  // namespace seda::feed
