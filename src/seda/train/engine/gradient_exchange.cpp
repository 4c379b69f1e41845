// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/gradient_exchange.h"

namespace seda::train {

GradientExchange::GradientExchange(FlatParameters& parameters, RankGroup& group, bool adds,
                                   int64_t piece_elements)
    : parameters_(parameters),
      group_(group),
      adds_(adds),
      piece_of_(parameters.parameters().size()),
      gradients_(parameters.parameters().size()) {
  const auto slots = parameters.layout().slots();
  int64_t elements = piece_elements;  // of the piece at hand: the first weight begins one
  for (size_t weight = slots.size(); weight-- > 0;) {
    if (elements >= piece_elements) {
      pieces_.emplace_back();
      elements = 0;
    }
    pieces_.back().first = weight;
    ++pieces_.back().count;
    elements += slots[weight].size;
    piece_of_[weight] = pieces_.size() - 1;
  }
  for (size_t weight = 0; weight < slots.size(); ++weight) {
    parameters.parameters()[weight].register_hook(
        [this, weight](const torch::Tensor& gradient) { take(weight, gradient); });
  }
}

void GradientExchange::begin() {
  active_ = true;
  started_ = 0;
  for (Piece& piece : pieces_)
    piece.missing = piece.count;
}

void GradientExchange::take(size_t weight, const torch::Tensor& gradient) {
  if (!active_) return;
  gradients_[weight] = gradient;
  --pieces_[piece_of_[weight]].missing;
  start_ready();
}

void GradientExchange::start_ready() {
  const torch::NoGradGuard no_grad;
  for (; started_ < pieces_.size() && pieces_[started_].missing == 0; ++started_)
    start(pieces_[started_]);
}

void GradientExchange::start(const Piece& piece) {
  const auto begin = gradients_.begin() + static_cast<std::ptrdiff_t>(piece.first);
  const std::vector<torch::Tensor> gradients(begin,
                                             begin + static_cast<std::ptrdiff_t>(piece.count));
  adds_ ? parameters_.add_gradients(gradients, piece.first)
        : parameters_.write_gradients(gradients, piece.first);
  const auto slots = parameters_.layout().slots();
  const ParameterSlot& last = slots[piece.first + piece.count - 1];
  const int64_t offset = slots[piece.first].offset;
  group_.start_sum(
      parameters_.state().gradient.narrow(0, offset, last.offset + last.size - offset));
}

void GradientExchange::finish(const std::vector<torch::Tensor>& gradients) {
  gradients_ = gradients;
  for (Piece& piece : pieces_)
    piece.missing = 0;  // of weights that no loss depends on, nobody told
  start_ready();
  group_.finish();
  gradients_.assign(gradients_.size(), {});
  active_ = false;
}

}  // namespace seda::train
