// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "seda/text/normalizer.h"

namespace seda::text {

/// A line and what is spoken for it.
struct SpokenCase {
  std::string_view written;
  std::string_view spoken;
};

inline const Normalizer& default_normalizer() {
  static const Normalizer normalizer;
  return normalizer;
}

inline std::string normalize(std::string_view line, std::string_view language) {
  return default_normalizer().apply(line, language).text;
}

/// Each line is spoken as expected, and what is spoken stays as it is.
inline void expect_spoken(std::span<const SpokenCase> cases, std::string_view language) {
  for (const SpokenCase& entry : cases) {
    const std::string once = normalize(entry.written, language);
    EXPECT_EQ(once, entry.spoken) << "written: " << entry.written;
    EXPECT_EQ(normalize(once, language), once) << "second pass of: " << entry.written;
  }
}

/// Lines that must come through as they are.
inline void expect_unchanged(std::span<const std::string_view> lines, std::string_view language) {
  for (const std::string_view line : lines)
    EXPECT_EQ(normalize(line, language), line);
}

}  // namespace seda::text
