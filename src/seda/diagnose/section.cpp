// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/section.h"

#include <utility>

namespace seda::diagnose {

Section not_measured(std::string name, std::string_view why) {
  Section out{std::move(name), std::string(kNotMeasured)};
  out.evidence["why"] = why;
  return out;
}

}  // namespace seda::diagnose
