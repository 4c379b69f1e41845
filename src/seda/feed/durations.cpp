// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/durations.h"

#include "seda/audio/wav_info.h"
#include "seda/base/parallel.h"

namespace seda::feed {
namespace {

bool is_same_file(const ClipRow& row, const dataset::Utterance& utterance) {
  return row.file_bytes == utterance.audio_bytes && row.file_time_ns == utterance.audio_time_ns &&
         utterance.audio_bytes > 0;
}

}  // namespace

void fill_durations(std::vector<dataset::Utterance>& utterances, const Previous& previous,
                    int threads) {
  std::vector<size_t> unknown;
  for (size_t i = 0; i < utterances.size(); ++i) {
    dataset::Utterance& utterance = utterances[i];
    if (utterance.duration_s) continue;
    const ClipRow* row = previous.find(i, utterance.id);
    if (row != nullptr && row->duration_s > 0 && is_same_file(*row, utterance)) {
      utterance.duration_s = row->duration_s;
    } else {
      unknown.push_back(i);
    }
  }
  parallel_for(unknown.size(), {.threads = threads, .grain = 64, .name = "length"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   dataset::Utterance& utterance = utterances[unknown[i]];
                   if (const auto info = audio::read_wav_info(utterance.audio)) {
                     utterance.duration_s = info->seconds();
                   }
                 }
               });
}

}  // namespace seda::feed
