// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/vocoder_torch.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include <torch/torch.h>

#include "seda/base/error.h"
#include "seda/model/hifigan.h"
#include "seda/model/vocos.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/torch_device.h"
#include "seda/train/engine/torch_errors.h"
#include "seda/train/engine/training_state.h"

namespace seda::train {
namespace {

/// Of a batch on a GPU, padding counted: about 0.2 MB each in the widest layer.
constexpr int64_t kMostFrames = 16384;

TorchWork work(std::string_view what, device::StreamView stream) {
  return {.what = what, .device = stream.device(), .memory_limit_bytes = 0, .largest = {}};
}

torch::ScalarType scalar_type(const TensorView& tensor) {
  switch (tensor.type) {
    case TensorType::f32:
      return torch::kFloat32;
    case TensorType::f16:
      return torch::kFloat16;
    case TensorType::bf16:
      return torch::kBFloat16;
    default:
      throw_error(ErrorKind::io, "{} of the vocoder: expected F32, F16 or BF16, found {}",
                  tensor.name, name_of(tensor.type));
  }
}

/// A copy: views of a file need not be aligned.
torch::Tensor to_torch(const TensorView& view, torch::Device device) {
  auto tensor = torch::empty(view.shape, scalar_type(view));
  std::ranges::copy(view.bytes, static_cast<std::byte*>(tensor.data_ptr()));
  return tensor.to(device, torch::kFloat32);
}

model::NamedTensors read_tensors(const SafetensorsFile& file, torch::Device device) {
  model::NamedTensors out;
  for (const TensorView& tensor : file.tensors())
    out.emplace(tensor.name, to_torch(tensor, device));
  return out;
}

/// What makes sound of a padded batch of mels, on their device.
/// [batch, n_mels, frames] → [batch, frames · hop_length]
using Network = std::function<torch::Tensor(const torch::Tensor&, std::span<const int64_t>)>;

using Heed = std::function<void()>;

Network hifigan_network(const SafetensorsFile& weights, torch::Device device, Heed heed) {
  auto made = std::make_shared<model::HifiGan>(model::read_hifigan_options(weights.metadata()),
                                               read_tensors(weights, device));
  made->set_heed(std::move(heed));
  return [made](const torch::Tensor& mels, std::span<const int64_t> lengths) {
    return made->apply(mels, lengths);
  };
}

/// The weights of a file, each of which it must have and no others.
void take_weights(torch::nn::Module& module, const SafetensorsFile& weights) {
  const torch::NoGradGuard no_grad;
  const ParameterLayout layout(module);
  refuse_foreign(layout, weights, std::array{std::string_view()}, {});
  const auto flat = read_flat(layout, weights, "");
  auto parameters = module.named_parameters();
  for (const ParameterSlot& slot : layout.slots())
    parameters[slot.name].copy_(ParameterLayout::view(flat, slot));
}

Network vocos_network(const SafetensorsFile& weights, torch::Device device, bool mixed_precision,
                      Heed heed) {
  model::Vocos made(model::read_vocos_metadata(weights.metadata()));
  take_weights(*made, weights);
  made->to(device);
  if (mixed_precision) made->compute_in(torch::kBFloat16);
  made->set_heed(std::move(heed));
  made->eval();
  return [made, device](const torch::Tensor& mels, std::span<const int64_t> lengths) mutable {
    const torch::NoGradGuard no_grad;
    const auto counts =
        torch::tensor(std::vector<int64_t>(lengths.begin(), lengths.end()), torch::kInt64);
    return made->forward(mels, counts.to(device)).clamp(-1, 1);
  };
}

class TorchVocoder final : public NeuralVocoder {
 public:
  TorchVocoder(const VocoderOptions& options, const SafetensorsFile& weights)
      : stream_(options.stream), device_(torch_device(options.stream.device())) {
    const bool vocos = model::is_vocos(weights.metadata());
    mel_ = vocos ? model::read_vocos_metadata(weights.metadata()).mel
                 : model::read_hifigan_options(weights.metadata()).mel;
    const Heed heed = device_.is_cpu() ? options.heed : Heed();
    network_ = vocos ? vocos_network(weights, device_, options.mixed_precision, heed)
                     : hifigan_network(weights, device_, heed);
  }

  int n_mels() const override { return mel_.n_mels; }
  int hop_length() const override { return mel_.hop_length; }

  std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) override {
    std::vector<std::vector<float>> sounds(mels.size());
    std::vector<size_t> order(mels.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) { return std::pair(-mels[i].frames, i); });
    for (std::span<const size_t> left = order; !left.empty();) {
      const size_t count = group(mels[left[0]].frames, left.size());
      in_torch(work("the vocoder", stream_), [&] {
        const StreamScope scope(stream_);
        speak(mels, left.first(count), sounds);
      });
      left = left.subspan(count);
    }
    return sounds;
  }

 private:
  /// How many of `left`, none longer than `frames`, are computed together.
  size_t group(int frames, size_t left) const {
    if (stream_.device().is_cpu()) return 1;
    return std::clamp<size_t>(kMostFrames / std::max(frames, 1), 1, left);
  }

  void speak(std::span<const model::MelData> mels, std::span<const size_t> rows,
             std::vector<std::vector<float>>& sounds) const {
    const int64_t longest = mels[rows[0]].frames;
    if (longest == 0) return;
    std::vector<int64_t> lengths;
    auto input = torch::zeros({std::ssize(rows), n_mels(), longest});
    for (size_t row = 0; row < rows.size(); ++row) {
      const model::MelData& mel = mels[rows[row]];
      lengths.push_back(mel.frames);
      fill(input[static_cast<int64_t>(row)], mel);
    }
    const auto sound = network_(input.to(device_), lengths).to(torch::kCPU);
    for (size_t row = 0; row < rows.size(); ++row) {
      const auto samples = sound[static_cast<int64_t>(row)].contiguous();
      const auto* const begin = samples.const_data_ptr<float>();
      sounds[rows[row]].assign(begin, begin + lengths[row] * hop_length());
    }
  }

  void fill(const torch::Tensor& row, const model::MelData& mel) const {
    const auto size = static_cast<size_t>(n_mels()) * static_cast<size_t>(mel.frames);
    if (mel.n_mels != n_mels() || mel.values.size() != size) {
      throw_error(ErrorKind::usage, "the vocoder takes {} bands, found a mel of {}", n_mels(),
                  mel.n_mels);
    }
    const auto values = torch::from_blob(const_cast<float*>(mel.values.data()),
                                         {n_mels(), mel.frames});  // NOLINT: only read
    row.narrow(1, 0, mel.frames).copy_(values);
  }

  device::StreamView stream_;
  torch::Device device_;
  audio::MelOptions mel_;
  Network network_;
};

}  // namespace

std::unique_ptr<NeuralVocoder> make_torch_vocoder(const VocoderOptions& options,
                                                  const SafetensorsFile& weights) {
  const TorchWork loading = work("loading the vocoder", options.stream);
  return in_torch(loading, [&]() -> std::unique_ptr<NeuralVocoder> {
    const StreamScope scope(options.stream);
    return std::make_unique<TorchVocoder>(options, weights);
  });
}

}  // namespace seda::train
