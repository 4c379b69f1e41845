// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "seda/text/normalize/number_reader.h"

/// What is written with digits in Persian. Each is a `NumberReader`.
namespace seda::text::persian {

/// «021-88776655», «0912 345 6789», «+98 21 88776655»: digit by digit.
size_t read_phone(const NumberText& text, size_t at, std::string& words);

/// «1.2.3», «1-2-3-4»: group by group.
size_t read_groups(const NumberText& text, size_t at, std::string& words);

/// «1402/05/17» and «99/5/17» by the Persian calendar, «2023/08/08» by the Gregorian.
size_t read_numeric_date(const NumberText& text, size_t at, std::string& words);

/// The day before a month's name: «17 مرداد» is «هفدهم مرداد».
size_t read_day(const NumberText& text, size_t at, std::string& words);

/// «14:30» is «چهارده و سی دقیقه».
size_t read_time(const NumberText& text, size_t at, std::string& words);

/// «$3.50», «5€», «500﷼».
size_t read_money(const NumberText& text, size_t at, std::string& words);

/// Appends the unit that follows at `end`; returns where all ends.
size_t append_unit(const NumberText& text, size_t end, std::string& words);

}  // namespace seda::text::persian
