// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_settings.h"

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"
#include "tests/support/size_limit.h"
#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::read_file;
using seda::testing_support::SizeLimit;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WithSettings, ChangesWhatDiffersAndKeepsTheRest) {
  const std::string text =
      "# voice\ndata:\n  num_workers: 8  # all cores\n  batch_size: 16\nmodel:\n  size: tiny\n";
  EXPECT_EQ(with_settings(text, "seda.yaml", {.workers = 8, .slots = 3},
                          {.workers = 3, .prefetch = 4, .slots = 3}),
            "# voice\ndata:\n  num_workers: 3  # all cores\n  batch_size: 16\n  "
            "prefetch_buffer_size: 4\nmodel:\n  size: tiny\n");
}

TEST(WithSettings, OfEqualSettingsAreTheText) {
  EXPECT_EQ(with_settings("data: {}\n", "x", {}, {}), "data: {}\n");
}

Trial rates(std::initializer_list<double> values) {
  Trial out;
  for (const double rate : values)
    out.runs.push_back({.clips_per_second = rate});
  return out;
}

Trial stalls(std::initializer_list<double> values) {
  Trial out;
  for (const double stall : values)
    out.runs.push_back({.stall = stall});
  return out;
}

TEST(IsBetter, OnlyBeyondTheNoiseOfEither) {
  EXPECT_TRUE(is_better(rates({1000, 1000, 1000}), rates({1030, 1030, 1030}), 0));
  EXPECT_FALSE(is_better(rates({1000, 1000, 1000}), rates({1015, 1015, 1015}), 0));
  EXPECT_FALSE(is_better(rates({800, 1000, 1100}), rates({1100, 1100, 1100}), 0));
  EXPECT_FALSE(is_better(rates({1000, 1000, 1000}), rates({900, 1100, 1200}), 0));
  EXPECT_FALSE(is_better(rates({1000, 1000}), rates({500, 500}), 0));
}

TEST(IsBetter, AtAStepGoesByTheStall) {
  EXPECT_TRUE(is_better(stalls({0.1, 0.1}), stalls({0.0, 0.01}), 0.02));
  EXPECT_FALSE(is_better(stalls({0.0, 0.0}), stalls({0.1, 0.1}), 0.02));
  EXPECT_FALSE(is_better(stalls({0.01, 0.01}), stalls({0.0, 0.0}), 0.02));
}

const std::string kBefore = "data:\n  num_workers: 8  # guessed\n";
const std::string kAfter = "data:\n  num_workers: 2  # guessed\n";

/// Eight workers in a file, two that were found twice as fast, and runs that go as a function says.
class ApplySettings : public testing::Test {
 protected:
  AppliedSettings apply(const RunTrial& run, const TrialSettings& to = {.workers = 2}) {
    return apply_settings(file, trial({.workers = 8}, 500), trial(to, 1000), run, 0);
  }

  static Trial trial(const TrialSettings& settings, double rate) {
    Trial out = rates({rate, rate, rate});
    out.settings = settings;
    return out;
  }

  bool has_backup() const { return std::filesystem::exists(folder / "seda.yaml.bak-1"); }

  const TemporaryFolder folder;
  const std::filesystem::path file = folder.write("seda.yaml", kBefore);
};

TEST_F(ApplySettings, KeepsWhatIsBetterAgain) {
  const AppliedSettings applied = apply([](const TrialSettings& settings) {
    return TrialRun{.clips_per_second = settings.workers == 2 ? 1000.0 : 900.0};
  });
  EXPECT_TRUE(applied.kept);
  EXPECT_FALSE(applied.reverted);
  EXPECT_DOUBLE_EQ(applied.before.clips_per_second(), 900);
  EXPECT_DOUBLE_EQ(applied.after.clips_per_second(), 1000);
  EXPECT_THAT(applied.diff, HasSubstr("-  num_workers: 8  # guessed"));
  EXPECT_EQ(read_file(file), kAfter);
  EXPECT_EQ(read_file(applied.backup), kBefore);
}

TEST_F(ApplySettings, TakesBackWhatIsNoBetterMeasuredAgain) {
  for (const double rate : {500.0, 1010.0}) {
    const AppliedSettings applied = apply([&](const TrialSettings& settings) {
      EXPECT_EQ(read_file(file), kAfter);
      return TrialRun{.clips_per_second = settings.workers == 2 ? rate : 1000.0};
    });
    EXPECT_FALSE(applied.kept);
    EXPECT_TRUE(applied.reverted);
    EXPECT_EQ(applied.why, "measured again it was not better by more than its runs differ");
    EXPECT_EQ(read_file(file), kBefore);
  }
}

TEST_F(ApplySettings, TakesBackWhatCannotBeMeasured) {
  for (const ErrorKind kind :
       {ErrorKind::interrupted, ErrorKind::check_failed, ErrorKind::unavailable}) {
    int runs = 0;
    const auto message = error_message([&] {
      apply([&](const TrialSettings&) -> TrialRun {
        if (++runs == 3) throw_error(kind, "no more");
        return {};
      });
    });
    EXPECT_EQ(message, "no more");
    EXPECT_EQ(read_file(file), kBefore);
  }
}

TEST_F(ApplySettings, TakesBackWhatIsNoBetterWhereTheDiskIsFullMeanwhile) {
  std::optional<SizeLimit> full;
  const AppliedSettings applied = apply([&](const TrialSettings& settings) {
    if (!full) full.emplace(0);
    return TrialRun{.clips_per_second = settings.workers == 2 ? 500.0 : 1000.0};
  });
  full.reset();
  EXPECT_TRUE(applied.reverted);
  EXPECT_EQ(read_file(file), kBefore);
}

TEST_F(ApplySettings, MeasuresNothingWhereNothingWouldBeBetter) {
  const RunTrial run = [](const TrialSettings&) -> TrialRun {
    ADD_FAILURE() << "nothing is to be measured";
    return {};
  };
  const Trial now = trial({.workers = 8}, 1000);
  for (const Trial& chosen : {now, trial({.workers = 2}, 1000), trial({.workers = 16}, 900)}) {
    const AppliedSettings applied = apply_settings(file, now, chosen, run, 0);
    EXPECT_FALSE(applied.kept);
    EXPECT_FALSE(applied.reverted);
    EXPECT_EQ(applied.why, "not better than the configuration by more than their runs differ");
    EXPECT_THAT(applied.diff, IsEmpty());
  }
  const Trial of_a_flag = trial({.workers = 1}, 500);
  EXPECT_EQ(apply_settings(file, of_a_flag, now, run, 0).why, "the file says so already");
  EXPECT_EQ(read_file(file), kBefore);
  EXPECT_FALSE(has_backup());
}

TEST_F(ApplySettings, MeasuresNothingWithoutRoom) {
  for (const size_t bytes : {kBefore.size() - 1, kBefore.size()}) {  // for the copy; for it alone
    int runs = 0;
    std::string message;
    {
      const SizeLimit full(bytes);
      message = error_message([&] {
        apply(
            [&](const TrialSettings&) {
              ++runs;
              return TrialRun{};
            },
            {.workers = 16});
      });
    }
    EXPECT_EQ(runs, 0);
    EXPECT_THAT(message, AllOf(HasSubstr("File too large"), HasSubstr("seda.yaml is as it was"),
                               HasSubstr("make room")));
    EXPECT_EQ(read_file(file), kBefore);
    EXPECT_FALSE(has_backup());
  }
}

}  // namespace
}  // namespace seda::diagnose
