// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::report {

/// A picture with its caption. `title` is text, `body` markup.
std::string figure(std::string_view title, std::string_view body);

/// An SVG picture of that size; `label` is text for those who do not see it, `body` markup.
std::string picture(double width, double height, std::string_view label, std::string_view body);

/// Names, each with the colour of its number; of a single name nothing.
std::string legend(const std::vector<std::string>& names);

/// What stands where there is nothing to show.
std::string nothing_measured();

}  // namespace seda::report
