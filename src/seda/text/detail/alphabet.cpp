// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <unicode/ulocdata.h>
#include <unicode/uset.h>

#include "seda/text/script.h"
#include "seda/text/symbol_tables.h"

namespace seda::text {
namespace {

struct CloseData {
  void operator()(ULocaleData* data) const { ulocdata_close(data); }
};
struct CloseSet {
  void operator()(USet* set) const { uset_close(set); }
};

/// ICU answers for a language it does not know with that of the root, which is nobody's alphabet.
bool is_known(const ULocaleData* data, UErrorCode status) {
  return data != nullptr && U_SUCCESS(status) && status != U_USING_DEFAULT_WARNING;
}

}  // namespace

std::u32string alphabet(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<ULocaleData, CloseData> data(ulocdata_open(language.c_str(), &status));
  if (!is_known(data.get(), status)) return {};
  const std::unique_ptr<USet, CloseSet> set(ulocdata_getExemplarSet(
      data.get(), nullptr, USET_ADD_CASE_MAPPINGS, ULOCDATA_ES_STANDARD, &status));
  std::u32string letters;
  if (U_FAILURE(status)) return letters;
  for (int32_t item = 0; item < uset_getItemCount(set.get()); ++item) {
    UChar32 first = 0;
    UChar32 last = 0;
    UErrorCode ignored = U_ZERO_ERROR;
    if (uset_getItem(set.get(), item, &first, &last, nullptr, 0, &ignored) != 0) continue;
    for (UChar32 letter = first; letter <= last; ++letter)
      letters += static_cast<char32_t>(letter);
  }
  return letters;
}

}  // namespace seda::text
