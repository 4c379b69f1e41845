// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda {

/// `text` as content of an element or of a quoted attribute. Markup becomes entities; control
/// characters other than tab and line feed, and bytes that are not UTF-8, become U+FFFD.
std::string escape_html(std::string_view text);

/// A file as an address that holds all of it: "data:image/png;base64,iVBOR…". A third longer.
std::string data_uri(std::string_view type, std::string_view bytes);

/// A file's name as part of an address: bytes other than letters, digits and "-._~/" become "%20".
std::string uri_path(std::string_view name);

}  // namespace seda
