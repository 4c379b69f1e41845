// SPDX-License-Identifier: Apache-2.0
// docs/cache_format.md is enough to read a cache: a program in another language does.
#include <sstream>

#include <gtest/gtest.h>

#include "tests/cache/support.h"
#include "tests/support/run_program.h"
#include "tests/support/source_folder.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::run_shell;
using seda::testing_support::source_folder;

std::string hex_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes)
    text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text.empty() ? "-" : text;
}

/// What the program should print.
std::string expected_lines(const Cache& cache) {
  std::string lines;
  for (const Table* table : cache.tables()) {
    std::map<Key, std::string> sorted;
    table->for_each([&](const Entry& entry) {
      const std::string dims = fmt::format("{}", fmt::join(entry.dims.span(), ","));
      sorted[entry.key] =
          fmt::format("{} {} {} {} {}\n", table->name(), entry.key.hex(), name_of(entry.type),
                      dims.empty() ? "-" : dims, hex_of(table->read(entry.key).value().bytes));
    });
    for (const auto& [key, line] : sorted)
      lines += line;
  }
  return lines;
}

TEST(IndependentReader, ReadsEveryKeyAndByte) {
  const TemporaryFolder folder;
  if (run_shell("python3 --version", folder.path()).exit_code != 0)
    GTEST_SKIP() << "there is no python3 here";
  {
    Writer writer(folder.path(), quiet_writer());
    TableWriter audio = writer.table("audio", kDescription);
    const std::vector<float> mel(30, 0.25F);
    for (uint64_t i = 0; i < 40; ++i) {
      append_text(audio, key_of(i), content_of(i, i * 7));
      append_text(writer.table("text", {{"name", "صدا"}}), key_of(i), content_of(i, 5));
      if (i % 15 == 0) writer.seal();
      append_text(audio, key_of(i / 2), content_of(i + 100, 20));
    }
    audio.append(key_of(900), {std::as_bytes(std::span(mel)), {5, 6}, DataType::float32});
    writer.seal();
  }
  const auto script = source_folder() / "tests/cache/read_cache.py";
  const auto result = run_shell(
      fmt::format("python3 '{}' '{}'", script.string(), folder.path().string()), folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, expected_lines(*Cache::open(folder.path())));
}

}  // namespace
}  // namespace seda::cache
