// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/random.h"

namespace seda::corpus::detail {

/// Ways to write one part of a sentence. `{name}` in a choice stands for a choice of that rule,
/// `{3..95}` for a number in that range.
using Rules = std::map<std::string_view, std::vector<std::string_view>>;

/// Writes sentences by rules: one of rule "sentence", all its parts drawn evenly.
///
/// A rule that is missing, or a cycle, is our own bug: an Error(internal) when drawn.
class Grammar {
 public:
  /// Of Persian, digits are Persian; of others the first letter is made a capital.
  Grammar(const Rules& rules, bool persian) : rules_(rules), persian_(persian) {}

  std::string sentence(Random& random) const;

 private:
  void expand(std::string_view choice, Random& random, int depth, std::string& out) const;
  void append_part(std::string_view name, Random& random, int depth, std::string& out) const;
  void append_number(std::string_view range, Random& random, std::string& out) const;

  const Rules& rules_;
  bool persian_;
};

const Rules& english_rules();
const Rules& persian_rules();

}  // namespace seda::corpus::detail
