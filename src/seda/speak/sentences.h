// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace seda::speak {

/// Cuts text after each sentence, and at line breaks.
///
/// A sentence ends with one of . ! ? … ؟ ؛ ۔ 。 ！ ？ and the quotes and brackets that close behind
/// it, where white space or the text's end follows (none need follow the last three). A full stop
/// ends none after an abbreviation (Dr., e.g., J.) or before a small letter. Every character is in
/// one piece, in its order, but for white space around pieces; none is empty.
std::vector<std::string> split_sentences(std::string_view text);

/// Cuts `sentence` into pieces that `fits`: one that does is left whole; else it is halved at the
/// mark (, ; : – ، ؛ …) nearest its middle, else at the space nearest, else between two characters,
/// until all do. A single character is never cut.
std::vector<std::string> split_to_fit(std::string_view sentence,
                                      const std::function<bool(std::string_view)>& fits);

}  // namespace seda::speak
