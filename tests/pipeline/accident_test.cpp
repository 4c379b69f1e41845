// SPDX-License-Identifier: Apache-2.0
// A stage that throws, stalls or is stopped at any point of a slot's life.

#include <atomic>
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/pipeline/worker_pool.h"
#include "tests/pipeline/eventually.h"
#include "tests/pipeline/gpu_ring.h"
#include "tests/support/error_message.h"

namespace seda::pipeline {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::error_message;
using testing_support::eventually;
using testing_support::GpuRing;
using testing_support::kSlotBytes;
using testing_support::ThreadCensus;

/// Where in a slot's life a side goes wrong.
enum class Point { before, with_slot, with_work, after };
/// And how.
enum class Trouble { throws, stops, stalls };

struct Accident {
  bool at_producer = false;
  Point point = Point::before;
  Trouble trouble = Trouble::throws;
};

/// A producer and a consumer, one of which meets an accident at the fifth batch.
class AccidentTest : public testing::TestWithParam<std::tuple<bool, Point, Trouble>> {
 protected:
  void meet(bool producer, Point point, int batch, Worker& worker) {
    if (producer != accident_.at_producer || point != accident_.point || batch != 5) return;
    if (accident_.trouble == Trouble::throws) throw Error(ErrorKind::io, "accident");
    stop_requested_ = true;  // the test stops all; this worker goes on, or waits for that
    if (accident_.trouble == Trouble::stops) return;
    EXPECT_TRUE(eventually([&] { return worker.stopping.stop_requested(); }));
  }

  bool produce(Worker& worker) {
    const int batch = produced_++;
    meet(true, Point::before, batch, worker);
    auto slot = rig_.ring.acquire(rig_.producer, worker.leaving);
    if (!slot) return false;
    meet(true, Point::with_slot, batch, worker);
    rig_.fill_slot(**slot, 1, rig_.producer);
    meet(true, Point::with_work, batch, worker);
    slot->publish();
    meet(true, Point::after, batch, worker);
    return true;
  }

  bool consume(Worker& worker) {
    const int batch = consumed_++;
    meet(false, Point::before, batch, worker);
    auto slot = rig_.ring.next(rig_.consumer, worker.leaving);
    if (!slot) return false;
    meet(false, Point::with_slot, batch, worker);
    copy(result_.location(), (*slot)->location(), kSlotBytes, rig_.consumer);
    meet(false, Point::with_work, batch, worker);
    slot->release();
    meet(false, Point::after, batch, worker);
    return true;
  }

  Accident accident_{std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam())};
  ThreadCensus census_;
  GpuRing rig_{1, 3};
  device::Buffer result_ = rig_.result();
  std::atomic<bool> stop_requested_{false};
  int produced_ = 0;
  int consumed_ = 0;
};

TEST_P(AccidentTest, LeavesNoThreadAndNoSlotBehind) {
  {
    WorkerPool producers(
        {.name = "fill", .workers = 1, .when_done = [&](const auto&) { rig_.ring.close(); }},
        rig_.clock, [this](Worker& worker) { return produce(worker); });
    WorkerPool consumers({.name = "use", .workers = 1, .when_done = {}}, rig_.clock,
                         [this](Worker& worker) { return consume(worker); });
    EXPECT_TRUE(eventually([&] {
      return stop_requested_ || producers.stop_token().stop_requested() ||
             consumers.stop_token().stop_requested();
    }));
    producers.stop();
    consumers.stop();
    const std::string expected = accident_.trouble == Trouble::throws
                                     ? (accident_.at_producer ? "fill: accident" : "use: accident")
                                     : "nothing was thrown";
    WorkerPool& unlucky = accident_.at_producer ? producers : consumers;
    EXPECT_EQ(error_message([&] { unlucky.join(); }), expected);
  }
  EXPECT_TRUE(census_.all_gone());
  while (rig_.ring.next(rig_.consumer)) {
  }
  EXPECT_THAT(rig_.ring.statistics().slots, ElementsAre(3, 0, 0, 0));
  EXPECT_THAT(rig_.fake.backend->violations(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Everywhere, AccidentTest,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Point::before, Point::with_slot,
                                                          Point::with_work, Point::after),
                                          testing::Values(Trouble::throws, Trouble::stops,
                                                          Trouble::stalls)));

}  // namespace
}  // namespace seda::pipeline
