// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace seda::cli {

/// Lines on the terminal at stderr that are drawn again in place.
///
/// The cursor stays below them and visible, and no other screen is opened: whatever ends the
/// program, the terminal is as it was.
class LiveScreen {
 public:
  /// Whether stderr is a terminal that can be drawn on.
  static bool suits();

  struct Size {
    int width = 80;
    int height = 24;
  };
  /// Of the terminal now.
  static Size size();

  void show(const std::vector<std::string>& lines);
  /// Removes what is shown.
  void clear();

 private:
  std::vector<size_t> shown_;  // columns of each line
};

/// What takes the place of `shown` lines (columns of each) on a terminal that is now `width` wide,
/// where long ones have become several: the cursor goes up over them, and all below is erased.
std::string erase_lines(const std::vector<size_t>& shown, int width);

}  // namespace seda::cli
