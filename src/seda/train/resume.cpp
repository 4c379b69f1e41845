// SPDX-License-Identifier: Apache-2.0
#include "seda/train/resume.h"

#include <fmt/ranges.h>

#include "seda/base/error.h"

namespace seda::train {

void require_fit(const std::filesystem::path& checkpoint,
                 const std::vector<std::string>& differences) {
  if (differences.empty()) return;
  throw_error(ErrorKind::config,
              "{} does not fit this run:\n  {}\nset these back, name another folder "
              "(--checkpoint-dir), or start anew (--reset-training)",
              checkpoint.string(), fmt::join(differences, "\n  "));
}

}  // namespace seda::train
