// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "seda/config/fix.h"
#include "seda/diagnose/check.h"

namespace seda::diagnose {

/// A configuration after repair.
struct Repair {
  std::string text;
  std::vector<config::Fixed> fixed;
  std::vector<std::string> refused;  ///< What the file's layout did not allow.
};

/// What is wrong with the text of a configuration.
using FindInText = std::function<std::vector<Finding>(const std::string& text)>;

/// Makes every fix that `find` proposes, then those it proposes after these, until there is none.
/// Comments, order and layout stay (config/editor.h); of entries said twice the second goes. `name`
/// stands for the file in messages.
Repair repair(std::string text, const std::string& name, const FindInText& find);

}  // namespace seda::diagnose
