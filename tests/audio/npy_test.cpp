// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/npy.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/support/npy.h"
#include "tests/support/temporary_folder.h"

namespace seda::audio {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

TEST(Npy, HeaderIsWhatNumPyWrites) {
  const std::string header = npy_header(std::array<size_t, 2>{80, 123});
  EXPECT_EQ(header.size(), 128u);
  EXPECT_EQ(header.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(header.substr(10, 62),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (80, 123), }");
  EXPECT_EQ(header.find_first_not_of(' ', 72), 127u);
  EXPECT_EQ(header.back(), '\n');
}

TEST(Npy, HeaderOfOneDimensionIsATuple) {
  EXPECT_THAT(npy_header(std::array<size_t, 1>{7}), HasSubstr("'shape': (7,), }"));
}

TEST(Npy, HeaderFillsBlocksOf64ForAnyShape) {
  for (size_t n = 1; n < 10'000'000'000'000; n *= 10) {
    const std::string header = npy_header(std::array<size_t, 2>{n, n});
    EXPECT_EQ(header.size() % 64, 0u) << n;
    const size_t length = static_cast<unsigned char>(header[8]);
    EXPECT_EQ(length + 10, header.size());
  }
}

TEST(Npy, ValuesComeBackRowByRow) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2, 3, 4.5F, -5, 1e-30F};
  write_npy(folder / "a.npy", values, std::array<size_t, 2>{2, 3});
  const auto matrix = testing_support::read_npy(folder / "a.npy");
  EXPECT_EQ(matrix.rows, 2u);
  EXPECT_EQ(matrix.columns, 3u);
  EXPECT_EQ(matrix.values, values);
}

TEST(Npy, ValuesThatDoNotFillTheShapeAreRefused) {
  const TemporaryFolder folder;
  const std::vector<float> values(5);
  EXPECT_THAT(
      error_message([&] { write_npy(folder / "a.npy", values, std::array<size_t, 2>{2, 3}); }),
      HasSubstr("5 values"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.npy"));
}

}  // namespace
}  // namespace seda::audio
