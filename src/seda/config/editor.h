// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "seda/config/value.h"

namespace seda::config {

/// Changes keys in the text of a YAML file and leaves every other byte as it is: comments, order,
/// quotes, indentation, byte order mark, line ends.
///
/// Paths are dotted; a key of the schema is found under its old names too, and keeps the name it
/// has. Each edit is checked by parsing the result: it changes that key and nothing else, or throws
/// Error(config) and leaves the text as it was.
class Editor {
 public:
  /// `name` stands for the file in messages. Throws Error(config) where `text` is not YAML or has
  /// duplicate keys, anchors or tags.
  Editor(std::string text, std::string name);

  bool has(std::string_view path) const;
  /// Whether there is a section of just that path.
  bool has_section(std::string_view path) const;
  /// What is written at just that path, without its quotes; nothing where there is no single value.
  std::optional<std::string> scalar(std::string_view path) const;

  /// Changes a value in place, or adds the key as the last of its section, and sections that do not
  /// exist yet. Monostate is written as `auto`, or as the key's own word for it. Strings keep the
  /// quotes they had; lists are written in brackets.
  void set(std::string_view path, const Value& value);

  /// Removes a key or a section with the comment on its line. A section that becomes empty stays.
  /// Nothing happens where there is none.
  void remove(std::string_view path);

  /// Gives the key or section at just that path another name in its section. What belongs to it,
  /// and its quotes, stay. Throws where there is none, or one of that name already.
  void rename(std::string_view path, std::string_view name);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string name_;
};

}  // namespace seda::config
