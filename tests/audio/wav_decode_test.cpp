// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_decode.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

WavInfo kind(uint16_t format, uint16_t bits) {
  WavInfo info;
  info.format = format;
  info.bits = bits;
  info.channels = 1;
  return info;
}

std::vector<float> decoded(const WavInfo& info, const std::string& bytes) {
  std::vector<float> out(bytes.size() / (info.bits / 8u));
  decode_wav(info, std::as_bytes(std::span(bytes)), out);
  return out;
}

/// The low `bits` of each number, and what follows them from an odd address.
std::string packed(const std::vector<int64_t>& numbers, int bits) {
  std::string bytes;
  for (const int64_t number : numbers)
    bytes.append(reinterpret_cast<const char*>(&number), static_cast<size_t>(bits / 8));
  return bytes;
}

TEST(WavDecode, IntegersAreSharesOfFullScale) {
  for (const int bits : {16, 24, 32}) {
    const int64_t most = (int64_t{1} << (bits - 1)) - 1;
    const std::vector<int64_t> numbers = {0, 1, -1, 12345, -12345, most, -most, -most - 1};
    const auto got = decoded(kind(1, static_cast<uint16_t>(bits)), packed(numbers, bits));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const double exact = static_cast<double>(numbers[i]) * std::pow(2, 1 - bits);
      EXPECT_EQ(got[i], static_cast<float>(exact)) << bits << " " << numbers[i];
    }
  }
}

TEST(WavDecode, EightBitsAreAround128) {
  const auto got = decoded(kind(1, 8), std::string("\x80\x00\xff\x81", 4));
  EXPECT_EQ(got, (std::vector<float>{0, -1, 127.0F / 128, 1.0F / 128}));
}

TEST(WavDecode, FloatsAreThemselves) {
  const std::vector<float> numbers = {0, 0.1F, -3.5F, 1e-30F};
  std::string bytes(16, '\0');
  std::memcpy(bytes.data(), numbers.data(), 16);
  EXPECT_EQ(decoded(kind(3, 32), bytes), numbers);
  const std::vector<double> doubles = {0.1, -2};
  std::memcpy(bytes.data(), doubles.data(), 16);
  EXPECT_EQ(decoded(kind(3, 64), bytes), (std::vector<float>{0.1F, -2}));
}

TEST(WavDecode, AnyAddressWillDo) {
  const std::string bytes = "x" + packed({7, -7}, 16);
  std::vector<float> out(2);
  decode_wav(kind(1, 16), std::as_bytes(std::span(bytes)).subspan(1), out);
  EXPECT_EQ(out, (std::vector<float>{7.0F / 32768, -7.0F / 32768}));
}

TEST(WavDecode, OtherKindsAreNotLinear) {
  EXPECT_TRUE(is_linear(kind(1, 8)));
  EXPECT_TRUE(is_linear(kind(3, 64)));
  for (const auto& other :
       {kind(1, 40), kind(1, 64), kind(3, 16), kind(3, 24), kind(6, 8), kind(0xfffe, 16)})
    EXPECT_FALSE(is_linear(other)) << other.format << " " << other.bits;
}

TEST(WavDecode, ACountThatDoesNotFitIsOurOwnBug) {
  std::vector<float> out(2);
  const std::vector<std::byte> bytes(3);
  EXPECT_THAT(testing_support::error_message([&] { decode_wav(kind(1, 16), bytes, out); }),
              testing::HasSubstr("3 bytes are not 2 samples of 16 bits"));
}

}  // namespace
}  // namespace seda::audio
