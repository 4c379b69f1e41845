// SPDX-License-Identifier: Apache-2.0
#include "seda/text/frontend.h"

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/text/symbol_tables.h"

namespace seda::text {
namespace {

bool needs_phonemes(const FrontendOptions& options) {
  return options.stage == Stage::phonemes || (options.stage == Stage::tokens && options.phonemes);
}

Json describe_cleaners(const Normalizer& normalizer) {
  Json out = Json::object();
  for (const Cleaner& step : normalizer.steps())
    out[std::string(step.name)] = step.version;
  return out;
}

/// The order of steps counts, and that of an object's keys does not.
Json order_of(const Normalizer& normalizer) {
  Json out = Json::array();
  for (const Cleaner& step : normalizer.steps())
    out.push_back(step.name);
  return out;
}

}  // namespace

Frontend::Frontend(FrontendOptions options, std::shared_ptr<const Tokenizer> tokenizer)
    : options_(std::move(options)),
      tokenizer_(std::move(tokenizer)),
      normalizer_(options_.normalizer),
      phonemizer_(needs_phonemes(options_) ? std::make_unique<Phonemizer>() : nullptr),
      detected_(options_.memo_capacity),
      told_(options_.memo_capacity) {
  if (options_.stage == Stage::tokens && tokenizer_ == nullptr) {
    throw_error(ErrorKind::internal, "a frontend that makes tokens needs a tokenizer");
  }
}

Line Frontend::apply(std::string_view text, std::string_view language) const {
  Line line;
  Reading reading = read(text, language.empty() ? options_.language : language);
  line.language = std::move(reading.language);
  line.normalized = std::move(reading.normalized.text);
  line.emoji = reading.normalized.emoji;
  line.dropped = reading.normalized.dropped;
  if (phonemizer_) line.phonemes = phonemizer_->apply(line.normalized, line.language.code);
  if (options_.stage == Stage::tokens) {
    line.encoded = tokenizer_->encode(options_.phonemes ? line.phonemes : line.normalized);
  }
  return line;
}

Frontend::Reading Frontend::read(std::string_view text, std::string_view language) const {
  const auto make = [&] {
    Language found = language.empty()
                         ? detect(text)
                         : Language{std::string(language), 1, LanguageSource::metadata};
    Normalized normalized = normalizer_.apply(text, found.code);
    return Reading{std::move(found), std::move(normalized)};
  };
  if (options_.memo_capacity == 0) return make();
  if (language.empty()) return detected_.get(text, make);
  std::string key(language);
  key += '\n';
  key += text;
  return told_.get(key, make);
}

Language Frontend::detect(std::string_view text) const {
  Language found = detect_language(text, options_.fallback_language);
  if (phonemizer_ == nullptr || phonemizer_->speaks(found.code)) return found;
  return {options_.fallback_language, 0, LanguageSource::fallback};
}

MemoCounts Frontend::normalization_memo() const {
  const MemoCounts told = told_.counts();
  const MemoCounts detected = detected_.counts();
  return {told.hits + detected.hits, told.misses + detected.misses};
}

Json Frontend::description() const {
  Json out = {
      {"language", options_.language.empty() ? "auto" : options_.language},
      {"fallback_language", options_.fallback_language},
      {"language_detection", kLanguageVersion},
      {"cleaner", describe_cleaners(normalizer_)},
      {"cleaner_order", order_of(normalizer_)},
      {"diacritics", options_.normalizer.diacritics == Diacritics::keep ? "keep" : "remove"}};
  if (phonemizer_) {
    out["phonemes"] = {{"espeak_ng", phonemizer_->espeak_version()},
                       {"splitting", kPhonemizerVersion}};
  }
  if (tokenizer_) {
    out["tokenizer"] = {{"kind", to_string(tokenizer_->kind())},
                        {"symbols", tokenizer_->symbols().size()},
                        {"add_blank", tokenizer_->add_blank()},
                        {"hash", tokenizer_->hash().hex()}};
  }
  return out;
}

std::unique_ptr<Tokenizer> make_fixed_tokenizer(const FrontendOptions& options, bool add_blank) {
  if (options.phonemes) {
    return make_symbol_tokenizer(TokenizerKind::phonemes, phoneme_symbols(), add_blank);
  }
  std::vector<std::string> languages = {options.fallback_language};
  if (!options.language.empty()) languages.push_back(options.language);
  return make_symbol_tokenizer(TokenizerKind::characters, character_symbols(languages), add_blank);
}

}  // namespace seda::text
