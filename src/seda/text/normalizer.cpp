// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalizer.h"

#include <algorithm>
#include <optional>

#include "seda/base/ascii.h"
#include "seda/base/error.h"
#include "seda/base/nearest.h"
#include "seda/base/utf8.h"
#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/step.h"
#include "seda/text/normalize/traits.h"

namespace seda::text {
namespace {

[[noreturn]] void throw_unknown(const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const Step& step : all_steps()) {
    names.emplace_back(step.cleaner.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const auto nearest = nearest_name(name, names);
  const std::string hint = nearest ? fmt::format(" Did you mean '{}'?", *nearest) : "";
  throw_error(ErrorKind::config, "data.text.cleaners: there is no cleaner '{}'.{} There are: {}",
              name, hint, list);
}

size_t find_step(const std::string& name) {
  const auto steps = all_steps();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].cleaner.name == name) return i;
  }
  throw_unknown(name);
}

std::vector<size_t> default_plan() {
  std::vector<size_t> plan;
  const auto steps = all_steps();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].cleaner.by_default) plan.push_back(i);
  }
  return plan;
}

std::vector<size_t> named_plan(const std::vector<std::string>& names) {
  std::vector<size_t> plan;
  for (const std::string& name : names) {
    const size_t step = find_step(name);
    if (std::ranges::find(plan, step) != plan.end())
      throw_error(ErrorKind::config, "data.text.cleaners: '{}' is named twice; name it once", name);
    plan.push_back(step);
  }
  return plan;
}

/// `line` without the bytes that are not UTF-8.
std::string drop_invalid(std::string_view line, uint32_t& dropped) {
  std::string valid;
  valid.reserve(line.size());
  for (size_t at = 0; at < line.size();) {
    const size_t length = utf8_length(line, at);
    if (length == 0) ++dropped;
    valid.append(line.substr(at, length));
    at += std::max<size_t>(length, 1);
  }
  return valid;
}

bool is_shouted(std::string_view text, Family family) {
  return family == Family::english && english::is_shouted(text);
}

/// `english` for "en", "en-gb", "EN_us"; `persian` for "fa", "fa-ir", "prs".
Family family_of(std::string_view language) {
  const std::string base = lower_ascii(language.substr(0, language.find_first_of("-_")));
  if (base == "en" || base == "eng") return Family::english;
  if (base == "fa" || base == "fas" || base == "per" || base == "prs") return Family::persian;
  return Family::other;
}

}  // namespace

Normalizer::Normalizer(NormalizerOptions options)
    : options_(std::move(options)),
      plan_(options_.cleaners.empty() ? default_plan() : named_plan(options_.cleaners)) {
  for (const size_t step : plan_)
    steps_.push_back(all_steps()[step].cleaner);
}

Normalized Normalizer::apply(std::string_view line, std::string_view language) const {
  StepContext context;
  context.language = language;
  context.family = family_of(language);
  const std::string region = lower_ascii(language.substr(0, 5));
  context.british = region == "en-gb" || region == "en_gb";
  context.diacritics = options_.diacritics;
  Traits traits = traits_of(line);
  const bool whole = (traits & kBeyondAscii) == 0 || !find_invalid_utf8(line);
  std::string text = whole ? std::string(line) : drop_invalid(line, context.dropped);
  std::string next;
  for (const size_t place : plan_) {
    const Step& step = all_steps()[place];
    if ((traits & step.wanted) == 0) continue;
    next.clear();
    step.run(text, context, next);
    if (step.adds_words && is_shouted(text, context.family)) next = upper_ascii(next);
    if (next == text) continue;
    text.swap(next);
    traits = traits_of(text);
  }
  return {std::move(text), context.emoji, context.dropped};
}

}  // namespace seda::text
