// SPDX-License-Identifier: Apache-2.0
// Any bytes as a record of text: none, or views that lie within them.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "seda/feed/text_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint32_t> aligned((size + 3) / 4);
  if (size > 0) std::memcpy(aligned.data(), data, size);
  const auto bytes = std::as_bytes(std::span(aligned)).subspan(0, size);
  const auto record = seda::feed::decode_text_record(bytes);
  if (!record) return 0;
  int64_t sum = 0;
  for (const int32_t token : record->tokens)
    sum += token;
  for (const auto text : {record->language, record->normalized, record->phonemes}) {
    for (const char letter : text)
      sum += letter;
  }
  for (const auto symbol : record->unknown)
    sum += static_cast<int64_t>(symbol.size());
  return sum == INT64_MIN ? 1 : 0;
}
