// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "seda/text/normalize/numeral.h"

namespace seda::text::english {

/// "one hundred twenty-three", British "one hundred and twenty-three". Below 10^18.
std::string cardinal(uint64_t value, bool british = false);

/// "one hundred twenty-third".
std::string ordinal(uint64_t value, bool british = false);

/// "nineteen eighty-four", "nineteen oh five", "two thousand seven", "nineteen hundred".
std::string year(uint64_t value);

/// Two digits as they end a year or a time: "oh five", "thirty".
std::string pair(uint64_t value);

/// "zero zero seven"; what is no digit is passed over.
std::string digits(std::string_view text);

/// The whole part as a cardinal, or digit by digit where it begins with zero or is too long; then
/// "point" and the decimals digit by digit.
std::string number(const Numeral& numeral, bool british = false);

/// The plural of a number word: "nineties", "sixes", "hundreds".
std::string plural(std::string word);

}  // namespace seda::text::english
