// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/parsed_number.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda::config::detail {
namespace {

using testing::HasSubstr;

TEST(ReadNumber, TakesDecimalNotation) {
  EXPECT_EQ(read_number("1e-4").value, 1e-4);
  EXPECT_EQ(read_number("1E+3").value, 1000.0);
  EXPECT_EQ(read_number("2.5e-05").value, 2.5e-5);
  EXPECT_EQ(read_number("-0.5").value, -0.5);
  EXPECT_EQ(read_number("+3").value, 3.0);
  EXPECT_EQ(read_number(".5").value, 0.5);
  EXPECT_EQ(read_number("5.").value, 5.0);
  EXPECT_EQ(read_number("0").value, 0.0);
}

TEST(ReadNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "1,5", "1 2", "12abc", "--1",
                           "1:30", "0x", "auto", "1e-4 "}) {
    EXPECT_EQ(read_number(text).value, std::nullopt) << text;
  }
}

TEST(ReadNumber, RefusesWhatIsNotFinite) {
  for (const char* text : {".inf", "-.inf", "inf", "+Infinity", ".NaN", "nan"}) {
    const auto number = read_number(text);
    EXPECT_EQ(number.value, std::nullopt) << text;
    EXPECT_THAT(number.cure, HasSubstr("finite")) << text;
  }
  EXPECT_THAT(read_number("1e999").cure, HasSubstr("beyond"));
  EXPECT_THAT(read_number("1e-999").cure, HasSubstr("beyond"));
}

TEST(ReadNumber, ALeadingZeroIsNeverOctal) {
  EXPECT_EQ(read_number("010").value, std::nullopt);
  EXPECT_THAT(read_number("010").cure, HasSubstr("zero: 10"));
  EXPECT_THAT(read_number("-007").cure, HasSubstr("zero: -7"));
  EXPECT_THAT(read_number("00.5").cure, HasSubstr("zero: 0.5"));
  EXPECT_THAT(read_number("000").cure, HasSubstr("zero: 0"));
}

TEST(ReadNumber, OtherNotationsAreRefusedWithACure) {
  EXPECT_THAT(read_number("0x10").cure, HasSubstr("decimal"));
  EXPECT_THAT(read_number("0o17").cure, HasSubstr("decimal"));
  EXPECT_THAT(read_number("0b11").cure, HasSubstr("decimal"));
  EXPECT_THAT(read_number("16_000").cure, HasSubstr("underscores: 16000"));
  EXPECT_THAT(read_number("۱۶").cure, HasSubstr("0 to 9: 16"));
  EXPECT_THAT(read_number("٣.٥").cure, HasSubstr("0 to 9: 3.5"));
  EXPECT_EQ(read_number("16 clips").cure, "");
}

TEST(ReadInteger, TakesWholeNumbersHoweverWritten) {
  EXPECT_EQ(read_integer("16").value, 16);
  EXPECT_EQ(read_integer("-3").value, -3);
  EXPECT_EQ(read_integer("16.0").value, 16);
  EXPECT_EQ(read_integer("1e3").value, 1000);
  EXPECT_EQ(read_integer("2.5e1").value, 25);
  EXPECT_EQ(read_integer("9223372036854775807").value, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(read_integer("-9223372036854775808").value, std::numeric_limits<int64_t>::min());
}

TEST(ReadInteger, RefusesFractionsAndOverflow) {
  EXPECT_THAT(read_integer("16.5").cure, HasSubstr("fraction"));
  EXPECT_EQ(read_integer("16.5").value, std::nullopt);
  EXPECT_THAT(read_integer("9223372036854775808").cure, HasSubstr("beyond"));
  EXPECT_EQ(read_integer("9223372036854775808").value, std::nullopt);
  EXPECT_THAT(read_integer("1e300").cure, HasSubstr("digits"));
  EXPECT_THAT(read_integer("010").cure, HasSubstr("zero"));
}

}  // namespace
}  // namespace seda::config::detail
