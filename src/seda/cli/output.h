// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/json.h"

namespace seda::cli {

/// What every verb takes beside its own flags (`add_common`).
struct Common {
  bool json = false;     ///< One JSON object on stdout.
  bool quiet = false;    ///< Errors and the result alone.
  bool verbose = false;  ///< Debug lines, with time and thread.

  bool operator==(const Common&) const = default;
};

/// Thrown by a verb that has done its work and said all, to end with a code of its own.
struct ExitWith {
  int code = 0;
};

/// Sets the log's level and colour.
void configure_log(const Common& common);

/// Writes to stdout. What could not be written is an Error(io), here or in `flush_output`.
void print(std::string_view text);
void print_json(const Json& value);

/// Ends the program's output: 0, or an Error(io) where stdout took less than was written.
int flush_output();

/// Finds out before a long run that `file` could not be written after it: an Error(io) where it is
/// a folder, or its folder is none that can be written to. An empty name, and a device or pipe, are
/// fine.
void check_writable(const std::string& file);

/// Writes a file that was asked for after a long run, and says so in the log, where it is `what`.
/// An empty name asks for none.
void put_file(std::string_view what, const std::string& file, std::string_view content);

/// Does all of them in turn, whatever one throws, so that one thing that cannot be written does not
/// cost the others; then throws what the first threw.
void do_each(const std::vector<std::function<void()>>& tasks);

/// Whether colour suits `descriptor`: a terminal, without NO_COLOR, that is not `dumb`.
bool color_suits(int descriptor);

}  // namespace seda::cli
