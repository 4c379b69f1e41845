// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/diagnose/cause.h"

namespace seda::cli {

/// A verdict for people, as every report ends: the cause, its evidence, what to change.
std::string verdict_text(const diagnose::Verdict& verdict);

}  // namespace seda::cli
