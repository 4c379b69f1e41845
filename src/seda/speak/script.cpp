// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/script.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/utf8.h"
#include "seda/speak/sentences.h"

namespace seda::speak {
namespace {

constexpr size_t kQuotedBytes = 80;

bool is_symbol(int32_t token) {
  return token >= text::kFirstToken;
}

/// Without what stands for unknown symbols, and the blank behind each, where there are blanks.
std::vector<int32_t> known_tokens(const std::vector<int32_t>& tokens) {
  std::vector<int32_t> out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != text::kUnknownToken) {
      out.push_back(tokens[i]);
    } else if (i + 1 < tokens.size() && tokens[i + 1] == text::kBlankToken) {
      ++i;
    }
  }
  return out;
}

void add_sentence(const std::string& text, const text::Line& line, Script& script) {
  for (const std::string& symbol : line.encoded.unknown)
    ++script.unknown[symbol];
  Sentence sentence{text, line.language.code, known_tokens(line.encoded.tokens)};
  if (std::ranges::any_of(sentence.tokens, is_symbol)) {
    script.sentences.push_back(std::move(sentence));
  } else {
    ++script.unspoken;
  }
}

std::string listed(const std::map<std::string, size_t>& symbols) {
  std::string out;
  for (const auto& [symbol, count] : symbols)
    out += fmt::format("{}'{}'", out.empty() ? "" : " ", symbol);
  return out.empty() ? "" : fmt::format(" (unknown: {})", out);
}

}  // namespace

Script read_script(std::string_view text, const text::Frontend& frontend, std::string_view language,
                   size_t most_symbols) {
  const auto fits = [&](std::string_view piece) {
    const auto& tokens = frontend.apply(piece, language).encoded.tokens;
    return static_cast<size_t>(std::ranges::count_if(tokens, is_symbol)) <= most_symbols;
  };
  Script script;
  for (const std::string& sentence : split_sentences(text)) {
    for (const std::string& piece : split_to_fit(sentence, fits))
      add_sentence(piece, frontend.apply(piece, language), script);
  }
  if (script.sentences.empty()) {
    throw_error(ErrorKind::usage,
                "nothing to say in '{}': expected letters that the voice was trained on, found "
                "none{}",
                excerpt(text, kQuotedBytes), listed(script.unknown));
  }
  return script;
}

}  // namespace seda::speak
