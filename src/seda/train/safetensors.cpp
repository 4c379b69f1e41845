// SPDX-License-Identifier: Apache-2.0
#include "seda/train/safetensors.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/atomic_file.h"
#include "seda/base/error.h"
#include "seda/train/detail/safetensors_content.h"
#include "seda/train/detail/safetensors_header.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPieceBytes = size_t{1} << 20;

/// Appends piece by piece: the file gathers what it is given.
void append(AtomicFile& file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPieceBytes));
    file.append({reinterpret_cast<const char*>(piece.data()), piece.size()});
    bytes = bytes.subspan(piece.size());
  }
}

std::string text_of(TensorType type, std::span<const int64_t> shape) {
  return fmt::format("{} [{}]", name_of(type), fmt::join(shape, ", "));
}

}  // namespace

void write_safetensors(const fs::path& path, std::span<const TensorView> tensors,
                       const TensorMetadata& metadata) {
  const auto ordered = detail::file_order(tensors, path.native());
  const std::string header = detail::header_bytes(ordered, metadata, path.native());
  AtomicFile file(path);
  file.append(header);
  for (const TensorView* tensor : ordered)
    append(file, tensor->bytes);
  file.commit();
}

SafetensorsFile::SafetensorsFile(const fs::path& path) : path_(path), file_(path) {
  auto content = detail::read_content(file_.bytes(), path.native());
  tensors_ = std::move(content.tensors);
  metadata_ = std::move(content.metadata);
  for (size_t i = 0; i < tensors_.size(); ++i)
    places_.emplace(tensors_[i].name, i);
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &tensors_[place->second];
}

const TensorView& SafetensorsFile::get(std::string_view name, TensorType type,
                                       std::span<const int64_t> shape) const {
  const TensorView* tensor = find(name);
  const bool fits =
      tensor != nullptr && tensor->type == type && std::ranges::equal(tensor->shape, shape);
  if (fits) return *tensor;
  throw_error(ErrorKind::io,
              "{}: tensor '{}': expected {}, found {}; use the file that belongs to this model",
              path_.native(), name, text_of(type, shape),
              tensor == nullptr ? "none" : text_of(tensor->type, tensor->shape));
}

}  // namespace seda::train
