// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/text_options.h"

#include "seda/base/file.h"

namespace seda::feed {
namespace {

using text::TokenizerKind;

constexpr const char* kTokenizer = "data.text.tokenizer";
constexpr const char* kPhonemes = "data.text.phonemes";
constexpr const char* kModel = "data.text.tokenizer_model";

TokenizerKind kind_of(const config::Config& config) {
  if (!config.is_auto(kTokenizer)) return text::tokenizer_kind(config.text(kTokenizer));
  if (!config.is_auto(kModel)) return TokenizerKind::sentencepiece;
  return config.boolean(kPhonemes) ? TokenizerKind::phonemes : TokenizerKind::characters;
}

/// A tokenizer that was chosen decides, where nothing was said about phonemes.
bool speaks_phonemes(const config::Config& config, TokenizerKind kind) {
  const bool said = config.source(kPhonemes).origin != config::Origin::default_value;
  return said ? config.boolean(kPhonemes) : kind == TokenizerKind::phonemes;
}

std::string or_empty(const config::Config& config, const char* key) {
  return config.is_auto(key) ? std::string() : config.text(key);
}

}  // namespace

TextOptions text_options(const config::Config& config) {
  TextOptions options;
  options.tokenizer = kind_of(config);
  options.tokenizer_model = or_empty(config, kModel);
  options.vocabulary_size = static_cast<int>(config.integer("data.text.vocabulary_size"));
  options.add_blank = config.boolean("data.text.add_blank");
  text::FrontendOptions& frontend = options.frontend;
  frontend.phonemes = speaks_phonemes(config, options.tokenizer);
  frontend.language = or_empty(config, "data.text.language");
  if (!config.is_auto("data.text.cleaners")) {
    frontend.normalizer.cleaners = config.list("data.text.cleaners");
  }
  frontend.normalizer.diacritics = config.text("data.text.diacritics") == "remove"
                                       ? text::Diacritics::remove
                                       : text::Diacritics::keep;
  return options;
}

std::shared_ptr<const text::Tokenizer> ready_tokenizer(const TextOptions& options) {
  if (options.tokenizer != TokenizerKind::sentencepiece) {
    return text::make_fixed_tokenizer(options.frontend, options.add_blank);
  }
  if (options.tokenizer_model.empty()) return nullptr;
  return text::make_piece_tokenizer(read_file(options.tokenizer_model), options.add_blank,
                                    options.tokenizer_model);
}

}  // namespace seda::feed
