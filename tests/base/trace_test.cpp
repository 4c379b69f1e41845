// SPDX-License-Identifier: Apache-2.0
#include "seda/base/trace.h"

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json.h"
#include "seda/base/thread.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/threads.h"

namespace seda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::TemporaryFolder;

Json parsed(const TraceRecorder& trace) {
  return parse_json(trace.to_json(), "trace");
}

/// Events of one phase ("X", "M") in the order of the file.
std::vector<Json> events(const Json& file, const std::string& phase) {
  std::vector<Json> found;
  for (const Json& event : file.at("traceEvents")) {
    if (event.at("ph") == phase) found.push_back(event);
  }
  return found;
}

std::map<int, std::string> track_names(const Json& file) {
  std::map<int, std::string> names;
  for (const Json& event : events(file, "M")) {
    if (event.at("name") == "thread_name") names[event.at("tid")] = event["args"]["name"];
  }
  return names;
}

std::vector<std::string> names_of(const std::vector<Json>& list) {
  std::vector<std::string> names(list.size());
  std::ranges::transform(list, names.begin(), [](const Json& event) { return event.at("name"); });
  return names;
}

double end_of(const Json& event) {
  return event.at("ts").get<double>() + event.at("dur").get<double>();
}

TEST(Trace, SpansNest) {
  TraceRecorder trace;
  trace.span("first", 2000, 3000);
  trace.span("second", 4000, 5000);
  trace.span("outer", 1000, 5000);
  const auto spans = events(parsed(trace), "X");
  ASSERT_THAT(names_of(spans), ElementsAre("outer", "first", "second"));
  for (const Json& inner : {spans[1], spans[2]}) {
    EXPECT_EQ(inner["tid"], spans[0]["tid"]);
    EXPECT_GE(inner["ts"], spans[0]["ts"]);
    EXPECT_LE(end_of(inner), end_of(spans[0]) + 1e-3);
  }
  EXPECT_LE(end_of(spans[1]), spans[2]["ts"].get<double>() + 1e-3);
}

TEST(Trace, OuterSpanComesFirstWhereBothBeginTogether) {
  TraceRecorder trace;
  trace.span("inner", 1000, 2000);
  trace.span("outer", 1000, 3000);
  trace.span("same, inner", 5000, 6000);
  trace.span("same, outer", 5000, 6000);
  EXPECT_THAT(names_of(events(parsed(trace), "X")),
              ElementsAre("outer", "inner", "same, outer", "same, inner"));
}

TEST(Trace, TimesAreMicrosecondsToTheNanosecond) {
  TraceRecorder trace;
  const int64_t start = now_ns();
  trace.span("a", start, start + 1'234'567);
  trace.span("b", start + 2'000'001, start + 2'000'001);
  const auto spans = events(parsed(trace), "X");
  EXPECT_NEAR(spans[0]["dur"].get<double>(), 1234.567, 1e-9);
  EXPECT_NEAR(spans[1]["ts"].get<double>() - spans[0]["ts"].get<double>(), 2000.001, 1e-6);
  EXPECT_EQ(spans[1]["dur"].get<double>(), 0);
}

TEST(Trace, ASpanThatEndsBeforeItBeginsHasNoLength) {
  TraceRecorder trace;
  trace.span("backwards", 2000, 1000);
  EXPECT_EQ(events(parsed(trace), "X")[0]["dur"].get<double>(), 0);
}

TEST(Trace, RowsHaveTheSpansOfAStretchOfTime) {
  TraceRecorder trace;
  const TraceTrack stream = trace.add_track("stream");
  trace.add_track("unused");
  trace.span("early", 100, 200, stream);
  trace.span("late", 900, 1000, stream);
  trace.span("across", 250, 500, stream);
  trace.span("within", 300, 400, stream);
  const std::vector<TraceRow> rows = trace.rows(300, 800);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "stream");
  ASSERT_EQ(rows[0].spans.size(), 2u);
  EXPECT_EQ(rows[0].spans[0].name, "across");
  EXPECT_EQ(rows[0].spans[1].start_ns, 300);
  EXPECT_EQ(rows[0].spans[1].end_ns, 400);
}

TEST(Trace, OwnTracksTakeEventsWithOwnTimes) {
  TraceRecorder trace;
  const TraceTrack gpu = trace.add_track("cuda:0 copy");
  const int64_t start = now_ns();
  trace.span("upload", start, start + 500, gpu);
  const Json file = parsed(trace);
  const auto names = track_names(file);
  ASSERT_EQ(names.size(), 1u) << "this thread recorded nothing on its own track";
  EXPECT_EQ(names.begin()->second, "cuda:0 copy");
  EXPECT_EQ(events(file, "X")[0]["tid"].get<int>(), names.begin()->first);
}

