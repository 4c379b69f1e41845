// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"

#include <system_error>

namespace seda {

int exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::check_failed:
      return 1;
    case ErrorKind::usage:
    case ErrorKind::config:
      return 2;
    case ErrorKind::io:
    case ErrorKind::memory:
    case ErrorKind::unavailable:
    case ErrorKind::internal:
      return 3;
    case ErrorKind::interrupted:
      return 130;
  }
  return 3;
}

void throw_errno(std::string_view action, std::string_view subject, int code) {
  throw_error(ErrorKind::io, "{} {}: {}", action, subject, std::generic_category().message(code));
}

}  // namespace seda
