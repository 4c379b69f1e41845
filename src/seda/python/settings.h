// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "seda/config/config.h"
#include "seda/config/parse.h"

namespace seda::python {

/// A value as a program gives it: nothing, one, or several.
using Given = std::variant<std::monostate, config::Scalar, std::vector<config::Scalar>>;

/// Sets the key of that path or old path. `name` is what the user called it (an argument, a key of
/// a dictionary) and stands in messages. An unknown key, or a value that it may not hold, is an
/// Error(config) with what was expected and the nearest name.
void set_key(config::Config& config, std::string_view path, const Given& value,
             const std::string& name);

/// The same for a device: "cpu", "cuda", "cuda:1", "1", and "auto" where the key may be chosen.
void set_device(config::Config& config, std::string_view path, std::string_view device,
                const std::string& name);

}  // namespace seda::python
