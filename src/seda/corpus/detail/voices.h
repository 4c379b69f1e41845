// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "seda/base/result.h"
#include "seda/corpus/voice.h"

namespace seda::corpus::detail {

/// Voice `number` of flite's.
std::unique_ptr<Voice> make_flite_voice(const std::string& name, int number);

/// A voice of espeak-ng, perhaps with a variant: `fa`, `fa+f2`. Found and tried at once.
///
/// What espeak-ng says depends on what that copy said before, so each clip is spoken by a fresh
/// copy (about 4 ms).
std::unique_ptr<Voice> make_espeak_voice(const std::string& name);

constexpr size_t kLongestText = 600;  // characters: over half a minute

/// A fault `text_too_long` over `kLongestText`: it is no clip, and flite's time grows with the
/// square of a word's length.
std::optional<Fault> check_length(std::string_view text);

/// The text as flite can read it: accents and typographic signs become ASCII. A fault
/// `text_unspeakable` names the first character that has no such form, or says that there is no
/// word.
Result<std::string> to_ascii(std::string_view text);

/// Whether nothing is heard: no sample over -44 dB of full scale.
bool is_silent(std::span<const int16_t> samples);

}  // namespace seda::corpus::detail
