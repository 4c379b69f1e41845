// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/shard.h"

#include <charconv>

#include "seda/base/error.h"

namespace seda::feed {

Shard parse_shard(std::string_view text) {
  Shard shard;
  const size_t slash = text.find('/');
  const auto read = [](std::string_view digits, uint32_t& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string_view::npos || !read(text.substr(0, slash), shard.index) ||
      !read(text.substr(slash + 1), shard.count) || shard.index >= shard.count) {
    throw_error(ErrorKind::usage,
                "--shard {}: expected i/n with i from 0 to n - 1, for example 0/4", text);
  }
  return shard;
}

}  // namespace seda::feed
