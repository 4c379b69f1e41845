// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace seda::config {

/// What a key holds. A `device` is text: "cpu" or the number of a GPU.
enum class Type { boolean, integer, number, text, choice, path, device, list };

/// The value of a key; monostate where it is left to the program (`auto`) or not set (`none`).
using Value =
    std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<std::string>>;

/// For people: `true`, `16`, `0.0001`, `hifigan`, `[en, fa]`; `unset` for monostate.
std::string to_text(const Value& value, std::string_view unset = "auto");

}  // namespace seda::config