TEST(Trace, FourThreadsEachHaveTheirNamedTrack) {
  constexpr int kEach = 1000;
  TraceRecorder trace;
  testing_support::run_threads(4, [&trace](size_t index) {
    set_thread_name("worker-" + std::to_string(index));
    for (int i = 0; i < kEach; ++i) {
      trace.span("inner", i, i + 1);
      trace.span("outer", i, i + 1);
    }
  });
  const Json file = parsed(trace);
  std::map<std::string, int> spans;
  const auto names = track_names(file);
  for (const Json& event : events(file, "X"))
    ++spans[names.at(event["tid"])];
  EXPECT_THAT(
      spans,
      ElementsAre(testing::Pair("worker-0", 2 * kEach), testing::Pair("worker-1", 2 * kEach),
                  testing::Pair("worker-2", 2 * kEach), testing::Pair("worker-3", 2 * kEach)));
  EXPECT_EQ(trace.dropped(), 0u);
}

TEST(Trace, MayBeReadWhileOthersRecord) {
  TraceRecorder trace(2000);
  const std::jthread writer([&trace] {
    for (int i = 0; i < 5000; ++i)
      trace.span("busy", i, i + 1);
  });
  for (int i = 0; i < 5; ++i) {
    const Json file = parsed(trace);
    const auto names = track_names(file);
    for (const Json& event : events(file, "X"))
      ASSERT_TRUE(names.contains(event["tid"])) << "an event on a track without a name";
  }
}

TEST(Trace, AThreadAfterAnotherHasATrackOfItsOwn) {
  TraceRecorder trace;
  for (const char* name : {"first", "second"}) {
    std::jthread([&trace, name] {
      set_thread_name(name);
      trace.span(name, 0, 1);
    }).join();
  }
  const Json file = parsed(trace);
  const auto names = track_names(file);
  for (const Json& event : events(file, "X"))
    EXPECT_EQ(names.at(event["tid"]), event["name"].get<std::string>());
}

TEST(Trace, FullItDropsTheNewestAndSaysSo) {
  TraceRecorder trace(512);
  for (int i = 0; i < 1000; ++i)
    trace.span("early or late", i, i + 1);
  EXPECT_EQ(trace.dropped(), 488u);
  const Json file = parsed(trace);
  EXPECT_EQ(events(file, "X").size(), 512u);
  EXPECT_EQ(file.at("otherData").at("dropped_events").get<int>(), 488);
  EXPECT_THAT(trace.to_json(), HasSubstr("488 later events dropped"));
}

TEST(Trace, CapacityHoldsForAllThreadsTogether) {
  TraceRecorder trace(1024);
  testing_support::run_threads(4, [&trace](size_t) {
    for (int i = 0; i < 1000; ++i)
      trace.span("x", i, i + 1);
  });
  const auto stored = events(parsed(trace), "X").size();
  EXPECT_LE(stored, 1024u);
  EXPECT_EQ(stored + trace.dropped(), 4000u);
}

TEST(Trace, NoCapacityKeepsNothing) {
  TraceRecorder trace(0);
  trace.span("x", 0, 1);
  EXPECT_EQ(trace.dropped(), 1u);
  EXPECT_TRUE(track_names(parsed(trace)).empty());
}

TEST(Trace, OffItRecordsNothing) {
  TraceRecorder trace;
  trace.set_enabled(false);
  EXPECT_FALSE(trace.enabled());
  trace.span("off", 0, 1);
  EXPECT_EQ(parsed(trace)["traceEvents"].size(), 1u) << "the name of the process alone";
  trace.set_enabled(true);
  trace.span("on", 0, 1);
  EXPECT_THAT(names_of(events(parsed(trace), "X")), ElementsAre("on"));
}

TEST(Trace, StrangeNamesStillGiveJson) {
  TraceRecorder trace;
  trace.add_track("track \"with\" \\ and \xff");
  trace.span("line\nbreak", 0, 1);
  const Json file = parsed(trace);
  EXPECT_THAT(names_of(events(file, "X")), ElementsAre("line\nbreak"));
}

TEST(Trace, WritesAFileThatParses) {
  const TemporaryFolder folder;
  TraceRecorder trace;
  for (int64_t i = 0; i < 10'000; ++i)
    trace.span("step", i * 10, i * 10 + 5);
  trace.write(folder / "trace.json");
  EXPECT_EQ(testing_support::read_file(folder / "trace.json"), trace.to_json());
  EXPECT_THROW(trace.write(folder / "missing/trace.json"), Error);
}

}  // namespace
}  // namespace seda
