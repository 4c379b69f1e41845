// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/hash.h"
#include "seda/base/json.h"

namespace seda::text {

/// What a token is. The words are those of the key `data.text.tokenizer`.
enum class TokenizerKind { characters, phonemes, sentencepiece };
std::string_view to_string(TokenizerKind kind);
TokenizerKind tokenizer_kind(std::string_view word);

// The first symbols of every table.
constexpr int32_t kPadToken = 0;      ///< Fills a batch; never in a line.
constexpr int32_t kUnknownToken = 1;  ///< Stands for each symbol the table has not.
constexpr int32_t kBlankToken = 2;    ///< Between symbols, with `add_blank`.
constexpr int32_t kFirstToken = 3;

/// A line as numbers.
struct Encoded {
  std::vector<int32_t> tokens;
  std::vector<std::string> unknown;  ///< Each symbol that became kUnknownToken, in order.

  bool operator==(const Encoded&) const = default;
};

/// The one table by which text becomes numbers: the same object in cache, training and synthesis.
///
/// Its artefact (JSON) holds all of it and a hash; two tables that would number a line differently
/// have different hashes. Thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Symbols of the line, with blanks between, before and after them where asked for.
  Encoded encode(std::string_view text) const;

  TokenizerKind kind() const noexcept { return kind_; }
  bool add_blank() const noexcept { return add_blank_; }
  /// Every symbol, by id; the first three are the special ones.
  const std::vector<std::string>& symbols() const noexcept { return symbols_; }
  /// Of kind, blanks and symbols.
  const Hash128& hash() const noexcept { return hash_; }

  /// All that is needed to make it again with `read_tokenizer`.
  Json artefact() const;

 protected:
  Tokenizer(TokenizerKind kind, bool add_blank, std::vector<std::string> symbols,
            std::string model = {});

 private:
  virtual Encoded encode_symbols(std::string_view text) const = 0;

  TokenizerKind kind_;
  bool add_blank_;
  std::vector<std::string> symbols_;
  std::string model_;  // bytes, where symbols alone are not enough
  Hash128 hash_;
};

/// Characters or phonemes, by code point.
std::unique_ptr<Tokenizer> make_symbol_tokenizer(TokenizerKind kind,
                                                 const std::vector<std::string>& symbols,
                                                 bool add_blank);

/// Word pieces by a SentencePiece model, given as bytes; `where` is for messages.
std::unique_ptr<Tokenizer> make_piece_tokenizer(std::string model, bool add_blank,
                                                const std::string& where);

/// From an artefact. What is missing, wrong, or does not match its hash is an Error(io) that names
/// `where`.
std::unique_ptr<Tokenizer> read_tokenizer(const Json& description, const std::string& where);

}  // namespace seda::text
