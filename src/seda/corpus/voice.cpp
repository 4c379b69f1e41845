// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/voice.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/nearest.h"
#include "seda/corpus/detail/voices.h"
#include "seda/corpus/load_voices.h"
#include "seda/text/runs.h"

namespace seda::corpus {
namespace {

void refuse_repeats(const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (!known.insert(name).second) {
      throw_error(ErrorKind::usage, "--voices: '{}' is named twice", name);
    }
  }
}

int flite_number(const std::string& name) {
  const auto names = flite_voice_names();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  const auto near = nearest_name(name, names);
  throw_error(ErrorKind::usage, "no English voice '{}'; {}expected {}", name,
              near ? "did you mean '" + *near + "'? " : "", fmt::join(names, ", "));
}

/// English (`en`, `en-us`) is read by flite, all else by espeak-ng.
bool is_english(std::string_view language) {
  return language.substr(0, language.find_first_of("-_")) == "en";
}

bool speaks(const std::string& name) {
  try {
    detail::make_espeak_voice(name);
    return true;
  } catch (const Error& error) {
    log::debug("{}", error.what());
    return false;
  }
}

/// The language itself; of a region that espeak-ng has no voice for, the nearest it has one for.
std::string own_voice(std::string_view language) {
  std::string own(language);
  const auto nearest = text::voices_of(language);
  if (nearest.size() == 1 || speaks(own)) return own;
  const auto found = std::ranges::find_if(nearest, speaks);
  return found == nearest.end() ? own : *found;  // whoever makes it says what is missing
}

}  // namespace

std::vector<std::string> flite_voice_names() {
  const VoicesLibrary& library = load_voices();
  std::vector<std::string> names;
  names.reserve(static_cast<size_t>(library.count()));
  for (int i = 0; i < library.count(); ++i)
    names.emplace_back(library.name(i));
  return names;
}

std::vector<std::string> default_voices(std::string_view language, bool several) {
  if (is_english(language)) return several ? flite_voice_names() : std::vector<std::string>{"slt"};
  const std::string own = own_voice(language);
  return several ? std::vector{own + "+m1", own + "+f2"} : std::vector{own};
}

Voices make_voices(std::string_view language, const std::vector<std::string>& names) {
  refuse_repeats(names);
  Voices voices;
  for (const std::string& name : names) {
    if (is_english(language)) {
      voices.push_back(detail::make_flite_voice(name, flite_number(name)));
    } else {
      voices.push_back(detail::make_espeak_voice(name));
    }
  }
  return voices;
}

}  // namespace seda::corpus
