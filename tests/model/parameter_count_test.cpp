// SPDX-License-Identifier: Apache-2.0
#include "seda/model/parameter_count.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/voice_model.h"

namespace seda::model {
namespace {

class ParameterCount : public testing::TestWithParam<std::string_view> {};

TEST_P(ParameterCount, IsWhatTheModelHas) {
  ModelOptions options = model_size(GetParam());
  options.symbols = 97;
  options.speakers = 3;
  options.languages = 2;
  options.n_mels = 100;
  int64_t weights = 0;
  for (const auto& weight : VoiceModel(options)->parameters())
    weights += weight.numel();
  EXPECT_EQ(parameter_count(options), weights);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ParameterCount, testing::Values("tiny", "small"));

}  // namespace
}  // namespace seda::model
