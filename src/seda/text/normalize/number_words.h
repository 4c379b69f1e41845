// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "seda/text/normalize/numeral.h"

namespace seda::text {

/// The number words of a language, by ICU's rules and locale data.
///
/// One for each thread and language, so that nothing hangs on whether ICU's formats may be shared.
class NumberWords {
 public:
  /// Those of the calling thread, made at the first call and kept; null where ICU knows none.
  static const NumberWords* for_language(std::string_view language);

  ~NumberWords();
  NumberWords(const NumberWords&) = delete;
  NumberWords& operator=(const NumberWords&) = delete;

  Separators separators() const;
  std::string cardinal(uint64_t value) const;
  /// Empty where the language's rules have no ordinals.
  std::string ordinal(uint64_t value) const;
  /// The decimals digit by digit after the language's word for the separator; where it has none,
  /// as ICU says it.
  std::string decimal(const Numeral& numeral) const;
  std::string digits(std::string_view text) const;
  /// "minus"; empty where the language does not put a word before the number.
  std::string minus() const;
  /// The name of a currency (ISO code) for this amount: "euros".
  std::string currency_name(std::string_view code, const Numeral& numeral) const;

 private:
  struct Formats;
  explicit NumberWords(std::unique_ptr<Formats> formats);
  std::string point() const;
  static std::unique_ptr<NumberWords> make(std::string_view language);

  std::unique_ptr<Formats> formats_;
};

}  // namespace seda::text
