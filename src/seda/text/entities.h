// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::text {

/// `text` with HTML entities as characters: the usual named ones, `&#39;`, `&#x27;`. What is no
/// entity stays; one for no valid character gives nothing.
std::string decode_entities(std::string_view text);

}  // namespace seda::text
