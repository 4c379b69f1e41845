// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seda/text/frontend.h"

namespace seda::speak::testing_support {

/// A frontend whose tokens are letters: small ones, space and marks have numbers from 3 on.
inline std::unique_ptr<text::Frontend> letters_frontend(bool add_blank = false) {
  std::vector<std::string> symbols = {" ", ".", ",", "!"};
  for (char letter = 'a'; letter <= 'z'; ++letter)
    symbols.emplace_back(1, letter);
  text::FrontendOptions options;
  options.language = "en";
  options.phonemes = false;
  return std::make_unique<text::Frontend>(
      options, text::make_symbol_tokenizer(text::TokenizerKind::characters, symbols, add_blank));
}

}  // namespace seda::speak::testing_support
