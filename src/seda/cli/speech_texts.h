// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace seda::cli {

/// What is to be said: `texts` as they are, then the lines of `files` that are not blank ("-" is
/// stdin). Where neither is given, the lines of stdin, unless that is a terminal. A blank text, a
/// file without a text, or nothing at all is an Error(usage) that says so.
std::vector<std::string> read_speech_texts(const std::vector<std::string>& texts,
                                           const std::vector<std::string>& files);

}  // namespace seda::cli
