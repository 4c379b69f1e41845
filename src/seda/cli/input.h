// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace seda::cli {

/// Everything in a file, or in stdin where its name is "-". What cannot be read is an Error(io).
std::string read_input(const std::string& name);

}  // namespace seda::cli
