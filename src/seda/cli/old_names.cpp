// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/old_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "seda/base/build_info.h"

namespace seda::cli {
namespace {

constexpr std::array<OldName, 9> kOldNames = {{
    {"train_main", "train", "trains"},
    {"validate_gpu_optimization", "validate", "checks configuration, corpus and machine"},
    {"validate_gpu_pipeline", "validate", "checks configuration, corpus and machine"},
    {"comprehensive_gpu_diagnostic", "diagnose", "finds what holds training back"},
    {"diagnose_gpu_bottleneck", "diagnose", "finds what holds training back"},
    {"analyze_data_pipeline_bottleneck", "profile data", "times every stage of the loader"},
    {"enhanced_gpu_profiler", "profile data", "times every stage of the loader"},
    {"training_step_profiler", "profile step", "times every phase of a training step"},
    {"dual_gpu_bottleneck_profiler", "profile dual", "measures a data GPU feeding a model GPU"},
}};

std::string_view bare(std::string_view word) {
  if (const auto slash = word.rfind('/'); slash != std::string_view::npos)
    word.remove_prefix(slash + 1);
  if (word.ends_with(".py")) word.remove_suffix(3);
  return word;
}

/// As a shell would need it: quoted where it holds more than plain characters.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::span<const OldName> old_names() {
  return kOldNames;
}

const OldName* find_old_name(std::string_view word) {
  const auto found = std::ranges::find(kOldNames, bare(word), &OldName::name);
  return found == kOldNames.end() ? nullptr : &*found;
}

std::string answer(const OldName& old, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& verbs) {
  std::string call = fmt::format("seda {}", old.verb);
  for (size_t i = 2; i < arguments.size(); ++i)
    call += " " + shell_word(arguments[i]);
  std::string text = fmt::format("'{}' is now 'seda {}', which {}\n  call it as: {}", arguments[1],
                                 old.verb, old.does, call);
  const std::string first(old.verb.substr(0, old.verb.find(' ')));
  if (std::ranges::find(verbs, first) == verbs.end()) {
    text += fmt::format("\n  seda {} does not have this verb yet", build_info().version);
  }
  return text;
}

}  // namespace seda::cli
