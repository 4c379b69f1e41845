// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/training_state.h"

#include <array>
#include <cstring>
#include <set>
#include <string>

#include "seda/base/error.h"

namespace seda::train {
namespace {

constexpr std::string_view kWeights = "weights.";
constexpr std::string_view kExpAvg = "exp_avg.";
constexpr std::string_view kExpAvgSq = "exp_avg_sq.";
constexpr std::string_view kSteps = "steps";

/// The host's copy that views point into.
struct HostState {
  std::vector<torch::Tensor> arrays;
};

torch::Tensor to_host(const torch::Tensor& tensor) {
  auto host = torch::empty(
      tensor.sizes(), torch::TensorOptions().dtype(tensor.dtype()).pinned_memory(tensor.is_cuda()));
  return host.copy_(tensor, /*non_blocking=*/true);
}

std::span<const std::byte> bytes_of(const torch::Tensor& host, int64_t offset, int64_t size) {
  const float* begin = host.const_data_ptr<float>() + offset;
  return std::as_bytes(std::span(begin, static_cast<size_t>(size)));
}

void add_views(std::vector<TensorView>& views, const ParameterLayout& layout,
               const torch::Tensor& host, std::string_view prefix) {
  for (const ParameterSlot& slot : layout.slots()) {
    views.push_back({.name = std::string(prefix) + slot.name,
                     .type = TensorType::f32,
                     .shape = slot.shape,
                     .bytes = bytes_of(host, slot.offset, slot.size)});
  }
}

std::string joined(std::string_view prefix, std::string_view name) {
  return std::string(prefix) + std::string(name);
}

float read_steps(const SafetensorsFile& file, std::string_view prefix) {
  float steps = 0;
  std::memcpy(&steps, file.get(joined(prefix, kSteps), TensorType::f32, {}).bytes.data(),
              sizeof(steps));
  return steps;
}

}  // namespace

EngineState copy_state(const FlatParameters& parameters, device::StreamView stream,
                       std::string_view prefix) {
  const torch::NoGradGuard no_grad;
  const FlatState& state = parameters.state();
  auto host = std::make_shared<HostState>();
  for (const torch::Tensor& array :
       {state.average, state.weights, state.exp_avg, state.exp_avg_sq, state.steps})
    host->arrays.push_back(to_host(array));
  stream.synchronize();
  EngineState copy;
  add_views(copy.average, parameters.layout(), host->arrays[0], "");
  add_views(copy.training, parameters.layout(), host->arrays[1], joined(prefix, kWeights));
  add_views(copy.training, parameters.layout(), host->arrays[2], joined(prefix, kExpAvg));
  add_views(copy.training, parameters.layout(), host->arrays[3], joined(prefix, kExpAvgSq));
  copy.training.push_back({.name = joined(prefix, kSteps),
                           .type = TensorType::f32,
                           .shape = {},
                           .bytes = bytes_of(host->arrays[4], 0, 1)});
  copy.memory = std::move(host);
  return copy;
}

torch::Tensor read_flat(const ParameterLayout& layout, const SafetensorsFile& file,
                        std::string_view prefix) {
  auto flat = torch::zeros({layout.size()}, torch::kFloat32);
  for (const ParameterSlot& slot : layout.slots()) {
    const TensorView& stored =
        file.get(std::string(prefix) + slot.name, TensorType::f32, slot.shape);
    if (stored.bytes.empty()) continue;
    std::memcpy(flat.mutable_data_ptr<float>() + slot.offset, stored.bytes.data(),
                stored.bytes.size());
  }
  return flat;
}

std::set<std::string, std::less<>> training_names(const ParameterLayout& layout,
                                                  std::string_view prefix) {
  std::set<std::string, std::less<>> names = {joined(prefix, kSteps)};
  for (const std::string_view kind : {kWeights, kExpAvg, kExpAvgSq}) {
    for (const ParameterSlot& slot : layout.slots())
      names.insert(joined(prefix, kind) + slot.name);
  }
  return names;
}

void refuse_foreign(const SafetensorsFile& file, const std::set<std::string, std::less<>>& known) {
  for (const TensorView& tensor : file.tensors()) {
    if (known.contains(tensor.name)) continue;
    throw_error(ErrorKind::io,
                "tensor '{}' belongs to no weight of this model; use the options the state was "
                "made with",
                tensor.name);
  }
}

void refuse_foreign(const ParameterLayout& layout, const SafetensorsFile& file,
                    std::span<const std::string_view> prefixes,
                    std::span<const std::string_view> others) {
  std::set<std::string, std::less<>> known(others.begin(), others.end());
  for (const std::string_view prefix : prefixes) {
    for (const ParameterSlot& slot : layout.slots())
      known.insert(joined(prefix, slot.name));
  }
  refuse_foreign(file, known);
}

StoredTraining read_training(const ParameterLayout& layout, const SafetensorsFile& training,
                             std::string_view prefix) {
  return {.weights = read_flat(layout, training, joined(prefix, kWeights)),
          .exp_avg = read_flat(layout, training, joined(prefix, kExpAvg)),
          .exp_avg_sq = read_flat(layout, training, joined(prefix, kExpAvgSq)),
          .steps = read_steps(training, prefix)};
}

void take_training(FlatParameters& parameters, const StoredTraining& stored,
                   const torch::Tensor& average) {
  const torch::NoGradGuard no_grad;
  const FlatState& state = parameters.state();
  state.weights.copy_(stored.weights);
  state.exp_avg.copy_(stored.exp_avg);
  state.exp_avg_sq.copy_(stored.exp_avg_sq);
  state.average.copy_(average.defined() ? average : stored.weights);
  state.steps.fill_(stored.steps);
  state.gradient.zero_();
  parameters.publish();
}

void restore_state(FlatParameters& parameters, const SafetensorsFile& training,
                   const SafetensorsFile& average) {
  const ParameterLayout& layout = parameters.layout();
  const torch::NoGradGuard no_grad;
  refuse_foreign(training, training_names(layout, ""));
  refuse_foreign(layout, average, std::array{std::string_view()}, {});
  const StoredTraining stored = read_training(layout, training, "");
  take_training(parameters, stored, read_flat(layout, average, ""));
}

}  // namespace seda::train
