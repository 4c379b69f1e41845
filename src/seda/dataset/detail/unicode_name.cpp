// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/unicode_name.h"

#include <algorithm>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include "seda/base/error.h"

namespace seda::dataset::detail {
namespace {

const icu::Normalizer2& normalizer(bool composed) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* found = composed ? icu::Normalizer2::getNFCInstance(status)
                               : icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status) != 0) {
    throw_error(ErrorKind::unavailable, "ICU's normalisation data cannot be loaded: {}",
                u_errorName(status));
  }
  return *found;
}

std::string normalized(std::string_view name, bool composed) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  normalizer(composed).normalizeUTF8(
      0, icu::StringPiece(name.data(), static_cast<int32_t>(name.size())), sink, nullptr, status);
  return U_FAILURE(status) != 0 ? std::string(name) : out;
}

}  // namespace

std::vector<std::string> other_spellings(std::string_view name) {
  std::vector<std::string> spellings;
  if (std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return spellings;
  }
  for (const bool composed : {true, false}) {
    std::string spelling = normalized(name, composed);
    if (spelling != name) spellings.push_back(std::move(spelling));
  }
  return spellings;
}

}  // namespace seda::dataset::detail
