// SPDX-License-Identifier: Apache-2.0
#include "seda/python/export_tensor.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"

namespace seda::python {
namespace {

constexpr dlpack::DataType kFloat{dlpack::TypeCode::floating, 32, 1};
constexpr dlpack::DataType kInteger{dlpack::TypeCode::signed_integer, 32, 1};
constexpr dlpack::DataType kBoolean{dlpack::TypeCode::boolean, 8, 1};

/// What a consumer's struct points to, and the batch.
template <typename Managed>
struct Exported {
  HeldTensor tensor;
  std::vector<int64_t> strides;
  Managed managed;
};

std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

template <typename Managed>
Managed* export_as(const HeldTensor& tensor) {
  auto exported = std::make_unique<Exported<Managed>>();
  exported->tensor = tensor;
  exported->strides = row_major(tensor.shape);
  exported->managed.tensor = {.data = tensor.data,
                              .device = device_of(tensor),
                              .dimensions = static_cast<int32_t>(tensor.shape.size()),
                              .type = tensor.type,
                              .shape = exported->tensor.shape.data(),
                              .strides = exported->strides.data()};
  exported->managed.context = exported.get();
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->context);
  };
  return &exported.release()->managed;
}

}  // namespace

const std::vector<std::string>& tensor_names() {
  static const std::vector<std::string> names = {"mel",        "tokens",      "mel_mask",
                                                 "token_mask", "mel_lengths", "token_lengths",
                                                 "speakers",   "languages"};
  return names;
}

HeldTensor tensor_of(std::shared_ptr<HeldBatch> batch, std::string_view name) {
  const auto& [clips, tokens, frames, n_mels] = batch->batch().shape;
  const feed::BatchArrays& arrays = batch->batch().arrays;
  const auto made = [&](void* data, dlpack::DataType type, std::vector<int64_t> shape) {
    return HeldTensor{std::move(batch), data, type, std::move(shape)};
  };
  if (name == "mel") return made(arrays.mel, kFloat, {clips, n_mels, frames});
  if (name == "tokens") return made(arrays.tokens, kInteger, {clips, tokens});
  if (name == "mel_mask") return made(arrays.mel_mask, kBoolean, {clips, frames});
  if (name == "token_mask") return made(arrays.token_mask, kBoolean, {clips, tokens});
  if (name == "mel_lengths") return made(arrays.mel_lengths, kInteger, {clips});
  if (name == "token_lengths") return made(arrays.token_lengths, kInteger, {clips});
  if (name == "speakers") return made(arrays.speakers, kInteger, {clips});
  if (name == "languages") return made(arrays.languages, kInteger, {clips});
  throw_error(ErrorKind::usage, "a batch has no '{}'; it has {}", name,
              fmt::join(tensor_names(), ", "));
}

std::string type_name(const dlpack::DataType& type) {
  if (type.code == dlpack::TypeCode::boolean) return "bool";
  const bool is_float = type.code == dlpack::TypeCode::floating;
  return fmt::format("{}{}", is_float ? "float" : "int", type.bits);
}

dlpack::Device device_of(const HeldTensor& tensor) {
  const device::Device device = tensor.batch->device();
  return {device.is_cuda() ? dlpack::DeviceType::cuda : dlpack::DeviceType::cpu, device.index};
}

dlpack::Managed* export_plain(const HeldTensor& tensor) {
  return export_as<dlpack::Managed>(tensor);
}

dlpack::ManagedVersioned* export_versioned(const HeldTensor& tensor) {
  return export_as<dlpack::ManagedVersioned>(tensor);
}

}  // namespace seda::python
