// SPDX-License-Identifier: Apache-2.0
#include <torch/torch.h>
#include <torch/version.h>

#include "seda/train/engine/engine_torch.h"
#include "seda/train/engine/vocoder_engine_torch.h"
#include "seda/train/engine/vocoder_torch.h"
#include "seda/train/engine/voice_torch.h"
#include "seda/train/library.h"

namespace seda::train {
namespace {

class TorchLibrary final : public Library {
 public:
  TorchInfo torch_info() const override {
    TorchInfo info{.version = TORCH_VERSION, .threads = at::get_num_threads()};
    if (!torch::cuda::is_available()) return info;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a small number, not a character.
    info.cuda_devices = static_cast<int>(torch::cuda::device_count());
    info.cuda_version = static_cast<int>(at::detail::getCUDAHooks().versionCUDART());
    info.cudnn_version = at::detail::getCUDAHooks().versionRuntimeCuDNN();
    return info;
  }

  double gradient_error(const std::string& device) const override {
    // Loss |X w - y|² has the gradient 2 Xᵀ (X w - y); the closed form is computed in double.
    const auto doubles = torch::TensorOptions().dtype(torch::kFloat64);
    const auto features =
        torch::arange(0, 32, doubles).reshape({8, 4}).sin();  // [samples, weights]
    const auto targets = torch::arange(0, 8, doubles).cos();  // [samples]
    const auto weights = torch::linspace(-1, 1, 4, doubles);  // [weights]
    const auto expected = 2 * features.t().mv(features.mv(weights) - targets);

    const auto options = torch::TensorOptions().dtype(torch::kFloat32).device(device);
    auto leaf = weights.to(options).requires_grad_();
    auto loss = (features.to(options).mv(leaf) - targets.to(options)).square().sum();
    loss.backward();
    const auto found = leaf.grad().to(torch::kCPU, torch::kFloat64);
    return ((found - expected).abs().max() / expected.abs().max()).item<double>();
  }

  std::unique_ptr<Engine> make_engine(const EngineOptions& options) const override {
    return make_torch_engine(options);
  }

  std::unique_ptr<Voice> make_voice(const VoiceOptions& options,
                                    const SafetensorsFile& weights) const override {
    return make_torch_voice(options, weights);
  }

  std::unique_ptr<VocoderEngine> make_vocoder_engine(
      const VocoderEngineOptions& options) const override {
    return make_torch_vocoder_engine(options);
  }

  std::unique_ptr<NeuralVocoder> make_vocoder(const VocoderOptions& options,
                                              const SafetensorsFile& weights) const override {
    return make_torch_vocoder(options, weights);
  }
};

}  // namespace
}  // namespace seda::train

extern "C" __attribute__((visibility("default"))) const seda::train::Library* seda_train_library(
    int interface) {
  static const seda::train::TorchLibrary library;
  return interface == seda::train::kLibraryInterface ? &library : nullptr;
}
