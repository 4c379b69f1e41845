// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, as what a file says of the batch in it, are read or refused with an Error(io). The
// file holds two clips of three tokens and four frames of five mels, and is read as nothing else.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/memory_file.h"

#include "seda/base/error.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/train/detail/safetensors_header.h"
#include "seda/train/replay.h"

namespace {

using namespace seda;
using namespace seda::train;

constexpr feed::BatchShape kShape{.batch = 2, .tokens = 3, .frames = 4, .n_mels = 5};
constexpr std::array<std::byte, 1024> kZeros{};

TensorView tensor(const char* name, TensorType type, std::vector<int64_t> shape) {
  const uint64_t bytes = *detail::count_bytes(type, shape);
  return {name, type, std::move(shape), std::span(kZeros).first(bytes)};
}

const std::vector<TensorView>& tensors() {
  static const std::vector<TensorView> all = {
      tensor("mel", TensorType::f32, {2, 5, 4}),   tensor("tokens", TensorType::i32, {2, 3}),
      tensor("mel_mask", TensorType::u8, {2, 4}),  tensor("token_mask", TensorType::u8, {2, 3}),
      tensor("mel_lengths", TensorType::i32, {2}), tensor("token_lengths", TensorType::i32, {2}),
      tensor("speakers", TensorType::i32, {2}),    tensor("languages", TensorType::i32, {2})};
  return all;
}

/// A file with that description; nothing where none can have it.
std::optional<std::string> file_with(std::string_view description) {
  try {
    const auto ordered = detail::file_order(tensors(), "fuzz");
    std::string file =
        detail::header_bytes(ordered, {{"seda.batch", std::string(description)}}, "fuzz");
    for (const TensorView* one : ordered)
      file.append(reinterpret_cast<const char*>(one->bytes.data()), one->bytes.size());
    return file;
  } catch (const Error&) {
    return std::nullopt;
  }
}

struct Place {
  device::Platform platform;
  device::Stream stream{platform, device::kCpu};
  device::PlainResource memory{platform, device::kCpu};
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Place place;
  const auto content = file_with({reinterpret_cast<const char*>(data), size});
  if (!content) return 0;
  const fuzz::MemoryFile file(*content);
  try {
    const Replay replay = read_replay(file.path(), place.memory, place.stream);
    if (replay.batch.shape != kShape) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) std::abort();
  }
  return 0;
}
