// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/metadata.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::dataset {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing_support::error_message;

/// "id or path: text" of each record.
std::vector<std::string> said(const Metadata& metadata) {
  std::vector<std::string> list;
  for (const Record& record : metadata.records) {
    const auto& id = record.utterance.id.empty() ? record.path : record.utterance.id;
    list.push_back(id + ": " + record.utterance.text);
  }
  return list;
}

Metadata read(std::string_view bytes, Format format = Format::ljspeech) {
  return parse_metadata(bytes, format, "m.csv");
}

std::string code(std::string_view bytes, Format format = Format::ljspeech) {
  const auto metadata = read(bytes, format);
  return metadata.faults.size() == 1 ? metadata.faults[0].fault.code : "not one fault";
}

TEST(Metadata, ThirdColumnWinsUnlessEmpty) {
  EXPECT_THAT(said(read("a|Dr. X|Doctor X\nb|two|\nc|three\n")),
              ElementsAre("a: Doctor X", "b: two", "c: three"));
}

TEST(Metadata, FourthColumnIsTheSpeaker) {
  EXPECT_EQ(read("a|x|y|anna\n").records[0].utterance.speaker, "anna");
}

TEST(Metadata, LinesAreCountedFromOne) {
  const auto metadata = read("\n\na|x\n\nb|y");
  EXPECT_EQ(metadata.records[0].utterance.line, 3u);
  EXPECT_EQ(metadata.records[1].utterance.line, 5u);
  EXPECT_EQ(metadata.records[1].utterance.source, "m.csv");
  EXPECT_EQ(metadata.blank_lines, 3u);
}

TEST(Metadata, BomAndLineEndsAreNoText) {
  const auto want = ElementsAre("a: x", "b: y");
  EXPECT_THAT(said(read("\xef\xbb\xbf"
                        "a|x\nb|y\n")),
              want);
  EXPECT_THAT(said(read("a|x\r\nb|y\r\n")), want);
  EXPECT_THAT(said(read("a|x\rb|y\r")), want);
  EXPECT_THAT(said(read("a|x\rb|y")), want);
}

TEST(Metadata, LoneCarriageReturnBesideLineFeedsIsASpace) {
  EXPECT_THAT(said(read("a|x\ry\nb|z\n")), ElementsAre("a: x y", "b: z"));
}

TEST(Metadata, QuotesAreLetters) {
  EXPECT_THAT(said(read("a|\"Stop,\" he said\nb|\"All\"\nc|it's 5\"\n")),
              ElementsAre("a: \"Stop,\" he said", "b: \"All\"", "c: it's 5\""));
  EXPECT_THAT(said(read("path\tsentence\nx.mp3\t\"\"\"hm\"\"\"\n", Format::common_voice)),
              ElementsAre("x.mp3: \"\"\"hm\"\"\""));
}

TEST(Metadata, ADelimiterWithinQuotesIsAFault) {
  const auto codes = [](const std::string& bytes, Format format = Format::ljspeech) {
    std::vector<std::string> list;
    for (const BadLine& bad : read(bytes, format).faults)
      list.push_back(bad.fault.code + " " + std::to_string(bad.line));
    return list;
  };
  EXPECT_THAT(codes("a|fine\nb|\"quoted | text\"\nc|\"x|\"\n"),
              ElementsAre("text_has_delimiter 2", "text_has_delimiter 3"));
  EXPECT_THAT(codes("path|text|speaker\na.wav|\"x | y\"|bob\n", Format::table),
              ElementsAre("text_has_delimiter 2"));
  // Speech that is open at one end, in both columns of LJSpeech.
  EXPECT_THAT(codes("a|\"He said, \"No.|\"He said, \"No.\nb|\"I\" \"am\"\"|\"I\" \"am\"\"\n"
                    "c|Then go.\"|Then go.\"\n"),
              IsEmpty());
}

TEST(Metadata, DoubledQuotesUnderAHeaderAreAWritersQuoting) {
  const std::string header = "audio_file|text|speaker_name\n";
  EXPECT_THAT(said(read(header + "a.wav|\"He said \"\"no\"\".\"|x\n", Format::split)),
              ElementsAre("a.wav: He said \"no\"."));
  EXPECT_THAT(said(read(header + "a.wav|\"All of it\"|x\nb.wav|\"a\"b\"|y\n", Format::split)),
              ElementsAre("a.wav: \"All of it\"", "b.wav: \"a\"b\""));
}

