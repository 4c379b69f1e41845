// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/json.h"
#include "seda/base/utf8.h"

namespace seda::train::detail {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are written as memory has them");

constexpr size_t kAlignment = 8;

void check_utf8(std::string_view text, std::string_view what, std::string_view where) {
  if (const auto at = find_invalid_utf8(text)) {
    throw_error(ErrorKind::usage, "{}: {}: expected UTF-8, found another byte at {}", where, what,
                *at);
  }
}

void check(const TensorView& tensor, std::string_view where) {
  check_utf8(tensor.name, "name of a tensor", where);
  if (tensor.name == kMetadataName) {
    throw_error(ErrorKind::usage, "{}: expected another name than '{}' for a tensor", where,
                kMetadataName);
  }
  const auto expected = count_bytes(tensor.type, tensor.shape);
  if (expected != tensor.bytes.size()) {
    throw_error(ErrorKind::usage, "{}: tensor '{}': expected {} for {} [{}], found {} bytes", where,
                tensor.name,
                expected ? fmt::format("{} bytes", *expected) : "lengths that can be counted",
                name_of(tensor.type), fmt::join(tensor.shape, ", "), tensor.bytes.size());
  }
}

bool comes_before(const TensorView* a, const TensorView* b) {
  return std::tie(b->type, a->name) < std::tie(a->type, b->name);
}

/// Names sorted apart from types, since one name may come with two of them.
void check_names_differ(std::span<const TensorView> tensors, std::string_view where) {
  std::vector<std::string_view> names;
  for (const TensorView& tensor : tensors)
    names.push_back(tensor.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end())
    throw_error(ErrorKind::usage, "{}: expected each name once, found '{}' twice", where, *twice);
}

void append_metadata(std::string& out, const TensorMetadata& metadata, std::string_view where) {
  append_json_string(out, kMetadataName);
  out += ":{";
  for (const auto& [key, value] : metadata) {
    check_utf8(key, "key of the metadata", where);
    check_utf8(value, fmt::format("metadata '{}'", key), where);
    if (!out.ends_with('{')) out += ',';
    append_json_string(out, key);
    out += ':';
    append_json_string(out, value);
  }
  out += '}';
}

void append_tensor(std::string& out, const TensorView& tensor, uint64_t begin) {
  append_json_string(out, tensor.name);
  fmt::format_to(std::back_inserter(out),
                 R"(:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", name_of(tensor.type),
                 fmt::join(tensor.shape, ","), begin, begin + tensor.bytes.size());
}

}  // namespace

std::optional<uint64_t> count_bytes(TensorType type, std::span<const int64_t> shape) {
  uint64_t bytes = size_of(type);
  for (const int64_t length : shape) {
    if (length < 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(length), &bytes))
      return std::nullopt;
  }
  return bytes;
}

std::vector<const TensorView*> file_order(std::span<const TensorView> tensors,
                                          std::string_view where) {
  check_names_differ(tensors, where);
  std::vector<const TensorView*> ordered;
  for (const TensorView& tensor : tensors) {
    check(tensor, where);
    ordered.push_back(&tensor);
  }
  std::ranges::sort(ordered, comes_before);
  return ordered;
}

std::string header_bytes(std::span<const TensorView* const> ordered, const TensorMetadata& metadata,
                         std::string_view where) {
  std::string out(sizeof(uint64_t), '\0');
  out += '{';
  if (!metadata.empty()) append_metadata(out, metadata, where);
  uint64_t begin = 0;
  for (const TensorView* tensor : ordered) {
    if (!out.ends_with('{')) out += ',';
    append_tensor(out, *tensor, begin);
    begin += tensor->bytes.size();
  }
  out += '}';
  out.append((kAlignment - out.size() % kAlignment) % kAlignment, ' ');
  const uint64_t length = out.size() - sizeof(uint64_t);
  if (length > kMostHeaderBytes) {
    throw_error(ErrorKind::usage, "{}: expected names and metadata of at most {} bytes, found {}",
                where, kMostHeaderBytes, length);
  }
  out.replace(0, sizeof(length), reinterpret_cast<const char*>(&length), sizeof(length));
  return out;
}

}  // namespace seda::train::detail
