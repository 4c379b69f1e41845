// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/generic_numbers.h"
#include "seda/text/normalize/numeral.h"
#include "seda/text/normalize/persian/persian.h"
#include "seda/text/normalize/step.h"

namespace seda::text {

void clean_abbreviations(std::string_view in, StepContext& context, std::string& out) {
  switch (context.family) {
    case Family::english:
      return english::expand_abbreviations(in, out);
    case Family::persian:
      return persian::expand_abbreviations(in, out);
    case Family::other:
      out = in;
  }
}

void clean_roman(std::string_view in, StepContext& context, std::string& out) {
  if (context.family == Family::english) return english::speak_roman(in, out);
  out = in;
}

void clean_acronyms(std::string_view in, StepContext& context, std::string& out) {
  if (context.family == Family::english) return english::spell_acronyms(in, out);
  out = in;
}

void clean_numbers(std::string_view in, StepContext& context, std::string& out) {
  if (!has_digits(in)) {
    out = in;
    return;
  }
  const std::string folded = fold_digits(in);
  switch (context.family) {
    case Family::english:
      return english::speak_numbers(folded, context.british, out);
    case Family::persian:
      return persian::speak_numbers(folded, out);
    case Family::other:
      if (!speak_generic_numbers(folded, context.language, out)) out = in;
  }
}

}  // namespace seda::text
