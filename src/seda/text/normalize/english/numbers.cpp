// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/english/readers.h"

namespace seda::text::english {
namespace {

constexpr std::array<NumberReader, 11> kReaders{
    read_phone, read_numeric_date, read_groups, read_named_date, read_time,    read_height,
    read_money, read_fraction,     read_decade, read_year,       read_quantity};

}  // namespace

void speak_numbers(std::string_view text, bool british, std::string& out) {
  read_numbers({text, "en", british}, {kReaders, "to", false}, out);
}

}  // namespace seda::text::english
