// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are a part or refused; nothing in one leads outside it. The checksums of header, footer
// and index are put right first in every other input, so that what they protect is reached.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/memory_file.h"

#include "seda/cache/detail/format.h"
#include "seda/cache/detail/part_reader.h"

namespace {

using namespace seda;
using namespace seda::cache::detail;

void put_word(std::vector<std::byte>& bytes, size_t at, uint64_t word) {
  std::memcpy(bytes.data() + at, &word, sizeof(word));
}

/// What a writer would have written over the same fields.
void put_checksums_right(std::vector<std::byte>& bytes) {
  if (bytes.size() < 2 * kBlockBytes) return;
  const auto sum = [&](size_t at) { return hash64(std::span(bytes).subspan(at, 56)); };
  const size_t footer = bytes.size() - kBlockBytes;
  const uint64_t seed = sum(0);
  put_word(bytes, 56, seed);
  put_word(bytes, footer + 48, seed);
  put_word(bytes, footer + 56, sum(footer));
  for (size_t at = kBlockBytes; at + kBlockBytes <= footer; at += kBlockBytes) {
    Block entry;
    std::memcpy(entry.data(), bytes.data() + at, entry.size());
    std::fill_n(entry.begin() + 56, 6, std::byte{});
    const uint64_t check = hash64(std::span<const std::byte>(entry), seed);
    std::memcpy(bytes.data() + at + 56, &check, 6);
  }
}

void read_all(const PartReader& part) {
  std::vector<std::byte> target;
  for (uint32_t index = 0; index < part.records(); ++index) {
    const auto entry = part.entry(index);
    if (!entry) continue;
    if (entry->size > part.bytes()) std::abort();
    target.resize(entry->size);
    if (!part.read(*entry, target)) std::abort();
    part.accepts(index, *entry, target);
    const auto found = part.search(entry->key);
    if (found.state == SearchResult::State::found && found.entry.key != entry->key) std::abort();
  }
  part.search({});
  part.search({~uint64_t{0}, ~uint64_t{0}});
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto* first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> bytes(first + 1, first + size);
  if (data[0] % 2 == 1) put_checksums_right(bytes);
  const fuzz::MemoryFile file({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto part = PartReader::open(file.path(), {.map = data[0] % 4 < 2, .verify = true});
  if (part) read_all(*part.value());
  return 0;
}
