// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/sentences.h"

#include <unordered_set>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/random.h"
#include "seda/corpus/detail/grammar.h"

namespace seda::corpus {
namespace {

constexpr size_t kPatience = 1000;  // repeats in a row after which nothing new is expected

std::string_view base_language(std::string_view language) {
  return language.substr(0, language.find_first_of("-_"));
}

detail::Grammar grammar_of(std::string_view language) {
  if (base_language(language) == "fa") return {detail::persian_rules(), true};
  if (base_language(language) == "en") return {detail::english_rules(), false};
  throw_error(ErrorKind::usage,
              "sentences can be composed in en and fa, not in '{}': give --transcripts FILE",
              language);
}

}  // namespace

bool can_compose(std::string_view language) {
  return base_language(language) == "en" || base_language(language) == "fa";
}

std::vector<std::string> compose_sentences(std::string_view language, size_t count, uint64_t seed,
                                           const std::function<void()>& composed) {
  const detail::Grammar grammar = grammar_of(language);
  Random random(seed);
  std::unordered_set<std::string> known;
  std::vector<std::string> sentences;
  size_t repeats = 0;
  while (sentences.size() < count) {
    throw_if_interrupted();
    std::string sentence = grammar.sentence(random);
    if (known.insert(sentence).second) {
      sentences.push_back(std::move(sentence));
      repeats = 0;
      if (composed) composed();
    } else if (++repeats == kPatience) {
      throw_error(ErrorKind::usage,
                  "asked for {} sentences, found no new one after {}: ask for fewer clips, or give "
                  "--transcripts FILE",
                  count, sentences.size());
    }
  }
  return sentences;
}

}  // namespace seda::corpus
