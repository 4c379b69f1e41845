// SPDX-License-Identifier: Apache-2.0
#include "seda/model/hifigan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/model/masks.h"

namespace seda::model {
namespace {

constexpr double kSlope = 0.1;       // of leaky ReLU inside,
constexpr double kLastSlope = 0.01;  // and before the last convolution
constexpr int64_t kEndKernel = 7;    // of the first and the last convolution

int64_t up_padding(int64_t kernel, int64_t rate) {
  return (kernel - rate) / 2;
}

}  // namespace

/// How long each row is, and what keeps the rest of it zero.
class HifiGan::Lengths {
 public:
  Lengths(std::span<const int64_t> rows, int64_t longest, torch::Device device)
      : rows_(rows.begin(), rows.end()), longest_(longest), device_(device) {
    equal_ = std::ranges::all_of(rows_, [&](int64_t row) { return row == longest; });
    make_mask();
  }

  /// After a transposed convolution.
  void grow(int64_t kernel, int64_t rate) {
    const auto grown = [&](int64_t length) {
      return length == 0 ? 0 : (length - 1) * rate - 2 * up_padding(kernel, rate) + kernel;
    };
    std::ranges::transform(rows_, rows_.begin(), grown);
    longest_ = grown(longest_);
    make_mask();
  }

  torch::Tensor keep(const torch::Tensor& x) const { return equal_ ? x : x.mul_(mask_); }

 private:
  void make_mask() {
    if (equal_) return;
    const auto lengths = torch::tensor(rows_, torch::kInt64).to(device_);
    mask_ = length_mask(lengths, longest_).unsqueeze(1).to(torch::kFloat32);
  }

  std::vector<int64_t> rows_;
  int64_t longest_;
  torch::Device device_;
  bool equal_ = false;
  torch::Tensor mask_;  // [batch, 1, longest]
};

/// Takes tensors by name and shape, and knows those that nobody took.
class HifiGan::Reader {
 public:
  explicit Reader(const NamedTensors& tensors) : tensors_(tensors) {
    for (const auto& [name, tensor] : tensors)
      left_.insert(name);
  }

  Convolution convolution(const std::string& name, const std::vector<int64_t>& shape, int64_t out,
                          int64_t dilation = 1) {
    auto weight = take(name + ".weight", shape);
    return {std::move(weight), take(name + ".bias", {out}), dilation};
  }

  void finish() const {
    if (!missing_.empty()) {
      throw_error(ErrorKind::io,
                  "the vocoder's weights lack {}; expected a HiFi-GAN generator as "
                  "its metadata describes it",
                  fmt::join(missing_, ", "));
    }
    if (left_.empty()) return;
    throw_error(ErrorKind::io,
                "the vocoder's weights have tensors that its metadata does not "
                "describe: {}; expected a HiFi-GAN generator alone",
                fmt::join(left_, ", "));
  }

 private:
  torch::Tensor take(const std::string& name, const std::vector<int64_t>& shape) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      missing_.push_back(name);
      return {};
    }
    left_.erase(name);
    if (found->second.sizes() == torch::IntArrayRef(shape)) return found->second.contiguous();
    throw_error(ErrorKind::io, "{} of the vocoder: expected the shape [{}], found [{}]", name,
                fmt::join(shape, ", "), fmt::join(found->second.sizes(), ", "));
  }

  const NamedTensors& tensors_;
  std::set<std::string> left_;
  std::vector<std::string> missing_;
};

HifiGan::HifiGan(HifiGanOptions options, const NamedTensors& weights)
    : options_(std::move(options)) {
  read(fold_weight_norm(weights));
}

HifiGan::ResidualBlock HifiGan::read_block(Reader& reader, size_t number, int64_t channels) const {
  const size_t kernels = options_.resblock_kernel_sizes.size();
  const int64_t kernel = options_.resblock_kernel_sizes[number % kernels];
  const auto& dilations = options_.resblock_dilation_sizes[number % kernels];
  ResidualBlock block;
  for (size_t i = 0; i < dilations.size(); ++i) {
    const auto one = [&](const char* group, int64_t dilation) {
      return reader.convolution(fmt::format("resblocks.{}.{}.{}", number, group, i),
                                {channels, channels, kernel}, channels, dilation);
    };
    if (options_.resblock == 1) {
      block.push_back({one("convs1", dilations[i]), one("convs2", 1)});
    } else {
      block.push_back({one("convs", dilations[i])});
    }
  }
  return block;
}

void HifiGan::read(const NamedTensors& weights) {
  Reader reader(weights);
  const auto found = weights.find("conv_pre.weight");
  int64_t channels = found == weights.end() || found->second.dim() == 0 ? 0 : found->second.size(0);
  first_ = reader.convolution("conv_pre", {channels, options_.mel.n_mels, kEndKernel}, channels);
  const size_t kernels = options_.resblock_kernel_sizes.size();
  for (size_t i = 0; i < options_.upsample_rates.size(); ++i, channels /= 2) {
    const int64_t half = channels / 2;
    Stage stage;
    stage.up = reader.convolution(fmt::format("ups.{}", i),
                                  {channels, half, options_.upsample_kernel_sizes[i]}, half);
    for (size_t k = 0; k < kernels; ++k)
      stage.blocks.push_back(read_block(reader, i * kernels + k, half));
    stages_.push_back(std::move(stage));
  }
  last_ = reader.convolution("conv_post", {1, channels, kEndKernel}, 1);
  reader.finish();
}

torch::Tensor HifiGan::convolve(const torch::Tensor& x, const Convolution& by) {
  const int64_t padding = by.dilation * (by.weight.size(2) - 1) / 2;
  return torch::conv1d(x, by.weight, by.bias, 1, padding, by.dilation);
}

torch::Tensor HifiGan::residual(torch::Tensor x, const ResidualBlock& block,
                                const Lengths& lengths) const {
  for (const auto& convolutions : block) {
    if (heed_) heed_();
    torch::Tensor y = x;
    for (const Convolution& convolution : convolutions)
      y = lengths.keep(convolve(torch::leaky_relu(y, kSlope), convolution));
    x = y.add_(x);
  }
  return x;
}

torch::Tensor HifiGan::upsample(const torch::Tensor& x, size_t stage, Lengths& lengths) const {
  const Stage& by = stages_[stage];
  const int64_t rate = options_.upsample_rates[stage];
  const int64_t kernel = by.up.weight.size(2);
  torch::Tensor up = torch::conv_transpose1d(torch::leaky_relu(x, kSlope), by.up.weight, by.up.bias,
                                             rate, up_padding(kernel, rate));
  lengths.grow(kernel, rate);
  up = lengths.keep(up);
  torch::Tensor sum;
  for (const ResidualBlock& block : by.blocks) {
    const torch::Tensor part = residual(up, block, lengths);
    sum = sum.defined() ? sum.add_(part) : part;
  }
  return sum.div_(static_cast<double>(by.blocks.size()));
}

torch::Tensor HifiGan::apply(const torch::Tensor& mels, std::span<const int64_t> lengths) const {
  const torch::NoGradGuard no_gradients;
  Lengths rows(lengths, mels.size(2), mels.device());
  torch::Tensor x = rows.keep(convolve(rows.keep(mels.clone()), first_));
  for (size_t stage = 0; stage < stages_.size(); ++stage)
    x = upsample(x, stage, rows);
  const torch::Tensor sound = convolve(torch::leaky_relu(x, kLastSlope), last_).tanh_();
  return sound.squeeze(1).narrow(1, 0, mels.size(2) * options_.mel.hop_length);
}

}  // namespace seda::model
