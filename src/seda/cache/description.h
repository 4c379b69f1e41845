// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/base/hash.h"
#include "seda/base/json.h"

namespace seda::cache {

/// What a table was made with, as a hash of its description: every parameter and algorithm version
/// that touches the records. The order of keys does not matter; 1 and 1.0 differ.
Hash128 fingerprint_of(const Json& description);

/// One parameter in which two descriptions differ.
struct Difference {
  std::string path;  ///< "mel.n_mels".
  std::string from;  ///< As JSON; "nothing" where it is absent.
  std::string to;

  std::string text() const;  ///< "mel.n_mels: 80 -> 100"
  bool operator==(const Difference&) const = default;
};

/// Every leaf in which they differ, in the order of `from`, then those that only `to` has.
std::vector<Difference> differences(const Json& from, const Json& to);

}  // namespace seda::cache
