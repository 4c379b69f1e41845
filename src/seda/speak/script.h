// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seda/text/frontend.h"

namespace seda::speak {

/// What is said in one breath.
struct Sentence {
  std::string text;  ///< As written.
  std::string language;
  std::vector<int32_t> tokens;
};

/// A text, ready to be spoken.
struct Script {
  std::vector<Sentence> sentences;
  std::map<std::string, size_t> unknown;  ///< Symbols that the table has not: left out, so often.
  size_t unspoken = 0;                    ///< Sentences of which nothing is left to say.
};

/// Reads a text: sentences (sentences.h), of at most `most_symbols` symbols each, as tokens.
/// `language` is empty where each sentence's is to be detected. A text in which nothing can be
/// spoken is an Error(usage) that quotes it.
Script read_script(std::string_view text, const text::Frontend& frontend, std::string_view language,
                   size_t most_symbols);

}  // namespace seda::speak
