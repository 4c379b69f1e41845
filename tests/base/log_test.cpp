// SPDX-License-Identifier: Apache-2.0
#include "seda/base/log.h"

#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/base/thread.h"
#include "tests/support/threads.h"

namespace seda {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

/// What `write` logs to stderr under `options`.
template <typename Write>
std::string logged(const log::Options& options, Write write) {
  log::configure(options);
  testing::internal::CaptureStderr();
  write();
  std::string text = testing::internal::GetCapturedStderr();
  log::configure({});
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

void one_of_each() {
  log::debug("d{}", 1);
  log::info("i{}", 2);
  log::warning("w{}", 3);
  log::error("e{}", 4);
}

TEST(Log, InfoIsTheMessageAlone) {
  EXPECT_EQ(logged({}, one_of_each), "i2\nwarning: w3\nerror: e4\n");
}

TEST(Log, LevelCutsWhatIsBelowIt) {
  EXPECT_EQ(logged({.level = log::Level::error}, one_of_each), "error: e4\n");
  EXPECT_EQ(logged({.level = log::Level::off}, one_of_each), "");
}

TEST(Log, EnabledAgreesWithTheLevel) {
  log::configure({.level = log::Level::warning});
  EXPECT_FALSE(log::enabled(log::Level::info));
  EXPECT_TRUE(log::enabled(log::Level::warning));
  EXPECT_TRUE(log::enabled(log::Level::error));
  log::configure({});
}

TEST(Log, DebugShowsTimeThreadAndLevel) {
  const std::string text = logged({.level = log::Level::debug}, [] {
    std::jthread([] {
      set_thread_name("decode-3");
      log::debug("opened");
    }).join();
  });
  EXPECT_THAT(text, MatchesRegex("[0-9:.]+ decode-3 debug opened\n"));
}

TEST(Log, JsonLinesParse) {
  const std::string text = logged({.level = log::Level::debug, .json = true}, [] {
    one_of_each();
    log::info("quote \" backslash \\ line\nbreak, صدا, broken \xff");
  });
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 5u);
  const std::vector<std::string> levels = {"debug", "info", "warning", "error", "info"};
  for (size_t i = 0; i < lines.size(); ++i) {
    const Json line = parse_json(lines[i], "log");
    EXPECT_EQ(line.at("level"), levels[i]);
    EXPECT_THAT(line.at("time").get<std::string>(), MatchesRegex("20..-..-..T..:..:...*"));
  }
  EXPECT_THAT(parse_json(lines[4], "log").at("message").get<std::string>(),
              HasSubstr("line\nbreak, صدا"));
}

TEST(Log, JsonNamesTheThreadWhateverItsName) {
  const std::string text = logged({.json = true}, [] {
    std::jthread([] {
      set_thread_name("a \"quoted\" name");
      log::info("x");
    }).join();
  });
  EXPECT_EQ(parse_json(text, "log").at("thread"), "a \"quoted\" name");
}

TEST(Log, ColourOnlyWhereAsked) {
  const auto warn = [] { log::warning("w"); };
  EXPECT_EQ(logged({.color = false}, warn), "warning: w\n");
  EXPECT_THAT(logged({.color = true}, warn), HasSubstr("\x1b["));
}

TEST(Log, ConfiguringAgainTakesEffect) {
  testing::internal::CaptureStderr();
  log::configure({.json = true});
  log::info("first");
  log::configure({});
  log::info("second");
  const auto lines = lines_of(testing::internal::GetCapturedStderr());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(parse_json(lines[0], "log").at("message"), "first");
  EXPECT_EQ(lines[1], "second");
}

TEST(Log, LinesOfManyThreadsStayWhole) {
  const std::string text = logged({}, [] {
    testing_support::run_threads(4, [](size_t index) {
      for (int i = 0; i < 200; ++i)
        log::info("{}", std::string(50, "abcd"[index]));
    });
  });
  const auto lines = lines_of(text);
  EXPECT_EQ(lines.size(), 800u);
  for (const std::string& line : lines)
    ASSERT_EQ(line, std::string(50, line[0]));
}

TEST(Log, StatusStaysBelowTheLines) {
  const std::string text = logged({}, [] {
    log::set_status("working");
    log::info("done a");
    log::set_status("still working");
    log::set_status("");
    log::info("done b");
  });
  EXPECT_EQ(text,
            "\r\x1b[Kworking"
            "\r\x1b[Kdone a\nworking"
            "\r\x1b[Kstill working"
            "\r\x1b[K"
            "done b\n");
}

TEST(Log, RemovingAStatusThatIsNotThereWritesNothing) {
  EXPECT_EQ(logged({}, [] { log::set_status(""); }), "");
}

}  // namespace
}  // namespace seda
