// SPDX-License-Identifier: Apache-2.0
#include "seda/config/parse.h"

#include <stdexcept>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda::config {
namespace {

using testing::HasSubstr;

const Key& key(std::string_view path) {
  const Key* found = find_key(path);
  if (found == nullptr) throw std::runtime_error("no such key");
  return *found;
}

Value good(std::string_view path, std::string text, bool quoted = false) {
  const Parsed parsed = parse_scalar(key(path), Scalar(std::move(text), quoted));
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    ADD_FAILURE() << path << ": " << refusal->evidence << "; " << refusal->cure;
    return {};
  }
  return std::get<Value>(parsed);
}

Refusal bad(std::string_view path, const std::string& text, bool quoted = false) {
  const Parsed parsed = parse_scalar(key(path), Scalar(text, quoted));
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) return *refusal;
  ADD_FAILURE() << path << " accepted " << text;
  return {};
}

TEST(ParseScalar, BooleansInWordsOfAnyCase) {
  for (const char* word : {"true", "True", "TRUE", "yes", "On"})
    EXPECT_EQ(good("data.pin_memory", word), Value(true)) << word;
  for (const char* word : {"false", "False", "no", "OFF"})
    EXPECT_EQ(good("data.pin_memory", word), Value(false)) << word;
}

TEST(ParseScalar, OtherWordsForBooleansSayWhatToWrite) {
  for (const char* word : {"1", "0", "y", "n", "t", "enabled", ""}) {
    const Refusal refusal = bad("data.pin_memory", word);
    EXPECT_EQ(refusal.code, "wrong_type");
    EXPECT_THAT(refusal.evidence, HasSubstr("expected true or false, found")) << word;
  }
}

TEST(ParseScalar, QuotedNumbersAndBooleansAreText) {
  for (const char* path : {"data.batch_size", "training.lr", "data.pin_memory"}) {
    const Refusal refusal = bad(path, "1", true);
    EXPECT_THAT(refusal.evidence, HasSubstr("found the quoted text \"1\"")) << path;
    EXPECT_EQ(refusal.cure, "remove the quotes") << path;
  }
}

TEST(ParseScalar, QuotesDoNotMatterForText) {
  EXPECT_EQ(good("data.preprocessing_mode", "precompute", true), Value("precompute"));
  EXPECT_EQ(good("data.num_workers", "auto", true), Value());
  EXPECT_EQ(good("data.data_gpu", "1", true), Value("1"));
}

TEST(ParseScalar, ANumberKeyTakesAnInteger) {
  EXPECT_EQ(good("training.lr", "1"), Value(1.0));
  EXPECT_EQ(good("training.lr", "1e-4"), Value(1e-4));
}

TEST(ParseScalar, AnIntegerKeyTakesWholeNumbersOnly) {
  EXPECT_EQ(good("training.max_steps", "1e6"), Value(int64_t{1000000}));
  EXPECT_EQ(good("data.batch_size", "16.0"), Value(int64_t{16}));
  EXPECT_THAT(bad("data.batch_size", "16.5").cure, HasSubstr("fraction"));
  EXPECT_THAT(bad("data.batch_size", "010").cure, HasSubstr("leading zero: 10"));
  EXPECT_THAT(bad("data.batch_size", "many").evidence,
              HasSubstr("expected an integer from 1 to 4096 (clips), found many"));
}

TEST(ParseScalar, RangesNameValueRangeAndUnit) {
  const Refusal refusal = bad("data.num_workers", "300");
  EXPECT_EQ(refusal.code, "out_of_range");
  EXPECT_EQ(refusal.evidence, "expected an integer from 1 to 256 (threads), or auto, found 300");
  EXPECT_EQ(good("data.num_workers", "256"), Value(int64_t{256}));
  EXPECT_EQ(good("data.num_workers", "1"), Value(int64_t{1}));
  EXPECT_EQ(bad("data.num_workers", "0").code, "out_of_range");
  EXPECT_EQ(bad("data.batch_size", "-1").code, "out_of_range");
}

TEST(ParseScalar, ExcludedBoundsAreExcluded) {
  EXPECT_EQ(bad("training.lr", "0").evidence, "expected a number above 0 and at most 10, found 0");
  EXPECT_EQ(good("training.lr", "10"), Value(10.0));
  EXPECT_EQ(bad("training.beta1", "1").code, "out_of_range");
  EXPECT_EQ(good("training.beta1", "0"), Value(0.0));
}

TEST(ParseScalar, ChoicesNameTheNearest) {
  const Refusal refusal = bad("data.mel.preset", "hifgan");
  EXPECT_EQ(refusal.code, "not_a_choice");
  EXPECT_EQ(refusal.evidence, "expected one of hifigan, tacotron2, fullband, found hifgan");
  EXPECT_EQ(refusal.cure, "did you mean hifigan?");
  EXPECT_EQ(bad("data.mel.preset", "xylophone").cure, "");
}

