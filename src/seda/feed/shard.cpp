// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/shard.h"

#include <charconv>

#include <fmt/format.h>

#include "seda/base/error.h"

namespace seda::feed {

namespace fs = std::filesystem;

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

fs::path default_cache(const fs::path& corpus, const std::optional<Shard>& shard) {
  fs::path folder = (fs::is_regular_file(corpus) ? corpus.parent_path() : corpus) / ".seda";
  if (!shard) return folder;
  return folder / "shards" / fmt::format("{}-of-{}", shard->index, shard->count);
}

}  // namespace seda::feed
