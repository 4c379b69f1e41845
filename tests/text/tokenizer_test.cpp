// SPDX-License-Identifier: Apache-2.0
#include "seda/text/tokenizer.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/utf8.h"
#include "seda/text/phonemizer.h"
#include "seda/text/pieces.h"
#include "seda/text/symbol_tables.h"
#include "tests/support/error_message.h"

namespace seda::text {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::error_message;

std::unique_ptr<Tokenizer> abc(bool blank) {
  return make_symbol_tokenizer(TokenizerKind::characters, {"a", "b", "پ"}, blank);
}

TEST(Tokenizer, NumbersSymbolsInTheTablesOrder) {
  EXPECT_THAT(abc(false)->encode("abپa").tokens, ElementsAre(3, 4, 5, 3));
  EXPECT_THAT(abc(false)->encode("").tokens, IsEmpty());
}

TEST(Tokenizer, BlanksStandBetweenBeforeAndAfter) {
  EXPECT_THAT(abc(true)->encode("ab").tokens, ElementsAre(2, 3, 2, 4, 2));
  EXPECT_THAT(abc(true)->encode("").tokens, ElementsAre(2));
}

TEST(Tokenizer, UnknownSymbolsAreKeptCountedAndShown) {
  const Encoded encoded = abc(false)->encode("aچb?\xff");
  EXPECT_THAT(encoded.tokens, ElementsAre(3, 1, 4, 1, 1));
  EXPECT_THAT(encoded.unknown, ElementsAre("چ", "?", "\xff"));
}

TEST(Tokenizer, ArtefactMakesTheSameTableAgain) {
  const auto table = abc(true);
  const auto again = read_tokenizer(parse_json(to_json_text(table->artefact()), "t"), "t");
  EXPECT_EQ(again->hash(), table->hash());
  EXPECT_EQ(again->symbols(), table->symbols());
  EXPECT_EQ(again->encode("ab پ?"), table->encode("ab پ?"));
}

TEST(Tokenizer, HashTellsTablesApart) {
  std::set<std::string> hashes;
  hashes.insert(abc(true)->hash().hex());
  hashes.insert(abc(false)->hash().hex());
  hashes.insert(
      make_symbol_tokenizer(TokenizerKind::phonemes, {"a", "b", "پ"}, true)->hash().hex());
  hashes.insert(
      make_symbol_tokenizer(TokenizerKind::characters, {"b", "a", "پ"}, true)->hash().hex());
  hashes.insert(make_symbol_tokenizer(TokenizerKind::characters, {"a", "b"}, true)->hash().hex());
  EXPECT_EQ(hashes.size(), 5u);
}

TEST(Tokenizer, DamagedArtefactsAreRefused) {
  Json changed = abc(true)->artefact();
  changed["symbols"][4] = "z";
  EXPECT_THAT(error_message([&] { read_tokenizer(changed, "file.json"); }),
              HasSubstr("file.json: tokenizer damaged"));
  Json missing = abc(true)->artefact();
  missing.erase("symbols");
  EXPECT_THAT(error_message([&] { read_tokenizer(missing, "file.json"); }), HasSubstr("'symbols'"));
  Json newer = abc(true)->artefact();
  newer["version"] = 99;
  EXPECT_THAT(error_message([&] { read_tokenizer(newer, "file.json"); }), HasSubstr("newer seda"));
  newer["version"] = 7.7e26;
  EXPECT_THAT(error_message([&] { read_tokenizer(newer, "file.json"); }),
              HasSubstr("tokenizer: version: expected a whole number, found 7.7e+26"));
  Json twice = abc(true)->artefact();
  twice["symbols"][4] = "a";
  EXPECT_THAT(error_message([&] { read_tokenizer(twice, "file.json"); }),
              HasSubstr("no other row"));
  EXPECT_THAT(error_message([] { read_tokenizer(Json(3), "file.json"); }), HasSubstr("file.json"));
}

TEST(Symbols, HaveNoDuplicatesAndAreSingleCharacters) {
  for (const auto& table : {phoneme_symbols(), character_symbols({"ka", "el", "xx"})}) {
    EXPECT_EQ(std::set<std::string>(table.begin(), table.end()).size(), table.size());
    for (const std::string& symbol : table)
      EXPECT_EQ(count_utf8(symbol), 1u) << symbol;
  }
}

TEST(Symbols, AlphabetsOfOtherLanguagesAreAdded) {
  const auto known = [](const std::string& language, const std::string& text) {
    return make_symbol_tokenizer(TokenizerKind::characters, character_symbols({language}), false)
        ->encode(text)
        .unknown;
  };
  EXPECT_THAT(known("ka", "დღეს კარგი ამინდია."), IsEmpty());
  EXPECT_THAT(known("ru", "Съешь ещё этих мягких французских булок"), IsEmpty());
  EXPECT_THAT(known("en", "Съ"), ElementsAre("С", "ъ"));
  EXPECT_THAT(
      known(
          "fa",
          "می‌خواهم کتاب‌هایِ تو را بخوانم؛ آیا می‌شود؟"),
      IsEmpty());
}

TEST(Symbols, CoverWhatEspeakWritesInManyLanguages) {
  const std::pair<const char*, const char*> lines[] = {
      {"en", "Curiosity killed the little cat; thoroughly, though not at three."},
      {"fa", "قرآن، ژاله، چگونه، خیلی، غذا، پرتقال و گلابی را دوست دارند."},
      {"de", "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich."},
      {"fr", "Portez ce vieux whisky au juge blond qui fume, un bon vin."},
      {"es", "El veloz murciélago hindú comía feliz cardillo y kiwi."},
      {"ru", "Съешь же ещё этих мягких французских булок да выпей чаю."},
      {"ar", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر."},
      {"tr", "Pijamalı hasta yağız şoföre çabucak güvendi."},
      {"hi", "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश हुआ।"},
      {"zh", "今天的天气非常好"},
      {"sv", "Flygande bäckasiner söka hwila på mjuka tuvor."},
      {"pt", "Um pequeno jabuti xereta viu dez cegonhas felizes."},
      {"it", "Pranzo d'acqua fa volti sghembi."},
      {"ko", "오늘은 날씨가 아주 좋습니다"}};
  const Phonemizer phonemizer;
  const auto tokenizer = make_symbol_tokenizer(TokenizerKind::phonemes, phoneme_symbols(), true);
  for (const auto& [language, line] : lines) {
    const std::string phonemes = phonemizer.apply(line, language);
    EXPECT_THAT(tokenizer->encode(phonemes).unknown, IsEmpty()) << language << ": " << phonemes;
  }
}

std::vector<std::string_view> training_lines() {
  static const auto lines = [] {
    std::vector<std::string> out;
    const char* const words[] = {"speech", "train", "voice",  "reading", "listen", "small",
                                 "large",  "sound", "letter", "word",    "model",  "paper"};
    for (int i = 0; i < 400; ++i) {
      std::string line;
      for (int j = 0; j < 6; ++j)
        line += std::string(words[(i * 7 + j * j * 5 + i / 3) % 12]) + (j < 5 ? " " : "");
      out.push_back(line);
    }
    return out;
  }();
  return {lines.begin(), lines.end()};
}

TEST(PieceTokenizer, LearnsTheSameModelTwiceAndEncodesWithIt) {
  const std::string model = piece_library().train(training_lines(), 60);
  EXPECT_EQ(piece_library().train(training_lines(), 60), model);
  const auto tokenizer = make_piece_tokenizer(model, false, "test");
  const Encoded encoded = tokenizer->encode("small voice");
  EXPECT_THAT(encoded.unknown, IsEmpty());
  EXPECT_LT(encoded.tokens.size(), 11u) << "pieces are longer than letters";
  std::string joined;
  for (const int32_t token : encoded.tokens)
    joined += tokenizer->symbols().at(static_cast<size_t>(token));
  EXPECT_EQ(joined, "small▁voice");
  EXPECT_THAT(tokenizer->encode("چ").tokens, ElementsAre(kUnknownToken));
  EXPECT_THAT(tokenizer->encode("چ").unknown, ElementsAre("چ"));
}

TEST(PieceTokenizer, ArtefactHoldsTheModel) {
  const auto tokenizer =
      make_piece_tokenizer(piece_library().train(training_lines(), 60), true, "t");
  const auto again = read_tokenizer(tokenizer->artefact(), "t");
  EXPECT_EQ(again->hash(), tokenizer->hash());
  EXPECT_EQ(again->encode("listen to the voice"), tokenizer->encode("listen to the voice"));
}

TEST(PieceTokenizer, BytesThatAreNoModelAreRefused) {
  EXPECT_THAT(error_message([] { make_piece_tokenizer("not a model", true, "x.model"); }),
              HasSubstr("x.model: expected a SentencePiece model"));
}

TEST(PieceTokenizer, TooLittleTextIsRefused) {
  EXPECT_THAT(error_message([] { piece_library().train({}, 60); }),
              HasSubstr("cannot learn 60 pieces from 0 lines"));
}

}  // namespace
}  // namespace seda::text