TEST(ParseScalar, WordsForUnset) {
  EXPECT_EQ(good("data.num_workers", "auto"), Value());
  EXPECT_EQ(good("data.num_workers", "Auto"), Value());
  EXPECT_EQ(good("training.max_steps", "none"), Value());
  EXPECT_EQ(bad("training.max_steps", "auto").code, "wrong_type");
  EXPECT_EQ(bad("data.batch_size", "auto").code, "wrong_type");
}

TEST(ParseScalar, DevicesAreIndexOrCpu) {
  EXPECT_EQ(good("data.data_gpu", "0"), Value("0"));
  EXPECT_EQ(good("data.data_gpu", "CPU"), Value("cpu"));
  EXPECT_EQ(good("data.data_gpu", "cuda:1"), Value("1"));
  EXPECT_EQ(good("data.data_gpu", "auto"), Value());
  for (const char* word : {"-1", "01", "1.0", "gpu", "cuda:", "0x1", "1000", ""}) {
    EXPECT_THAT(bad("data.data_gpu", word).evidence, HasSubstr("the number of a GPU or cpu"))
        << word;
  }
}

TEST(ParseScalar, TextIsNeverTakenForABoolean) {
  EXPECT_EQ(good("data.text.language", "no"), Value("no")) << "Norwegian";
  EXPECT_EQ(bad("data.text.language", "").code, "no_value");
}

TEST(ParseScalar, AScalarIsNoList) {
  EXPECT_EQ(bad("debug.inject", "slow_clip").cure, "write [slow_clip]");
}

TEST(ParseList, ChecksEachElement) {
  const std::vector<Scalar> two = {Scalar("slow_clip"), Scalar("slow_decode")};
  EXPECT_EQ(std::get<Value>(parse_list(key("debug.inject"), two)),
            Value(std::vector<std::string>{"slow_clip", "slow_decode"}));
  const std::vector<Scalar> wrong = {Scalar("slow_clip"), Scalar("slow_decod")};
  EXPECT_EQ(std::get<Refusal>(parse_list(key("debug.inject"), wrong)).cure,
            "did you mean slow_decode?");
  EXPECT_EQ(std::get<Refusal>(parse_list(key("data.batch_size"), two)).evidence,
            "expected an integer from 1 to 4096 (clips), found a list");
}

TEST(ParseList, ChoicesMayHaveAStrengthWhereTheKeySaysSo) {
  const auto read = [](const char* word) {
    const std::vector<Scalar> one = {Scalar(word)};
    return parse_list(key("debug.inject"), one);
  };
  for (const char* word : {"slow_storage", "slow_storage=5", "bad_clips=0.02", "slow_clip=1e3"})
    EXPECT_EQ(std::get<Value>(read(word)), Value(std::vector<std::string>{word}));
  EXPECT_EQ(std::get<Refusal>(read("slow_clipp=5")).cure, "did you mean slow_clip?");
  for (const char* word : {"slow_clip=", "slow_clip=much", "slow_clip=5ms", "slow_clip==5"})
    EXPECT_EQ(std::get<Refusal>(read(word)).code, "wrong_type") << word;
  for (const char* word : {"slow_clip=0", "slow_clip=-1"})
    EXPECT_EQ(std::get<Refusal>(read(word)).code, "out_of_range") << word;
  EXPECT_THAT(std::get<Refusal>(read("launch_bound")).evidence,
              HasSubstr("slow_storage, uneven_storage, slow_decode, slow_text, slow_transfer, "
                        "host_sync, slow_clip, bad_clips, each "
                        "also with =NUMBER, found launch_bound"));
  EXPECT_FALSE(check_value(key("data.overlong"), Value("skip")));
  EXPECT_TRUE(check_value(key("data.overlong"), Value("skip=5"))) << "not of other keys";
}

TEST(ParseArgument, ListsAreSeparatedByCommas) {
  EXPECT_EQ(std::get<Value>(parse_argument(key("debug.inject"), "slow_clip,slow_decode")),
            Value(std::vector<std::string>{"slow_clip", "slow_decode"}));
  EXPECT_EQ(std::get<Value>(parse_argument(key("data.text.cleaners"), "auto")), Value());
}

TEST(ParseNothing, IsUnsetOrAnError) {
  EXPECT_EQ(std::get<Value>(parse_nothing(key("data.num_workers"))), Value());
  const auto refusal = std::get<Refusal>(parse_nothing(key("data.batch_size")));
  EXPECT_EQ(refusal.code, "no_value");
  EXPECT_THAT(refusal.cure, HasSubstr("the default, 16"));
}

TEST(CheckValue, RefusesAnotherType) {
  EXPECT_TRUE(check_value(key("data.batch_size"), Value("16")));
  EXPECT_TRUE(check_value(key("data.batch_size"), Value()));
  EXPECT_TRUE(check_value(key("training.lr"), Value(int64_t{1})));
  EXPECT_FALSE(check_value(key("data.batch_size"), Value(int64_t{16})));
}

}  // namespace
}  // namespace seda::config
