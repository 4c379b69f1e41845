// SPDX-License-Identifier: Apache-2.0
#include "seda/base/program.h"

#include "seda/base/error.h"

namespace seda {

std::filesystem::path program_root() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) throw_errno("cannot read", "/proc/self/exe", failed.value());
  return program.parent_path().parent_path();
}

}  // namespace seda
