// SPDX-License-Identifier: Apache-2.0
// Any entry and any bytes as a record of audio: none, or a shape that fits and a fault that is the
// same when written and read again.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "seda/feed/audio_record.h"

namespace {

constexpr size_t kEntryBytes = 26;  // type, rank, four dims, size

seda::cache::Entry entry_of(std::span<const uint8_t> bytes) {
  seda::cache::Entry entry;
  entry.type = static_cast<seda::cache::DataType>(bytes[0]);
  entry.dims.rank = bytes[1] % (seda::cache::Dims::kMost + 1);
  std::memcpy(entry.dims.sizes.data(), bytes.data() + 2, 16);
  for (size_t i = entry.dims.rank; i < entry.dims.sizes.size(); ++i)
    entry.dims.sizes[i] = 0;
  std::memcpy(&entry.size, bytes.data() + 18, 8);
  return entry;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(data, size);
  if (const auto fault = seda::feed::decode_fault_record(std::as_bytes(bytes))) {
    const std::string again = seda::feed::encode_fault_record(*fault);
    const auto same = seda::feed::decode_fault_record(std::as_bytes(std::span(again)));
    if (!same || *same != *fault) std::abort();
  }
  if (size < kEntryBytes) return 0;
  const auto shape = seda::feed::audio_shape(entry_of(bytes));
  if (shape && shape->frames > 0 && shape->n_mels == 0) std::abort();
  return 0;
}
