// SPDX-License-Identifier: Apache-2.0
// Any bytes as the start of a wav file: no frames beyond the file.
#include <cstdint>
#include <cstdlib>

#include "seda/audio/wav_info.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto info = seda::audio::parse_wav_info(std::as_bytes(std::span(data, size)), size);
  if (info && (info->frames > size || info->sample_rate == 0 || info->data_offset > size)) {
    std::abort();
  }
  return 0;
}
