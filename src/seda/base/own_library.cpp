// SPDX-License-Identifier: Apache-2.0
#include "seda/base/own_library.h"

#include "seda/base/error.h"
#include "seda/base/program.h"
#include "seda/base/shared_library.h"

namespace seda {

const void* open_own_library(const std::string& file, const char* entry, int number) {
  SharedLibrary library((program_root() / "lib" / file).string());
  library.keep();
  const auto function = library.function<const void*(int)>(entry);
  const void* face = function == nullptr ? nullptr : function(number);
  if (face == nullptr) {
    throw_error(ErrorKind::unavailable,
                "{} beside this program is of another seda; expected interface {}: install program "
                "and library together",
                file, number);
  }
  return face;
}

}  // namespace seda
