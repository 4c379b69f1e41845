// SPDX-License-Identifier: Apache-2.0
#include "seda/text/tokenizer.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"

namespace seda::text {
namespace {

constexpr std::array<std::string_view, 3> kSpecial = {"<pad>", "<unknown>", "<blank>"};

std::vector<std::string> with_special(std::vector<std::string> symbols) {
  symbols.insert(symbols.begin(), kSpecial.begin(), kSpecial.end());
  return symbols;
}

Hash128 hash_of(TokenizerKind kind, bool add_blank, const std::vector<std::string>& symbols,
                const std::string& model) {
  Hasher hasher;
  const auto add = [&](std::string_view part) {
    hasher.add(std::to_string(part.size()));
    hasher.add(":");
    hasher.add(part);
  };
  add(to_string(kind));
  add(add_blank ? "blank" : "");
  for (const std::string& symbol : symbols)
    add(symbol);
  add(model);
  return hasher.digest();
}

/// Blanks between the tokens and at both ends.
std::vector<int32_t> with_blanks(const std::vector<int32_t>& tokens) {
  std::vector<int32_t> out(tokens.size() * 2 + 1, kBlankToken);
  for (size_t i = 0; i < tokens.size(); ++i)
    out[2 * i + 1] = tokens[i];
  return out;
}

}  // namespace

std::string_view to_string(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::characters:
      return "characters";
    case TokenizerKind::phonemes:
      return "phonemes";
    case TokenizerKind::sentencepiece:
      break;
  }
  return "sentencepiece";
}

TokenizerKind tokenizer_kind(std::string_view word) {
  for (const auto kind :
       {TokenizerKind::characters, TokenizerKind::phonemes, TokenizerKind::sentencepiece}) {
    if (to_string(kind) == word) return kind;
  }
  throw_error(ErrorKind::config,
              "expected a tokenizer of the kind characters, phonemes or sentencepiece, found '{}'",
              word);
}

Tokenizer::Tokenizer(TokenizerKind kind, bool add_blank, std::vector<std::string> symbols,
                     std::string model)
    : kind_(kind),
      add_blank_(add_blank),
      symbols_(with_special(std::move(symbols))),
      model_(std::move(model)),
      hash_(hash_of(kind_, add_blank_, symbols_, model_)) {}

Encoded Tokenizer::encode(std::string_view text) const {
  Encoded encoded = encode_symbols(text);
  if (add_blank_) encoded.tokens = with_blanks(encoded.tokens);
  return encoded;
}

}  // namespace seda::text
