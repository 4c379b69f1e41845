// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::text {

/// `text` without the HTML tags that mark up text: `<b>`, `</p>`, `<br />`, `<a href=…>`.
std::string strip_tags(std::string_view text);

/// `text` with HTML entities as characters: the usual named ones, `&#39;`, `&#x27;`. What is no
/// entity stays; one for no valid character gives nothing.
std::string decode_entities(std::string_view text);

}  // namespace seda::text
