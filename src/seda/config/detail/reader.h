// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seda/config/config.h"
#include "seda/config/detail/document.h"
#include "seda/config/parse.h"

namespace seda::config::detail {

/// Takes the values of a document into a configuration, and says what does not fit the schema.
class Reader {
 public:
  Reader(const Document& document, Reading& reading) : document_(document), reading_(reading) {}

  void read();

 private:
  void read_section(const Node& section, const std::string& path);
  void read_entry(const Entry& entry, const std::string& path);
  void read_key(const Key& key, const std::string& path, const Entry& entry);
  Parsed parse(const Key& key, const Node& value) const;
  Parsed parse_sequence(const Key& key, const Node& sequence) const;
  void take(const Key& key, const std::string& path, const Entry& entry, Value value);
  void expect_section(const Node& node, const std::string& path);
  void add(std::string code, const std::string& path, const Node& at, std::string evidence,
           std::string cure);

  const Document& document_;
  Reading& reading_;
  std::map<const Key*, std::string> taken_;  ///< The name under which a key was given.
};

}  // namespace seda::config::detail
