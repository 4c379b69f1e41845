// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_history.h"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace seda::diagnose {
namespace {

WatchSample at(double seconds, double use) {
  WatchSample sample;
  sample.seconds = seconds;
  sample.host.cpu = use;
  sample.gpus = {{.utilization = use}};
  return sample;
}

TEST(WatchHistory, ShortOneIsKeptWhole) {
  WatchHistory history;
  for (int i = 0; i < 100; ++i)
    history.add(at(i, i));
  EXPECT_EQ(history.count(), 100u);
  ASSERT_EQ(history.all().size(), 100u);
  EXPECT_EQ(history.all()[42].host.cpu, 42);
  EXPECT_EQ(history.recent().back().number, 100u);
}

TEST(WatchHistory, LongOneIsBoundedAndKeepsMeansPeaksAndTheNewest) {
  WatchHistory history;
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i)
    history.add(at(i, i == 5000 ? 50 : i % 2));
  const auto all = history.all();
  EXPECT_LE(all.size(), WatchHistory::kMostAll);
  EXPECT_GE(all.size(), WatchHistory::kMostAll / 2 - 1);
  EXPECT_EQ(history.recent().size(), WatchHistory::kMostRecent);
  EXPECT_EQ(history.recent().back().seconds, kCount - 1);
  double sum = 0;
  uint64_t count = 0;
  for (const WatchSample& sample : all) {
    sum += sample.count * sample.gpus[0].utilization;
    count += sample.count;
  }
  EXPECT_EQ(count, static_cast<uint64_t>(kCount));
  EXPECT_NEAR(sum / kCount, 0.5, 0.001);
  EXPECT_EQ(history.peak().host.cpu, 50);
  EXPECT_EQ(history.count(), static_cast<uint64_t>(kCount));
}

TEST(WatchHistory, UnknownStaysUnknownAndDoesNotSpoilMeans) {
  const WatchSample mean = merged(at(0, 1), at(1, kUnknown));
  EXPECT_EQ(mean.host.cpu, 1);
  EXPECT_FALSE(is_known(mean.host.threads));
  EXPECT_EQ(mean.count, 2u);
  EXPECT_DOUBLE_EQ(mean.seconds, 0.5);
}

TEST(WatchFields, NamesAndMetricsAreDistinct) {
  std::set<std::string_view> names;
  for (const auto& field : host_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_TRUE(names.insert(field.metric).second) << field.metric;
  }
  for (const auto& field : gpu_fields())
    EXPECT_TRUE(names.insert(field.metric).second) << field.metric;
}

}  // namespace
}  // namespace seda::diagnose
