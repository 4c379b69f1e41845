// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <torch/torch.h>

#include "seda/train/engine/flat_parameters.h"
#include "seda/train/engine/rank_group.h"

namespace seda::train {

/// Sums gradients over the ranks while the backward pass goes on.
///
/// The flat gradient is cut in pieces of some 8 MB, from the last weights to the first, as the
/// backward pass finds them. A piece is written and begun to be summed when all its gradients are
/// there and all pieces before it have begun: every rank then sums in the same order.
class GradientExchange {
 public:
  /// Listens to the gradients of the parameters; `adds`: to what the flat gradient holds.
  GradientExchange(FlatParameters& parameters, RankGroup& group, bool adds, int64_t piece_elements);
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Before a backward pass whose gradients are to be summed.
  void begin();

  /// After it, with the gradients it gave: the flat gradient is that of all ranks.
  void finish(const std::vector<torch::Tensor>& gradients);

 private:
  /// Weights `[first, first + count)`.
  struct Piece {
    size_t first = 0;
    size_t count = 0;
    size_t missing = 0;
  };

  void take(size_t weight, const torch::Tensor& gradient);
  void start_ready();
  void start(const Piece& piece);

  FlatParameters& parameters_;
  RankGroup& group_;
  bool adds_ = false;
  bool active_ = false;
  std::vector<Piece> pieces_;
  std::vector<size_t> piece_of_;          // [weight]
  std::vector<torch::Tensor> gradients_;  // [weight]
  size_t started_ = 0;                    // pieces
};

}  // namespace seda::train
