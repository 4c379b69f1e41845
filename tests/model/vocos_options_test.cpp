// SPDX-License-Identifier: Apache-2.0
#include "seda/model/vocos_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/error_message.h"

namespace seda::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::error_message;

VocosOptions some_options() {
  VocosOptions options{.blocks = 3, .width = 24, .hidden = 40, .mel = {}};
  options.mel.hop_length = 200;
  options.mel.fmax = 7000.5;
  return options;
}

TEST(VocoderSizes, AreThoseOfModelSize) {
  EXPECT_EQ(vocoder_size("normal").network.width, 512);
  EXPECT_EQ(vocoder_size("normal").network.blocks, 8);
  EXPECT_EQ(vocoder_size("normal").network.hidden, 1536);
  for (const char* name : {"tiny", "small", "normal", "big"}) {
    check(vocoder_size(name).network);
    check(vocoder_size(name).discriminators);
  }
  EXPECT_THAT(error_message([] { vocoder_size("huge"); }),
              AllOf(HasSubstr("tiny, small, normal, big"), HasSubstr("huge")));
}

TEST(VocosOptions, ComeBackFromMetadata) {
  const auto metadata = vocos_metadata(some_options());
  EXPECT_TRUE(is_vocos(metadata));
  EXPECT_EQ(read_vocos_metadata(metadata), some_options());
  EXPECT_FALSE(is_vocos({{"format", "pt"}}));
  EXPECT_FALSE(is_vocos({{"vocoder", "other"}}));
}

TEST(VocosOptions, ThatAreMissingOrForeignAreNamed) {
  const auto refused = [](const auto& change) {
    Json description = describe(some_options());
    change(description);
    return error_message([&] { read_vocos_options(description, "here"); });
  };
  EXPECT_THAT(refused([](Json& d) { d.erase("width"); }),
              AllOf(HasSubstr("here"), HasSubstr("'width'")));
  EXPECT_THAT(refused([](Json& d) { d["width"] = "wide"; }),
              HasSubstr("width: expected a whole number, found \"wide\""));
  EXPECT_THAT(refused([](Json& d) { d["width"] = 2.5; }), HasSubstr("found 2.5"));
  EXPECT_THAT(refused([](Json& d) { d["blocks"] = 0; }),
              AllOf(HasSubstr("here"), HasSubstr("blocks"), HasSubstr("found 0")));
  EXPECT_THAT(refused([](Json& d) { d["hidden"] = 1'000'000'000; }), HasSubstr("hidden"));
  EXPECT_EQ(refused([](Json& d) { d.erase("mel"); }),
            "here: vocoder: expected a value 'mel', found none");
  EXPECT_THAT(refused([](Json& d) { d["mel"].erase("n_fft"); }), HasSubstr("'n_fft'"));
  EXPECT_THAT(refused([](Json& d) { d["mel"]["n_fft"] = 7; }), HasSubstr("n_fft"));
  EXPECT_THAT(refused([](Json& d) { d = Json::array(); }), HasSubstr("an object"));
  EXPECT_THAT(error_message([] { read_vocos_metadata({{"vocoder", "vocos"}}); }),
              HasSubstr("'network'"));
  EXPECT_THAT(
      error_message([] { read_vocos_metadata({{"vocoder", "vocos"}, {"network", "no json"}}); }),
      HasSubstr("metadata of the vocoder"));
}

TEST(DiscriminatorOptions, ComeBackOrAreRefused) {
  const DiscriminatorOptions options = vocoder_size("small").discriminators;
  EXPECT_EQ(read_discriminator_options(describe(options), "here"), options);
  Json description = describe(options);
  description["periods"] = Json::array();
  EXPECT_THAT(error_message([&] { read_discriminator_options(description, "here"); }),
              HasSubstr("periods"));
  description = describe(options);
  description["spectrum_sizes"] = {1022};
  EXPECT_THAT(error_message([&] { read_discriminator_options(description, "here"); }),
              HasSubstr("1022"));
}

}  // namespace
}  // namespace seda::model
