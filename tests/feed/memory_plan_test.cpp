// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_backend.h"

namespace seda::feed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr uint64_t kMiB = uint64_t{1} << 20;

struct MemoryPlanTest : testing::Test {
  testing_support::FakePlatform fake{{.devices = 2, .memory_bytes = 100 * kMiB}};
  FeedOptions options;
  MemoryNeeds needs;

  MemoryPlanTest() {
    options.roles = {device::cuda(0), device::cuda(0)};
    needs.host_slots = 4;
    needs.host_slot_bytes = kMiB;
    needs.data_slots = 2;
    needs.input_bytes = 5 * kMiB;
    needs.row_bytes = needs.input_bytes;
    needs.model_slots = 4;
    needs.model_slot_bytes = 10 * kMiB;
  }
  MemoryPlan plan() const { return plan_memory(needs, options, fake.platform); }
  std::string refusal() const {
    return testing_support::error_message([&] { plan(); });
  }
};

TEST_F(MemoryPlanTest, TakesWhatIsNeededWhereItFits) {
  const MemoryPlan made = plan();
  EXPECT_EQ(made.model_slots, 4);
  EXPECT_EQ(made.bytes(MemoryRole::host), 4 * kMiB);
  EXPECT_EQ(made.bytes(MemoryRole::data), 10 * kMiB);
  EXPECT_EQ(made.bytes(MemoryRole::model), 40 * kMiB);
  EXPECT_THAT(made.notes, IsEmpty());
}

TEST_F(MemoryPlanTest, CutsSlotsToWhatIsFreeForBothRoles) {
  needs.model_slot_bytes = 29 * kMiB;  // three and the uploads are 97
  const MemoryPlan made = plan();
  EXPECT_EQ(made.model_slots, 3);
  EXPECT_THAT(made.notes, ElementsAre(AllOf(HasSubstr("from 4 to 3"), HasSubstr("cuda:0"))));
}

TEST_F(MemoryPlanTest, CutsSlotsToTheModelsBudget) {
  options.budgets = {.isolated = true, .data_bytes = 50 * kMiB, .model_bytes = 25 * kMiB};
  EXPECT_EQ(plan().model_slots, 2);
}

TEST_F(MemoryPlanTest, RefusesFewerThanTwoSlots) {
  options.budgets = {.isolated = true, .data_bytes = 50 * kMiB, .model_bytes = 19 * kMiB};
  EXPECT_THAT(refusal(), AllOf(HasSubstr("the model role"), HasSubstr("cuda:0"),
                               HasSubstr("20.0 MiB"), HasSubstr("19.0 MiB"),
                               HasSubstr("data.model_gpu_memory"), HasSubstr("data.batch_size")));
}

TEST_F(MemoryPlanTest, NamesTheKeyThatSaysHowLargeBatchesAre) {
  options.batch_frames = 8000;
  needs.model_slot_bytes = 60 * kMiB;
  EXPECT_THAT(refusal(), AllOf(HasSubstr("lower data.batch_frames or data.max_mel_frames"),
                               Not(HasSubstr("data.batch_size"))));
}

TEST_F(MemoryPlanTest, RefusesABudgetOfOneMegabyteOfTheDataRole) {
  options.budgets = {.isolated = true, .data_bytes = kMiB, .model_bytes = 50 * kMiB};
  EXPECT_THAT(refusal(), AllOf(HasSubstr("the data role"), HasSubstr("1.0 MiB"),
                               HasSubstr("data.data_gpu_memory")));
}

TEST_F(MemoryPlanTest, RefusesWhatTheDeviceHasNot) {
  needs.model_slot_bytes = 60 * kMiB;
  EXPECT_THAT(refusal(), AllOf(HasSubstr("cuda:0"), HasSubstr("free the device")));
}

TEST_F(MemoryPlanTest, KeepsTheCorpusWhereItFitsBesideTwoSlots) {
  options.resident = true;
  needs.resident_bytes = 65 * kMiB;
  const MemoryPlan made = plan();
  EXPECT_TRUE(made.resident);
  EXPECT_EQ(made.model_slots, 2);
}

TEST_F(MemoryPlanTest, UploadsOnlyRowsWhereTheCorpusIsThere) {
  options.resident = true;
  needs.resident_bytes = 20 * kMiB;
  needs.row_bytes = 1024;
  const MemoryPlan made = plan();
  EXPECT_EQ(made.input_bytes, 1024U);
  EXPECT_EQ(made.host_slot_bytes, 1024U);
  EXPECT_EQ(made.bytes(MemoryRole::data), 20 * kMiB + 2 * 1024);
  EXPECT_EQ(made.bytes(MemoryRole::host), 4 * 1024U);
}

TEST_F(MemoryPlanTest, SaysHowManyBytesACorpusMisses) {
  options.resident = true;
  needs.resident_bytes = 80 * kMiB;  // with 10 of uploads and 20 of slots
  const MemoryPlan made = plan();
  EXPECT_FALSE(made.resident);
  EXPECT_EQ(made.model_slots, 4);
  EXPECT_THAT(made.notes, ElementsAre(AllOf(HasSubstr("80.0 MiB"), HasSubstr("10.0 MiB"))));
}

TEST_F(MemoryPlanTest, BudgetsOfTwoDevicesAreApart) {
  options.roles = {device::cuda(0), device::cuda(1)};
  needs.output_bytes = 10 * kMiB;
  needs.model_slot_bytes = 25 * kMiB;
  const MemoryPlan made = plan();
  EXPECT_EQ(made.model_slots, 4);
  EXPECT_EQ(made.bytes(MemoryRole::data), 30 * kMiB);
}

TEST_F(MemoryPlanTest, DescribesEachRoleInALine) {
  EXPECT_THAT(describe(plan(), options),
              ElementsAre(HasSubstr("the host on cpu"), HasSubstr("the data role on cuda:0"),
                          AllOf(HasSubstr("the model role on cuda:0"), HasSubstr("4 slots of"),
                                HasSubstr("40.0 MiB in all"))));
}

}  // namespace
}  // namespace seda::feed
