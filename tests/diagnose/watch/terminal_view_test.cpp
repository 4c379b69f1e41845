// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/terminal_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/utf8.h"
#include "tests/diagnose/watch/histories.h"

namespace seda::diagnose {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

WatchRecord record_of(const WatchedMachine& machine) {
  return make_record(machine, 30, [&](double seconds, const std::function<double()>& noise) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus.resize(machine.gpus.size(), sample.gpus[0]);
    for (GpuPoint& gpu : sample.gpus)
      gpu.utilization = share(0.5 + 0.3 * noise());
    return sample;
  });
}

size_t visible(const std::string& line) {
  std::string plain;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == '\x1b') {
      at = line.find('m', at) + 1;
    } else {
      plain += line[at++];
    }
  }
  return count_utf8(plain);
}

class TerminalViewWidth : public testing::TestWithParam<int> {};

TEST_P(TerminalViewWidth, EveryLineFitsAndEveryFigureIsThere) {
  for (const bool color : {false, true}) {
    const auto lines = draw_watch(record_of(machine_with_gpu()), "so far: healthy",
                                  {.width = GetParam(), .color = color});
    for (const std::string& line : lines)
      EXPECT_LE(visible(line), static_cast<size_t>(GetParam())) << line;
    for (const char* label : {"seda watch", "GPU 0", "  mem", "CPU", "RAM", "disk", "so far"})
      EXPECT_THAT(lines, Contains(StartsWith(label)));
    EXPECT_THAT(lines, Contains(HasSubstr("0.4 of 8 cores")));
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, TerminalViewWidth, testing::Values(40, 80, 200));

TEST(TerminalView, NarrowestTerminalIsNotOverrun) {
  for (int width = 1; width < 40; ++width) {
    for (const std::string& line :
         draw_watch(record_of(machine_with_gpu()), "so far: healthy", {.width = width}))
      EXPECT_LE(visible(line), static_cast<size_t>(std::max(width, 6))) << line;
  }
}

TEST(TerminalView, SparklinesAppearWithRoom) {
  const auto wide = draw_watch(record_of(machine_with_gpu()), "", {.width = 80});
  EXPECT_THAT(wide, Contains(testing::AllOf(StartsWith("GPU 0"), HasSubstr("▅"))));
}

TEST(TerminalView, AsciiTerminalGetsAscii) {
  for (const std::string& line :
       draw_watch(record_of(machine_without_gpu()), "so far: no_gpu", {.unicode = false})) {
    for (const char c : line)
      EXPECT_GE(c, ' ') << line;
  }
}

TEST(TerminalView, ColourOnlyWhereAsked) {
  const WatchRecord record = record_of(machine_with_gpu());
  EXPECT_THAT(draw_watch(record, "", {.color = false}), Not(Contains(HasSubstr("\x1b"))));
  EXPECT_THAT(draw_watch(record, "", {.color = true}), Contains(HasSubstr("\x1b[")));
}

TEST(TerminalView, HeightIsKeptAndGpusLeftOutAreCounted) {
  WatchedMachine machine = machine_with_gpu();
  machine.gpus.resize(8, machine.gpus[0]);
  const auto lines = draw_watch(record_of(machine), "so far: healthy", {.height = 12});
  EXPECT_LE(lines.size(), 12u);
  EXPECT_THAT(lines, Contains(StartsWith("and 5 more GPUs")));
  EXPECT_LE(draw_watch(record_of(machine), "x", {.height = 2}).size(), 2u);
}

TEST(TerminalView, WithoutGpuSaysWhy) {
  EXPECT_THAT(draw_watch(record_of(machine_without_gpu()), "", {}),
              Contains(StartsWith("no GPU: no NVML library")));
}

TEST(TerminalView, BeforeTheFirstSampleThereIsATitle) {
  EXPECT_THAT(draw_watch({}, "", {}), testing::SizeIs(1));
  EXPECT_EQ(status_line({}), "watch: no sample yet");
}

TEST(TerminalView, StatusLineHasTheNewestFigures) {
  EXPECT_THAT(status_line(record_of(machine_with_gpu())),
              testing::AllOf(StartsWith("watch 30.0 s: GPU 0 "), HasSubstr("0.4 of 8 cores")));
}

TEST(Sparkline, SpansItsRangeAndLeavesUnknownBlank) {
  const std::vector<double> values = {0, 1, 2, kUnknown, 5};
  EXPECT_EQ(sparkline(values, 2, true), "▁▅█ █");
  EXPECT_EQ(sparkline(values, 2, false), "_=# #");
}

}  // namespace
}  // namespace seda::diagnose
