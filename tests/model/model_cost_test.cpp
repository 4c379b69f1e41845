// SPDX-License-Identifier: Apache-2.0
#include "seda/model/model_cost.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/voice_model.h"

namespace seda::model {
namespace {

class ModelCost : public testing::TestWithParam<std::string_view> {
 protected:
  ModelCost() : options(model_size(GetParam())) {
    options.symbols = 97;
    options.speakers = 3;
    options.languages = 2;
    options.n_mels = 100;
  }

  ModelOptions options;
};

TEST_P(ModelCost, CountsTheWeightsThatTheModelHas) {
  int64_t weights = 0;
  for (const auto& weight : VoiceModel(options)->parameters())
    weights += weight.numel();
  EXPECT_EQ(parameter_count(options), weights);
}

bool has(const std::string& name, std::string_view part) {
  return name.find(part) != std::string::npos;
}

/// Places of a row at which a matrix of that name is multiplied with.
int64_t places_of(const std::string& name, const StepShape& shape) {
  if (has(name, "modulation") || has(name, "speaker") || has(name, "time_")) return 1;
  if (has(name, "reference_encoder"))
    return has(name, "conv") ? std::min<int64_t>(shape.frames, 192) : 1;
  return has(name, "decoder") ? shape.frames : shape.tokens;
}

TEST_P(ModelCost, MultipliesWithEachMatrixWhereTheModelDoes) {
  const StepShape shape{.rows = 3, .tokens = 50, .frames = 400};
  int64_t products = 0;
  for (const auto& weight : VoiceModel(options)->named_parameters()) {
    const bool looked_up = has(weight.key(), "symbols") || has(weight.key(), "languages") ||
                           has(weight.key(), "speakers");
    if (weight.value().dim() == 2 && !looked_up)
      products += weight.value().numel() * places_of(weight.key(), shape);
  }
  const int64_t scores = options.encoder_layers * shape.tokens * shape.tokens +
                         options.decoder_layers * shape.frames * shape.frames;
  const int64_t attention = 2 * scores * options.hidden_size;
  EXPECT_DOUBLE_EQ(step_flops(options, shape), 6.0 * 3 * static_cast<double>(products + attention));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ModelCost, testing::Values("tiny", "small"));

}  // namespace
}  // namespace seda::model
