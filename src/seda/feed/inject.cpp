// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/inject.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/feed/faulty_source.h"

namespace seda::feed {
namespace {

struct Word {
  std::string_view name;
  double Inject::* strength;
  double usual;
};

constexpr Word kShare = {"bad_clips", &Inject::bad_share, 0.005};

constexpr std::array kWords = {
    Word{"slow_storage", &Inject::read_ms, 5},
    Word{"uneven_storage", &Inject::uneven_ms, 100},
    Word{"slow_decode", &Inject::decode_ms, 5},
    Word{"slow_text", &Inject::text_ms, 10},
    Word{"slow_transfer", &Inject::transfer_ms, 20},
    Word{"host_sync", &Inject::sync_ms, 5},
    Word{"slow_clip", &Inject::slow_clip_ms, 2000},
    kShare,
};

std::optional<double> read_strength(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool good = error == std::errc() && stop == end && value > 0 && value < 1e9;
  return good ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse(std::string_view word) {
  std::string names;
  for (const Word& known : kWords)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  throw_error(ErrorKind::config,
              "debug.inject: expected {}, each also with =NUMBER (ms above 0; of bad_clips a share "
              "up to 1), found '{}'",
              names, word);
}

void add(Inject& inject, const std::string& word) {
  const size_t equals = word.find('=');
  const auto known = std::ranges::find(kWords, word.substr(0, equals), &Word::name);
  if (known == kWords.end()) refuse(word);
  const auto strength = equals == std::string::npos ? std::optional(known->usual)
                                                    : read_strength(word.substr(equals + 1));
  if (!strength || (known->name == kShare.name && *strength > 1)) refuse(word);
  inject.*known->strength = *strength;
}

}  // namespace

Inject parse_inject(const std::vector<std::string>& words) {
  Inject inject;
  for (const std::string& word : words)
    add(inject, word);
  return inject;
}

std::string describe(const Inject& inject) {
  std::string out;
  for (const Word& word : kWords) {
    const double strength = inject.*word.strength;
    if (strength == 0) continue;
    const bool is_share = word.name == kShare.name;
    out += fmt::format("{}{} {:g} {}", out.empty() ? "" : ", ", word.name,
                       is_share ? 100 * strength : strength, is_share ? "%" : "ms");
  }
  return out;
}

std::shared_ptr<const ClipSource> with_faults(std::shared_ptr<const ClipSource> source,
                                              const Inject& inject) {
  Inject of_source = inject;
  of_source.transfer_ms = 0;
  of_source.text_ms = 0;  // no source reads lines in the loop
  of_source.sync_ms = 0;
  if (!of_source.any()) return source;
  return std::make_shared<FaultySource>(std::move(source), of_source);
}

}  // namespace seda::feed