TEST(Metadata, QuotesAroundTheHeaderAreAroundEveryField) {
  const auto metadata =
      read("\"id\"|\"text\"\n\"a\"|\"Stop, he said.\"\nb|\"Say \"\"no\"\".\"\nc|\"I\" \"am\"\n");
  EXPECT_THAT(said(metadata),
              ElementsAre("a: Stop, he said.", "b: Say \"no\".", "c: \"I\" \"am\""));
  EXPECT_THAT(metadata.faults, IsEmpty());
}

TEST(Metadata, HeaderNamesTheColumnsInAnyOrder) {
  const auto metadata =
      read("Speaker|TEXT|file_name|lang|duration\ns|t|a b.wav|fa|1.5\n", Format::table);
  ASSERT_THAT(metadata.records, SizeIs(1));
  const Record& record = metadata.records[0];
  EXPECT_EQ(record.path, "a b.wav");
  EXPECT_EQ(record.utterance.text, "t");
  EXPECT_EQ(record.utterance.speaker, "s");
  EXPECT_EQ(record.utterance.language, "fa");
  EXPECT_EQ(record.utterance.duration_s, 1.5);
}

TEST(Metadata, TableTakesTabs) {
  EXPECT_THAT(said(read("a.wav\tone | two\nb.wav\tthree\n", Format::table)),
              ElementsAre("a.wav: one | two", "b.wav: three"));
  EXPECT_THAT(said(read("a.wav\tone\tx\tde\nb.wav\ttwo\n", Format::table)),
              ElementsAre("a.wav: one", "b.wav: two"));
}

TEST(Metadata, CommonVoiceColumns) {
  const auto metadata =
      read("client_id\tpath\tsentence\tup_votes\tlocale\nab12\tc.mp3\tGrüß Gott|\t2\tde\n",
           Format::common_voice);
  ASSERT_THAT(metadata.records, SizeIs(1));
  EXPECT_EQ(metadata.records[0].utterance.speaker, "ab12");
  EXPECT_EQ(metadata.records[0].utterance.language, "de");
  EXPECT_EQ(metadata.records[0].utterance.text, "Grüß Gott|");
}

TEST(Metadata, CommonVoiceWithoutHeaderIsAnError) {
  EXPECT_THAT(error_message([] { read("a\tb\n", Format::common_voice); }),
              HasSubstr("expected a first line with the columns path and sentence"));
}

TEST(Metadata, JsonLines) {
  const auto metadata = read(
      R"({"audio_filepath": "a.wav", "text": "x", "duration": 2.5, "speaker": 7, "lang": "fa"})"
      "\n\n"
      R"({"audio_filepath": "b.wav", "text": "5", "normalized_text": "five\nsix"})",
      Format::json_lines);
  EXPECT_THAT(said(metadata), ElementsAre("a.wav: x", "b.wav: five six"));
  EXPECT_EQ(metadata.records[0].utterance.duration_s, 2.5);
  EXPECT_EQ(metadata.records[0].utterance.speaker, "7");
  EXPECT_EQ(metadata.records[0].utterance.language, "fa");
}

TEST(Metadata, BadJsonLinesAreFaults) {
  const auto json = Format::json_lines;
  EXPECT_EQ(code("{\"audio_filepath\": \"a.wav\", ", json), "line_not_json");
  EXPECT_EQ(code("7", json), "line_not_json");
  EXPECT_EQ(code(R"({"text": "x"})", json), "field_missing");
  EXPECT_EQ(code(R"({"audio_filepath": "a.wav"})", json), "text_empty");
  EXPECT_EQ(code(R"({"audio_filepath": 1.5, "text": "x"})", json), "field_wrong_type");
  EXPECT_EQ(code(R"({"audio_filepath": "a", "text": "x", "duration": "2"})", json),
            "field_wrong_type");
  EXPECT_EQ(code(R"({"audio_filepath": "a", "text": "x", "duration": -2})", json),
            "field_wrong_type");
  EXPECT_EQ(code(R"({"audio_filepath": "a\u0000b", "text": "x"})", json), "text_has_nul");
  EXPECT_EQ(code(R"({"audio_filepath": "a", "text": "x", "duration": 1e999})", json),
            "line_not_json");
}

TEST(Metadata, PiecesOfAFileAreFaults) {
  const auto metadata =
      read(R"({"audio_filepath": "a.wav", "text": "one", "offset": 0.0, "duration": 2})"
           "\n"
           R"({"audio_filepath": "b.wav", "text": "two", "offset": 2.5, "duration": 3})",
           Format::json_lines);
  EXPECT_THAT(said(metadata), ElementsAre("a.wav: one"));
  ASSERT_THAT(metadata.faults, SizeIs(1));
  EXPECT_EQ(metadata.faults[0].fault.code, "audio_piece");
  EXPECT_THAT(metadata.faults[0].fault.evidence,
              HasSubstr("m.csv:2: expected a whole file, found a piece of b.wav"));
}

