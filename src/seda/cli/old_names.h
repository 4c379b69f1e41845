// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seda::cli {

/// A tool of the older guides and the verb that does its work now.
struct OldName {
  std::string_view name;  ///< "validate_gpu_pipeline"
  std::string_view verb;  ///< "validate"
  std::string_view does;  ///< What the verb answers, in a few words.
};

std::span<const OldName> old_names();

/// The entry for `word`, with or without a folder before it and `.py` behind it; nullptr for
/// others.
const OldName* find_old_name(std::string_view word);

/// What a user who typed `arguments` ("seda", old name, flags…) is told: the new verb and the same
/// call written with it. Says so where `verbs` has not got it.
std::string answer(const OldName& old, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& verbs);

}  // namespace seda::cli
