// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "seda/config/editor.h"
#include "seda/config/problem.h"
#include "seda/config/value.h"

namespace seda::config {

/// A change of a configuration file that cures something without a guess at what was meant.
struct Fix {
  enum class Kind {
    set,     ///< Give `key` the value.
    rename,  ///< Call what is at `key` by `name`.
  };

  Kind kind = Kind::set;
  std::string key;  ///< Path; with `rename` as it stands in the file.
  Value value;
  std::string name;

  bool operator==(const Fix&) const = default;
};

Fix set_to(std::string key, Value value);

/// What cures a problem of the file that `editor` holds; nothing where what was meant is not plain.
///
/// Cured are misspelt names that are near to one alone and not there already; numbers, truths and
/// lists written as text; choices in another spelling; numbers beyond a bound, which become the
/// bound, but for sizes of batches and models; and old names that contradict the key, which get its
/// value.
std::optional<Fix> fix_of(const Problem& problem, const Editor& editor);

/// What a change did, for people.
struct Fixed {
  std::string key;   ///< Path as it was.
  std::string from;  ///< What was written there; "default" of a key that was not.
  std::string to;

  bool operator==(const Fixed&) const = default;
};

/// Makes the change. Throws Error(config) where the file's layout does not allow it, and leaves the
/// text as it was.
Fixed apply(const Fix& fix, Editor& editor);

}  // namespace seda::config
