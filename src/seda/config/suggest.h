// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace seda::config {

/// What to do about a key or section that is not in the schema: "did you mean training.lr?". Looks
/// for the same name in another section, then for a similar one.
std::string suggestion(std::string_view unknown_path);

/// What a misspelt entry is called in its section, a section among sections and a key among keys:
/// "batch_size" of data.batch_sise. Nothing where no name is near, or two are as near.
std::optional<std::string> meant_name(std::string_view unknown_path, bool is_section);

}  // namespace seda::config
