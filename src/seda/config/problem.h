// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::config {

/// Where something stands in a file. Lines and columns count from 1; columns count characters.
struct Place {
  std::string file;
  int line = 0;  ///< 0: the file as a whole.
  int column = 0;

  std::string text() const;  ///< "seda.yaml:12:3"

  bool operator==(const Place&) const = default;
};

/// One thing wrong with a configuration.
struct Problem {
  std::string code;  ///< Stable word for scripts, for example `unknown_key`.
  std::string key;   ///< Path as written; empty where no key is concerned.
  Place place;
  std::string evidence;  ///< What was expected and what was found.
  std::string cure;      ///< What to do; may be empty.

  std::string text() const;  ///< "seda.yaml:12:3: evidence; cure"
};

/// Collects problems; beyond `limit` it only counts, so that a hostile file costs little.
class ProblemList {
 public:
  static constexpr size_t kLimit = 20;

  explicit ProblemList(size_t limit = kLimit) : limit_(limit) {}

  bool full() const { return problems_.size() >= limit_; }
  bool empty() const { return problems_.empty(); }
  void add(Problem problem);
  /// Counts one that is not worth describing, because the list is full.
  void skip() { ++left_out_; }

  const std::vector<Problem>& problems() const { return problems_; }
  size_t left_out() const { return left_out_; }

  /// One problem a line in the order of the file, then how many were left out.
  std::string text() const;
  /// Throws Error(config) with `text` unless empty.
  void raise() const;

 private:
  size_t limit_;
  std::vector<Problem> problems_;
  size_t left_out_ = 0;
};

/// `text` fit to be shown in a message: one line, cut to 60 bytes, unprintable bytes escaped.
std::string shown(std::string_view text);

}  // namespace seda::config
