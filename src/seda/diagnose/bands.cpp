// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/bands.h"

namespace seda::diagnose {

std::string_view to_string(Band band) {
  switch (band) {
    case Band::good:
      return "good";
    case Band::fair:
      return "fair";
    case Band::poor:
      return "poor";
  }
  return "";
}

}  // namespace seda::diagnose
