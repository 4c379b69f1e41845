// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "seda/base/json.h"
#include "seda/text/language.h"
#include "seda/text/memo.h"
#include "seda/text/normalizer.h"
#include "seda/text/phonemizer.h"
#include "seda/text/tokenizer.h"

namespace seda::text {

/// How far the frontend goes; each stage needs those before it.
enum class Stage { normalize, phonemes, tokens };

struct FrontendOptions {
  Stage stage = Stage::tokens;
  std::string language;                  ///< Of every line the metadata says nothing of; empty:
                                         ///< detected.
  std::string fallback_language = "en";  ///< Of lines too short to tell, or in a language that
                                         ///< nobody can speak.
  NormalizerOptions normalizer;
  bool phonemes = true;            ///< Tokens are made of phonemes; off: of the normalised text.
  size_t memo_capacity = 1 << 16;  ///< Lines remembered in each memo; 0: none.

  bool operator==(const FrontendOptions&) const = default;
};

/// What the frontend made of a line.
struct Line {
  Language language;
  std::string normalized;
  std::string phonemes;  ///< Empty where none were asked for.
  Encoded encoded;
  uint32_t emoji = 0;    ///< Dropped.
  uint32_t dropped = 0;  ///< Other characters dropped.
};

/// Text as written → token ids: language, normalisation, phonemes, tokens.
///
/// Thread-safe: `apply` may be called by any number of threads and scales with them. A line's
/// result depends on nothing but the line, its language in the metadata and `description()`.
class Frontend {
 public:
  /// `tokenizer` may be null where the stage ends before tokens.
  Frontend(FrontendOptions options, std::shared_ptr<const Tokenizer> tokenizer);

  /// `language` is what the metadata says, or empty.
  Line apply(std::string_view text, std::string_view language) const;

  const std::shared_ptr<const Tokenizer>& tokenizer() const noexcept { return tokenizer_; }

  /// Every parameter and version a result depends on: what caches are keyed with.
  Json description() const;

  /// Of lines whose language nobody said; of all lines.
  MemoCounts language_memo() const { return detected_.counts(); }
  MemoCounts normalization_memo() const;

 private:
  /// What is remembered of a line.
  struct Reading {
    Language language;
    Normalized normalized;
  };

  /// `language` is what was said of the line; empty: it is detected.
  Reading read(std::string_view text, std::string_view language) const;
  Language detect(std::string_view text) const;

  FrontendOptions options_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  Normalizer normalizer_;
  std::unique_ptr<Phonemizer> phonemizer_;  // null where no phonemes are asked for
  mutable Memo<Reading> detected_;          // by the line
  mutable Memo<Reading> told_;              // by its language and the line
};

/// The table `options` ask for where it needs no corpus: characters or phonemes.
std::unique_ptr<Tokenizer> make_fixed_tokenizer(const FrontendOptions& options, bool add_blank);

}  // namespace seda::text
