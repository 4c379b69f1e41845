// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "seda/text/normalizer.h"

namespace seda::text {

/// Which rules a language code asks for.
enum class Family { english, persian, other };

/// What a step knows beside the line, and what it counts.
struct StepContext {
  std::string_view language;
  Family family = Family::other;
  bool british = false;  ///< "one hundred and five", day before month.
  Diacritics diacritics = Diacritics::keep;
  uint32_t emoji = 0;
  uint32_t dropped = 0;
};

/// Reads valid UTF-8 and appends valid UTF-8 to `out`, which is empty.
using StepFunction = void (*)(std::string_view in, StepContext& context, std::string& out);

/// A cleaner, how it is done, and what a line must have (traits.h) for it to have work.
struct Step {
  Cleaner cleaner;
  StepFunction run = nullptr;
  uint32_t wanted = 0;
  bool adds_words = false;  ///< Spoken for what was no word: in capitals, where all the line is.
};

std::span<const Step> all_steps();

void clean_unicode(std::string_view in, StepContext& context, std::string& out);
void clean_emoji(std::string_view in, StepContext& context, std::string& out);
void clean_letters(std::string_view in, StepContext& context, std::string& out);
void clean_urls(std::string_view in, StepContext& context, std::string& out);
void clean_abbreviations(std::string_view in, StepContext& context, std::string& out);
void clean_roman(std::string_view in, StepContext& context, std::string& out);
void clean_numbers(std::string_view in, StepContext& context, std::string& out);
void clean_acronyms(std::string_view in, StepContext& context, std::string& out);
void clean_symbols(std::string_view in, StepContext& context, std::string& out);
void clean_punctuation(std::string_view in, StepContext& context, std::string& out);
void clean_lowercase(std::string_view in, StepContext& context, std::string& out);
void clean_whitespace(std::string_view in, StepContext& context, std::string& out);

}  // namespace seda::text
