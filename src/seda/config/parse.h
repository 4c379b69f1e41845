// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "seda/config/schema.h"

namespace seda::config {

/// A single value as someone wrote it.
struct Scalar {
  explicit Scalar(std::string written, bool in_quotes = false)
      : text(std::move(written)), quoted(in_quotes) {}

  std::string text;
  bool quoted;
};

/// Why a value was not accepted.
struct Refusal {
  std::string code;      ///< wrong_type, out_of_range, not_a_choice, no_value
  std::string evidence;  ///< "expected an integer from 1 to 256 (threads), or auto, found many"
  std::string cure;
};

using Parsed = std::variant<Value, Refusal>;

/// Reads `scalar` as a value of `key`, checked against type, range and choices.
///
/// Booleans are true/false, yes/no, on/off in any case: the key's type leaves no doubt. Numbers and
/// booleans in quotes are refused, for to YAML they are text. The word for unset counts in any
/// case, quoted or not.
Parsed parse_scalar(const Key& key, const Scalar& scalar);

/// Reads the elements of a list. Any type but a list is refused.
Parsed parse_list(const Key& key, std::span<const Scalar> elements);

/// Reads the argument of a flag; lists are separated by commas.
Parsed parse_argument(const Key& key, std::string_view argument);

/// The refusal of a value that nobody wrote: `data.batch_size:` and nothing behind it. Monostate
/// where the key may be unset.
Parsed parse_nothing(const Key& key);

/// Whether `value` is one that `key` may hold.
std::optional<Refusal> check_value(const Key& key, const Value& value);

}  // namespace seda::config
