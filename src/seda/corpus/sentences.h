// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace seda::corpus {

/// Languages that sentences can be composed in: "en" and "fa". Regions count as their language.
bool can_compose(std::string_view language);

/// `count` different sentences, drawn by `seed`: statements, questions and exclamations with
/// numbers, dates, prices, names and places, 2 to 12 s each when spoken.
///
/// The same on every machine; of two counts, the shorter list begins the longer. An Error(usage)
/// for a language without sentences, or for more of them than there are (millions); after Ctrl-C an
/// Error(interrupted). `composed`, where given, is called after each.
std::vector<std::string> compose_sentences(std::string_view language, size_t count, uint64_t seed,
                                           const std::function<void()>& composed = {});

}  // namespace seda::corpus
