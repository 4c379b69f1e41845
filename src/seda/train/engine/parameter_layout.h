// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <torch/torch.h>

namespace seda::train {

/// Where one of a model's weights lies in the flat arrays.
struct ParameterSlot {
  std::string name;  ///< As the module names it.
  std::vector<int64_t> shape;
  int64_t offset = 0;  ///< In elements.
  int64_t size = 0;    ///< In elements.
  bool decays = false;
};

/// How all weights of a model lie in one array: those that decay first, so that both groups of the
/// optimizer are one piece each; every weight begins at a multiple of 64 elements, zeros between.
///
/// Matrices and kernels decay; biases, norms and embeddings do not.
class ParameterLayout {
 public:
  explicit ParameterLayout(const torch::nn::Module& module);

  std::span<const ParameterSlot> slots() const noexcept { return slots_; }
  int64_t size() const noexcept { return size_; }          ///< Of the array.
  int64_t decaying() const noexcept { return decaying_; }  ///< The first so many elements.
  int64_t weights() const noexcept;                        ///< Elements that are weights.

  /// The part of a flat array that holds `slot`, in its shape.
  static torch::Tensor view(const torch::Tensor& flat, const ParameterSlot& slot);

 private:
  void place(const std::vector<ParameterSlot>& slots, bool decays);

  std::vector<ParameterSlot> slots_;
  int64_t size_ = 0;
  int64_t decaying_ = 0;
};

}  // namespace seda::train
