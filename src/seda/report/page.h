// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::report {

/// A page for a browser that needs neither scripts nor a network.
///
/// `title` is text, `body` markup.
std::string page(std::string_view title, std::string_view body);

/// A heading and what stands below it. `title` is text, `body` markup; without a body there is
/// neither.
std::string section(std::string_view title, std::string_view body);

/// One figure: what it is, its value, and a word about it. All three are markup.
std::string tile(std::string_view name, std::string_view value, std::string_view note = {});

/// Tiles, or anything else of that size, side by side.
std::string tiles(std::string_view content);

/// Charts side by side; one below the other on a phone.
std::string charts(std::string_view content);

/// `word` in the colour of a band, which has its name: "good", "fair", "poor".
std::string in_band(std::string_view band, std::string_view word);

using Row = std::vector<std::string>;

/// Cells are markup.
std::string table(const Row& names, const std::vector<Row>& rows);

/// A part of a whole.
struct Part {
  std::string name;   ///< Text.
  std::string value;  ///< Text, "3.0 s".
  double share = 0;   ///< 0–1
};

/// Each part with its share as a bar, one below the other; `note` is text.
std::string bars(const std::vector<Part>& parts, std::string_view note = {});

/// Lines as they stand, each of them text.
std::string lines(const std::vector<std::string>& all);

}  // namespace seda::report
