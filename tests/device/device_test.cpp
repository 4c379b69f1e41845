// SPDX-License-Identifier: Apache-2.0
#include "seda/device/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"

namespace seda::device {
namespace {

using testing::HasSubstr;

TEST(Device, ReadsEveryForm) {
  EXPECT_EQ(parse_device("cpu"), kCpu);
  EXPECT_EQ(parse_device("cuda"), cuda(0));
  EXPECT_EQ(parse_device("cuda:3"), cuda(3));
  EXPECT_EQ(parse_device("1"), cuda(1));
}

TEST(Device, RefusesAnythingElseAndQuotesIt) {
  for (const char* text : {"", "gpu", "cuda:", "cuda:-1", "-1", "cuda:1x", "CUDA", " 1", "1 ",
                           "cuda:99999999999", "cpu:0", "+1"}) {
    try {
      parse_device(text);
      ADD_FAILURE() << "accepted \"" << text << '"';
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr("cuda:N"));
      EXPECT_THAT(error.what(), HasSubstr("\"" + std::string(text) + "\""));
    }
  }
}

TEST(Device, TextReadsBack) {
  for (const Device device : {kCpu, cuda(0), cuda(12)})
    EXPECT_EQ(parse_device(to_string(device)), device);
}

TEST(Device, DevicesOfDifferentKindOrIndexDiffer) {
  EXPECT_NE(kCpu, cuda(0));
  EXPECT_NE(cuda(0), cuda(1));
}

}  // namespace
}  // namespace seda::device
