// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace seda::text::persian {

/// Whether `word` is a form that stands after «می»: a stem of a common verb, present or past, with
/// an ending of a person («شود», «خواستند», «رود», «بینمش»). «می» is also wine, so that what is not
/// known is not joined.
bool is_verb(std::string_view word);

}  // namespace seda::text::persian
