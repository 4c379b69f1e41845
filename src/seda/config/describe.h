// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/config/schema.h"

/// What a key is, in words: for `seda config keys`, the documents and errors; what it holds, as
/// JSON.
namespace seda::config {

std::string type_text(const Key& key);     ///< "integer", "one of skip, truncate"
std::string default_text(const Key& key);  ///< "16", "auto: cores this process may use"
std::string range_text(const Key& key);    ///< "1 to 256 threads"; empty where all is allowed.

/// What may be written: "an integer from 1 to 256 (threads), or auto".
std::string expected_text(const Key& key);

/// Several lines: path, type, default, range, meaning, old names, flags.
std::string describe(const Key& key);

/// A value for scripts and files; null where it is not set.
Json to_json(const Value& value);

/// Every key as Markdown: a heading and a table for each section.
std::string keys_markdown();

}  // namespace seda::config
