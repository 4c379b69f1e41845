// SPDX-License-Identifier: Apache-2.0
#include "seda/base/own_library.h"

#include "seda/base/error.h"
#include "seda/base/program.h"

namespace seda {

SharedLibrary load_own_library(const std::string& file) {
  return SharedLibrary((program_root() / "lib" / file).string());
}

void throw_foreign_library(const std::string& file, int number) {
  throw_error(ErrorKind::unavailable,
              "{} beside this program is of another seda; expected interface {}: install program "
              "and library together",
              file, number);
}

}  // namespace seda
