// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "seda/text/normalize/number_reader.h"

/// What is written with digits in English. Each is a `NumberReader`.
namespace seda::text::english {

/// "(212) 555-0182", "555-1234", "+44 20 7946 0958": digit by digit.
size_t read_phone(const NumberText& text, size_t at, std::string& words);

/// "1-2-3", "978-3-16-148410-0", "192.168.0.1", "1.2.3": group by group.
size_t read_groups(const NumberText& text, size_t at, std::string& words);

/// "2020-12-25", "12/25/2020", "25.12.2020"; month first unless British or impossible.
size_t read_numeric_date(const NumberText& text, size_t at, std::string& words);

/// "5 May 1998", "5th of May", and the day and year after a month's name.
size_t read_named_date(const NumberText& text, size_t at, std::string& words);

/// "3:30pm", "5.30 a.m.", "03:05", "15:45:10", "7 p.m.", and ratios as "16:9".
size_t read_time(const NumberText& text, size_t at, std::string& words);

/// "$3.50", "US$20", "£2.05", "$1.5 million", "5¢".
size_t read_money(const NumberText& text, size_t at, std::string& words);

/// "1/2", "3 1/4", "24/7".
size_t read_fraction(const NumberText& text, size_t at, std::string& words);

/// "5'10\"", "6′2″".
size_t read_height(const NumberText& text, size_t at, std::string& words);

/// "1990s", "'90s", "'69".
size_t read_decade(const NumberText& text, size_t at, std::string& words);

/// "1984", "1066 BC", "1905-06" where the words around say that it is a year.
size_t read_year(const NumberText& text, size_t at, std::string& words);

/// Any other number: ordinals, decimals, signs, percents and units.
size_t read_quantity(const NumberText& text, size_t at, std::string& words);

/// 1 to 12 for a month's name, in full or cut ("Sept"); 0 for another word.
int month_number(std::string_view word);

/// A unit after a number, and where it ends.
struct UnitFound {
  std::string_view one;
  std::string_view many;
  std::string_view before;  ///< "square ", "cubic ".
  size_t end;
};
std::optional<UnitFound> find_unit(const NumberText& text, size_t at);

/// Appends the unit that follows at `end`, in the singular for `one`; returns where all ends.
size_t append_unit(const NumberText& text, size_t end, bool one, std::string& words);

/// "per" for a slash between what was read and a word or unit: "$5/hour", "$2/kg".
size_t append_per(const NumberText& text, size_t end, std::string& words);

/// Past "st", "nd", "rd" or "th" at `at`; 0 where none stands.
size_t ordinal_suffix_end(const NumberText& text, size_t at);

}  // namespace seda::text::english
