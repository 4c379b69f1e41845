// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/config/config.h"
#include "seda/text/frontend.h"

namespace seda::feed {

/// What the keys `data.text.*` ask of the frontend.
struct TextOptions {
  text::FrontendOptions frontend;
  text::TokenizerKind tokenizer = text::TokenizerKind::phonemes;
  std::string tokenizer_model;  ///< A SentencePiece model to use; empty: learned from the corpus.
  int vocabulary_size = 0;
  bool add_blank = true;

  bool operator==(const TextOptions&) const = default;
};

/// The configuration has been checked: no two keys contradict each other.
TextOptions text_options(const config::Config& config);

/// The tokenizer, where it needs no corpus: a fixed table, or the model that is named.
std::shared_ptr<const text::Tokenizer> ready_tokenizer(const TextOptions& options);

}  // namespace seda::feed
