// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are a safetensors file or refused with an Error(io); the tensors of one that is read
// lie in it one after another, and come back from what is written of them. Each input is tried as
// it is, and, without its first byte, as the header of a file with as many bytes of elements as
// that says.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "seda/base/error.h"
#include "seda/train/detail/safetensors_content.h"
#include "seda/train/detail/safetensors_header.h"

namespace {

using namespace seda;
using namespace seda::train;
using namespace seda::train::detail;

void require(bool holds) {
  if (!holds) std::abort();
}

bool are_equal(const TensorView& a, const TensorView& b) {
  return a.name == b.name && a.type == b.type && a.shape == b.shape &&
         std::string_view(reinterpret_cast<const char*>(a.bytes.data()), a.bytes.size()) ==
             std::string_view(reinterpret_cast<const char*>(b.bytes.data()), b.bytes.size());
}

void check_layout(const SafetensorsContent& content, std::span<const std::byte> file) {
  const std::byte* end = file.data() + file.size();
  for (size_t i = content.tensors.size(); i-- > 0;) {
    const auto bytes = content.tensors[i].bytes;
    require(bytes.data() >= file.data() && bytes.data() + bytes.size() == end);
    end = bytes.data();
  }
}

void check_written(const SafetensorsContent& content) {
  const auto ordered = file_order(content.tensors, "again");
  std::string written = header_bytes(ordered, content.metadata, "again");
  for (const TensorView* tensor : ordered)
    written.append(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
  const auto again = read_content(std::as_bytes(std::span(written)), "again");
  require(again.metadata == content.metadata && again.tensors.size() == ordered.size());
  for (const TensorView* tensor : ordered) {
    const auto same = [&](const TensorView& other) { return are_equal(other, *tensor); };
    require(std::ranges::count_if(again.tensors, same) == 1);
  }
}

void try_to_read(std::string_view file) {
  const auto bytes = std::as_bytes(std::span(file));
  SafetensorsContent content;
  try {
    content = read_content(bytes, "fuzz");
  } catch (const Error& error) {
    return require(error.kind() == ErrorKind::io);
  }
  check_layout(content, bytes);
  check_written(content);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to_read(text);
  if (size < 1) return 0;
  const uint64_t length = size - 1;
  std::string file(reinterpret_cast<const char*>(&length), sizeof(length));
  file += text.substr(1);
  file.append(data[0], 'x');
  try_to_read(file);
  return 0;
}
