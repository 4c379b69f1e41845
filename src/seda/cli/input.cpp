// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/input.h"

#include <array>
#include <cerrno>
#include <cstdio>

#include "seda/base/error.h"
#include "seda/base/file.h"

namespace seda::cli {

std::string read_input(const std::string& name) {
  if (name != "-") return read_file(name);
  std::string out;
  std::array<char, 64 << 10> piece{};
  for (size_t size = 0; (size = std::fread(piece.data(), 1, piece.size(), stdin)) > 0;)
    out.append(piece.data(), size);
  if (std::ferror(stdin) != 0) throw_errno("cannot read", "standard input", errno);
  return out;
}

}  // namespace seda::cli
