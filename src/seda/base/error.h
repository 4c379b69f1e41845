// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace seda {

/// Why a call could not finish. Each kind has one exit code (`exit_code`).
enum class ErrorKind {
  check_failed,  ///< A problem was looked for and found.
  usage,         ///< Bad flag or argument.
  config,        ///< Bad configuration.
  io,            ///< The file system refused or the data is damaged.
  memory,        ///< A budget or the machine's memory is exceeded.
  unavailable,   ///< No such device, library or permission.
  interrupted,   ///< Stopped by Ctrl-C.
  internal,      ///< Our own bug.
};

/// The call cannot finish. Thrown; caught once, at the top of the program.
///
/// `what()` says what was expected, what was found, where, and what to do. For one bad clip among
/// many use `Fault`.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// 1 check_failed; 2 usage, config; 3 io, memory, unavailable, internal; 130 interrupted.
int exit_code(ErrorKind kind) noexcept;

/// `throw_error(ErrorKind::io, "{}: expected {}", path, what)`.
template <typename... Args>
[[noreturn]] void throw_error(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

/// Throws an io error "<action> <subject>: <text of errno>".
[[noreturn]] void throw_errno(std::string_view action, std::string_view subject, int code);

}  // namespace seda
