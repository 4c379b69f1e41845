// SPDX-License-Identifier: Apache-2.0
#include "seda/base/units.h"

#include <limits>

#include <gtest/gtest.h>

namespace seda {
namespace {

TEST(Units, BytesTakeTheLargestUnitBelowThem) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(8ull << 30), "8.0 GiB");
  EXPECT_EQ(format_bytes((1ull << 20) - 1), "1.0 MiB") << "never 1024.0 KiB";
  EXPECT_EQ(format_bytes(std::numeric_limits<uint64_t>::max()), "16.0 EiB");
}

TEST(Units, SecondsTakeAReadableUnit) {
  EXPECT_EQ(format_seconds(0), "0 ns");
  EXPECT_EQ(format_seconds(850e-9), "850 ns");
  EXPECT_EQ(format_seconds(12e-6), "12 µs");
  EXPECT_EQ(format_seconds(3.4e-3), "3.4 ms");
  EXPECT_EQ(format_seconds(9.8), "9.8 s");
  EXPECT_EQ(format_seconds(59.99), "1 min 00 s");
  EXPECT_EQ(format_seconds(125), "2 min 05 s");
  EXPECT_EQ(format_seconds(3725), "1 h 02 min");
  EXPECT_EQ(format_seconds(-2), "-2.0 s");
  EXPECT_EQ(format_seconds(std::numeric_limits<double>::infinity()), "unknown");
}

TEST(FormatCount, OneIsNotMany) {
  EXPECT_EQ(format_count(0, "clip"), "0 clips");
  EXPECT_EQ(format_count(1, "clip"), "1 clip");
  EXPECT_EQ(format_count(2, "clip"), "2 clips");
}

TEST(FormatPercent, HasAsManyDecimalsAsAskedFor) {
  EXPECT_EQ(format_percent(0.126), "13 %");
  EXPECT_EQ(format_percent(0.126, 1), "12.6 %");
  EXPECT_EQ(format_percent(1), "100 %");
  EXPECT_EQ(format_percent(std::optional(0.126)), "13 %");
  EXPECT_EQ(format_percent(std::optional<double>()), "not measured");
}

}  // namespace
}  // namespace seda
