// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

namespace seda::config {

/// What a document says: dotted path to value, lists joined by a unit separator.
using Content = std::map<std::string, std::string>;
inline const std::string kNothing = "\x1e";  ///< Stands for null.

/// A YAML document in a random layout, and what it says.
struct RandomDocument {
  std::string text;
  Content content;
  std::map<std::string, std::pair<size_t, size_t>> lines;  ///< Of each path: first and last line.
};

/// Writes documents that mix block and flow, all styles of scalars, comments, blank lines, line
/// ends, indentation and byte order marks. The same seed gives the same documents.
class DocumentWriter {
 public:
  explicit DocumentWriter(unsigned seed) : random_(seed) {}

  RandomDocument write();

  size_t below(size_t count) { return random_() % count; }
  bool one_in(size_t count) { return below(count) == 0; }
  const std::string& pick(const std::vector<std::string>& words) {
    return words[below(words.size())];
  }

 private:
  void block_mapping(const std::string& prefix, size_t column, int depth);
  void block_entry(const std::string& path, const std::string& name, size_t column, int depth);
  void block_value(const std::string& path, size_t column);
  void block_scalar(const std::string& path, size_t column);
  void block_list(const std::string& path, size_t column);
  void plain_over_lines(const std::string& path, size_t column);
  std::string flow_mapping(const std::string& prefix, int depth);
  std::string flow_value(const std::string& path);
  void end_line();
  void maybe_comment_lines(size_t column);
  std::vector<std::string> some_names();
  size_t line() const;

  std::mt19937 random_;
  RandomDocument out_;
  std::string feed_;
  size_t step_ = 2;
};

}  // namespace seda::config
