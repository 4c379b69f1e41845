// SPDX-License-Identifier: Apache-2.0
#include "seda/model/model_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/error_message.h"

namespace seda::model {
namespace {

using seda::testing_support::error_message;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ModelOptions, AllSizesCanBe) {
  EXPECT_THAT(model_size_names(), ElementsAre("tiny", "small", "normal", "big"));
  for (const auto name : model_size_names())
    EXPECT_NO_THROW(check(model_size(name))) << name;
}

TEST(ModelOptions, AnUnknownSizeIsAnsweredWithTheKnownOnes) {
  EXPECT_THAT(error_message([] { model_size("huge"); }),
              HasSubstr("expected one of tiny, small, normal, big, found 'huge'"));
}

TEST(ModelOptions, HeadsDivideTheHiddenSize) {
  ModelOptions options;
  options.heads = 3;
  EXPECT_THAT(error_message([&] { check(options); }),
              HasSubstr("expected a divisor of model.hidden_size 128, found 3"));
}

TEST(ModelOptions, AHeadHasPairsOfChannels) {
  ModelOptions options;
  options.hidden_size = 6;
  options.heads = 2;
  EXPECT_THAT(error_message([&] { check(options); }), HasSubstr("even number of channels"));
}

ModelOptions unusual() {
  ModelOptions options = model_size("big");
  options.symbols = 77;
  options.speakers = 5;
  options.languages = 3;
  options.n_mels = 100;
  options.mel_mean = -5.25F;
  options.mel_deviation = 2.125F;
  return options;
}

TEST(ModelOptions, DescriptionReadsBack) {
  EXPECT_EQ(read_model_options(describe(unusual())), unusual());
  EXPECT_EQ(read_model_options(Json::parse(describe(unusual()).dump())), unusual());
}

TEST(ModelOptions, AMissingOrForeignValueIsRefused) {
  const Json whole = describe(unusual());
  for (const auto& [name, value] : whole.items()) {
    Json description = whole;
    description.erase(name);
    EXPECT_THAT(error_message([&] { read_model_options(description); }), HasSubstr(name));
    description[name] = "many";
    EXPECT_THAT(error_message([&] { read_model_options(description); }),
                HasSubstr("model description"));
  }
}

TEST(ModelOptions, ADescriptionOfNothingIsRefused) {
  Json description = describe(unusual());
  description["heads"] = 0;
  EXPECT_THAT(error_message([&] { read_model_options(description); }),
              HasSubstr("expected sizes above 0"));
}

}  // namespace
}  // namespace seda::model
