// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "seda/text/normalize/numeral.h"

namespace seda::text::persian {

/// «صد و بیست و سه»; «هزار» without «یک» before it. Below 10^18.
std::string cardinal(uint64_t value);

/// «بیست و سوم», «سی‌ام»; 1 is «یکم».
std::string ordinal(uint64_t value);

/// «صفر صفر هفت»; what is no digit is passed over.
std::string digits(std::string_view text);

/// The whole part, then «ممیز» and the decimals: as a number up to three digits, else one by one;
/// zeros at their start are said.
std::string number(const Numeral& numeral);

}  // namespace seda::text::persian
