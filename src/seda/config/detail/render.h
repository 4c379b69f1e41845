// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "seda/config/detail/node.h"
#include "seda/config/schema.h"

namespace seda::config::detail {

/// `text` as a YAML scalar on one line, safe in block and flow: plain where every reader takes it
/// for text, else in quotes; in the quotes of `style` where that has some.
std::string render_text(std::string_view text, Node::Style style = Node::Style::plain);

/// `value` as YAML on one line. `key` may be nullptr.
std::string render_value(const Value& value, const Key* key, Node::Style style);

/// The node that parsing `render_value` gives.
Node node_of(const Value& value, const Key* key);

}  // namespace seda::config::detail