TEST(Metadata, DeepJsonIsNoCrash) {
  const std::string opened(400'000, '[');
  const std::string closed(400'000, ']');
  EXPECT_EQ(code("{\"a\":" + opened + "}", Format::json_lines), "line_not_json");
  EXPECT_EQ(code("{\"duration\":" + opened + closed + "}", Format::json_lines), "line_not_json");
  const std::string line = "{\"a\":" + std::string(70, '[') + std::string(70, ']') + "}";
  EXPECT_THAT(read(line, Format::json_lines).faults.at(0).fault.evidence,
              HasSubstr("at most 64 levels of brackets, found 71"));
}

TEST(Metadata, JsonArrayIsAnErrorWithTheCure) {
  EXPECT_THAT(error_message([] { read("[\n{}\n]", Format::json_lines); }), HasSubstr("jq -c"));
}

TEST(Metadata, Utf16IsAnErrorWithTheCure) {
  using namespace std::string_view_literals;
  for (const auto bytes : {"\xff\xfe"
                           "a\0|\0"sv,
                           "\xfe\xff\0a\0|"sv, "a\0|\0b\0"sv, "\0a\0|"sv}) {
    EXPECT_THAT(error_message([&] { read(bytes); }), HasSubstr("iconv -f UTF-16"));
  }
}

TEST(Metadata, BadLinesAreFaultsWithTheirPlace) {
  using namespace std::string_view_literals;
  EXPECT_EQ(code("a|x\nonly one column\n"), "columns_too_few");
  EXPECT_EQ(code("a|x\nb|1|2|3|4\n"), "columns_too_many");
  EXPECT_EQ(code("a|x\nb|\n"), "text_empty");
  EXPECT_EQ(code("a|x\nb| \t | \n"), "text_empty");
  EXPECT_EQ(code("a|x\n|y\n"), "id_empty");
  EXPECT_EQ(code("a|x\nb|y\0z\n"sv), "text_has_nul");
  EXPECT_EQ(code("a|x\nb|y\xffz\n"), "text_not_utf8");
  EXPECT_EQ(code("a|x\nb|" + std::string(kLongestLine, 'x')), "line_too_long");
}

TEST(Metadata, EvidenceSaysWhatWasExpectedAndFound) {
  const auto columns = read("a|x\n\nno columns here\n").faults[0].fault;
  EXPECT_EQ(columns.id, "m.csv:3");
  EXPECT_EQ(columns.evidence,
            "m.csv:3: expected 2 to 4 columns between '|' (id|text|normalised|speaker), found 1: "
            "'no columns here'");
  EXPECT_EQ(read("a|x\nb|y\xffz\n").faults[0].fault.evidence,
            "m.csv:2: expected UTF-8, found 0xff at byte 4");
  EXPECT_EQ(read("a|x\nb|\n").faults[0].fault.id, "b");
}

TEST(Metadata, CommentsHaveNoColumns) {
  const auto metadata = read("# made by hand\na|x\n#b|y\n");
  EXPECT_THAT(said(metadata), ElementsAre("a: x", "#b: y"));
  EXPECT_EQ(metadata.blank_lines, 1u);
}

TEST(Metadata, NothingIsNothing) {
  EXPECT_THAT(read("").records, IsEmpty());
  EXPECT_EQ(read("\n \n\t").blank_lines, 3u);
  EXPECT_THAT(read("", Format::common_voice).faults, IsEmpty());
}

TEST(Metadata, ThreadsDoNotChangeTheResult) {
  std::string bytes;
  for (int i = 0; i < 30000; ++i) {
    bytes += i % 100 == 3 ? "bad line\n" : i % 50 == 7 ? "\n" : fmt::format("c{}|text {}\n", i, i);
  }
  const auto one = parse_metadata(bytes, Format::ljspeech, "m.csv", 1);
  const auto many = parse_metadata(bytes, Format::ljspeech, "m.csv", 5);
  EXPECT_EQ(said(one), said(many));
  ASSERT_EQ(one.faults.size(), many.faults.size());
  for (size_t i = 0; i < one.faults.size(); ++i)
    EXPECT_EQ(one.faults[i].fault, many.faults[i].fault);
  EXPECT_EQ(one.blank_lines, many.blank_lines);
}

}  // namespace
}  // namespace seda::dataset
