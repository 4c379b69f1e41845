// SPDX-License-Identifier: Apache-2.0
#include "seda/train/replay.h"

#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/json_object.h"
#include "seda/device/upload.h"
#include "seda/feed/batch_layout.h"
#include "seda/train/safetensors.h"

namespace seda::train {
namespace {

constexpr const char* kInfo = "seda.batch";

/// An array of a batch by its name in the file.
struct Field {
  const char* name;
  TensorType type;
  std::vector<int64_t> shape;
  void* data;
};

std::vector<Field> fields(const feed::BatchShape& shape, const feed::BatchArrays& arrays) {
  const int64_t batch = shape.batch;
  return {{"mel", TensorType::f32, {batch, shape.n_mels, shape.frames}, arrays.mel},
          {"tokens", TensorType::i32, {batch, shape.tokens}, arrays.tokens},
          {"mel_mask", TensorType::u8, {batch, shape.frames}, arrays.mel_mask},
          {"token_mask", TensorType::u8, {batch, shape.tokens}, arrays.token_mask},
          {"mel_lengths", TensorType::i32, {batch}, arrays.mel_lengths},
          {"token_lengths", TensorType::i32, {batch}, arrays.token_lengths},
          {"speakers", TensorType::i32, {batch}, arrays.speakers},
          {"languages", TensorType::i32, {batch}, arrays.languages}};
}

size_t bytes_of(const Field& field) {
  size_t bytes = size_of(field.type);
  for (const int64_t side : field.shape)
    bytes *= static_cast<size_t>(side);
  return bytes;
}

Json describe(const feed::BatchShape& shape, const ReplayInfo& info) {
  return {{"batch", shape.batch},          {"tokens", shape.tokens},
          {"frames", shape.frames},        {"n_mels", shape.n_mels},
          {"update", info.options.update}, {"part", info.options.part},
          {"lr", info.options.lr},         {"epoch", info.epoch},
          {"bucket", info.bucket},         {"utterances", info.utterances}};
}

void read_description(const JsonObject& from, feed::BatchShape& shape, ReplayInfo& info) {
  from.read("batch", shape.batch);
  from.read("tokens", shape.tokens);
  from.read("frames", shape.frames);
  from.read("n_mels", shape.n_mels);
  from.read("update", info.options.update);
  from.read("part", info.options.part);
  from.read("lr", info.options.lr);
  from.read("epoch", info.epoch);
  from.read("bucket", info.bucket);
  from.read("utterances", info.utterances);
}

void read_description(const SafetensorsFile& file, const std::filesystem::path& path,
                      feed::BatchShape& shape, ReplayInfo& info) {
  const auto found = file.metadata().find(kInfo);
  if (found == file.metadata().end()) {
    throw_error(ErrorKind::io, "{}: expected a batch that seda train saved, found other tensors",
                path.string());
  }
  const std::string where = path.string() + ": description of a batch";
  read_description({parse_json(found->second, where), where}, shape, info);
  if (shape.batch < 1 || shape.tokens < 1 || shape.frames < 1 || shape.n_mels < 1) {
    throw_error(ErrorKind::io, "{}: expected a batch with sides above 0", path.string());
  }
}

}  // namespace

void write_replay(const std::filesystem::path& path, const feed::Batch& batch,
                  const ReplayInfo& info) {
  std::vector<TensorView> tensors;
  for (const Field& field : fields(batch.shape, batch.arrays)) {
    tensors.push_back({field.name,
                       field.type,
                       field.shape,
                       {static_cast<const std::byte*>(field.data), bytes_of(field)}});
  }
  write_safetensors(path, tensors, {{kInfo, to_json_text(describe(batch.shape, info), -1)}});
}

std::filesystem::path path_of_part(const std::filesystem::path& path, int part) {
  return folder_of(path) /
         fmt::format("{}-{}{}", path.stem().string(), part, path.extension().string());
}

Replay read_replay(const std::filesystem::path& path, device::MemoryResource& resource,
                   device::StreamView stream) {
  const SafetensorsFile file(path);
  Replay out;
  read_description(file, path, out.batch.shape, out.info);
  // Before memory is asked for: a file that holds the tensors is as large as they are.
  for (const Field& field : fields(out.batch.shape, {}))
    file.get(field.name, field.type, field.shape);
  std::vector<std::byte> host(feed::batch_bytes(out.batch.shape));
  for (const Field& field :
       fields(out.batch.shape, feed::batch_arrays(out.batch.shape, host.data()))) {
    const TensorView& tensor = file.get(field.name, field.type, field.shape);
    std::memcpy(field.data, tensor.bytes.data(), tensor.bytes.size());
  }
  out.batch.memory = device::upload(std::span<const std::byte>(host), resource, stream);
  out.batch.arrays = feed::batch_arrays(out.batch.shape, out.batch.memory.data());
  out.batch.info.bucket = out.info.bucket;
  out.batch.info.epoch = out.info.epoch;
  return out;
}

}  // namespace seda::train
