// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::cli {

/// `text` in lines of at most `width` columns, all but the first behind `indent` blanks; the first
/// begins in column `indent` of a line that is there already. Breaks at blanks; a longer word has a
/// line of its own. Columns are characters. Ends with a line feed.
std::string wrap_text(std::string_view text, size_t indent, size_t width);

/// The same behind `first`, which begins a line; a word longer than a line is broken.
std::string folded(std::string_view first, std::string_view text, size_t indent, size_t width);

}  // namespace seda::cli
