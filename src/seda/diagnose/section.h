// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/diagnose/bands.h"

namespace seda::diagnose {

/// One part of a diagnosis.
struct Section {
  std::string name;    ///< "storage"
  std::string status;  ///< A band's name, or "not measured".
  Json evidence =
      Json::object();  ///< What was found; figures as numbers with their unit in the key.
};

inline constexpr std::string_view kNotMeasured = "not measured";

/// A section of which nothing could be measured, and why.
Section not_measured(std::string name, std::string_view why);

}  // namespace seda::diagnose
