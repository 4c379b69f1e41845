// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/transcripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::corpus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::error_message;
using testing_support::TemporaryFolder;

std::vector<std::string> faults(const Transcripts& transcripts) {
  std::vector<std::string> list;
  for (const Fault& fault : transcripts.faults)
    list.push_back(fault.id + " " + fault.code);
  return list;
}

TEST(Transcripts, RowsHaveTheirIds) {
  const auto read = parse_transcripts("\xef\xbb\xbfLJ1|One.\r\n\r\nLJ2|2|Two.\r\n", "t.csv");
  EXPECT_THAT(read.lines,
              ElementsAre(Line{"LJ1", "One.", "t.csv:1"}, Line{"LJ2", "Two.", "t.csv:3"}));
  EXPECT_THAT(read.faults, IsEmpty());
}

TEST(Transcripts, FilesUnderAHeaderGiveTheirNames) {
  EXPECT_THAT(parse_transcripts("path|text\nwavs/a.wav|One.\n", "t").lines,
              ElementsAre(Line{"a", "One.", "t:2"}));
}

TEST(Transcripts, ExtensionOfASoundFileIsNoPartOfAnId) {
  const auto read =
      parse_transcripts("a.wav|One.\nb.FLAC|Two.\nc.1|Three.\nd.mp3.wav|Four.\n", "t");
  EXPECT_THAT(read.lines, ElementsAre(Line{"a", "One.", "t:1"}, Line{"b", "Two.", "t:2"},
                                      Line{"c.1", "Three.", "t:3"}, Line{"d", "Four.", "t:4"}));
  EXPECT_THAT(faults(parse_transcripts("a|One.\na.wav|Two.\n.wav|Three.\n", "t")),
              ElementsAre("a id_unusable", ".wav id_unusable"));
}

TEST(Transcripts, PlainLinesAreNamedByTheirNumber) {
  const auto read = parse_transcripts("One.\n\n  Two, \"three\". \n", "t.txt");
  EXPECT_THAT(read.lines, ElementsAre(Line{"clip-000001", "One.", "t.txt:1"},
                                      Line{"clip-000003", "Two, \"three\".", "t.txt:3"}));
  EXPECT_THAT(parse_transcripts("One.\rTwo.", "t").lines,
              ElementsAre(Line{"clip-000001", "One.", "t:1"}, Line{"clip-000002", "Two.", "t:2"}));
}

TEST(Transcripts, BadLinesAreFaultsWithTheirPlace) {
  const auto rows = parse_transcripts("a|x\nno columns\n../b|y\n.c|z\na|again\nd|\ne|\xff\n", "t");
  EXPECT_THAT(rows.lines, ElementsAre(Line{"a", "x", "t:1"}));
  EXPECT_THAT(faults(rows), ElementsAre("t:2 columns_too_few", "d text_empty", "t:7 text_not_utf8",
                                        "../b id_unusable", ".c id_unusable", "a id_unusable"));
  EXPECT_THAT(rows.faults.back().evidence, HasSubstr("t:5: expected a new id"));
  const auto plain = parse_transcripts("One.\nTwo | three\n", "t");
  EXPECT_THAT(faults(plain), ElementsAre("t:2 text_has_delimiter"));
  EXPECT_THAT(faults(parse_transcripts("a\tx | y\n", "t")), ElementsAre("t:1 text_has_delimiter"));
}

TEST(Transcripts, NothingToSayIsAnError) {
  const TemporaryFolder folder;
  folder.write("empty.txt", " \n\n");
  folder.write("bad.csv", "a|\n");
  EXPECT_THAT(error_message([&] { read_transcripts(folder / "empty.txt"); }),
              HasSubstr("found nothing"));
  EXPECT_THAT(error_message([&] { read_transcripts(folder / "bad.csv"); }),
              HasSubstr("bad.csv:1: expected text"));
  EXPECT_THAT(error_message([&] { read_transcripts(folder / "absent.csv"); }),
              HasSubstr("absent.csv"));
}

}  // namespace
}  // namespace seda::corpus
