// SPDX-License-Identifier: Apache-2.0
// Files that lie: each is refused with an Error(io) that says in what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/train/detail/safetensors_content.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/tensors.h"

namespace seda::train {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::bytes_of;
using testing_support::eight_bytes;
using testing_support::file_of;

/// What reading the file says, or "accepted".
std::string answer_to(const std::string& file) {
  try {
    detail::read_content(bytes_of(file), "w.st");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), StartsWith("w.st: "));
    return error.what();
  }
  return "accepted";
}

/// A file of one tensor `a` of eight bytes, with that inside its braces.
std::string answer_to_tensor(std::string_view fields) {
  return answer_to(file_of("{\"a\":{" + std::string(fields) + "}}", "12345678"));
}

/// A header of F32 tensors [1], named by letters, at those first bytes.
std::string tensors_at(std::initializer_list<int> begins) {
  std::string header = "{";
  char name = 'a';
  for (const int begin : begins) {
    header += header.size() > 1 ? "," : "";
    header += std::string("\"") + name++ + R"(":{"dtype":"F32","shape":[1],"data_offsets":[)" +
              std::to_string(begin) + "," + std::to_string(begin + 4) + "]}";
  }
  return header + "}";
}

TEST(HostileSafetensors, ReferenceIsAccepted) {
  EXPECT_EQ(answer_to_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), "accepted");
  EXPECT_EQ(answer_to_tensor(R"( "shape" : [1,2], "data_offsets":[0,8],"dtype":"F32" )"),
            "accepted");
  EXPECT_EQ(answer_to(file_of(tensors_at({4, 0, 8}), std::string(12, 'x'))), "accepted");
  EXPECT_EQ(answer_to(file_of("{}")), "accepted");
}

TEST(HostileSafetensors, LengthThatIsCutIsRefused) {
  EXPECT_THAT(answer_to(""), HasSubstr("length: expected 8 bytes, found 0"));
  EXPECT_THAT(answer_to("1234567"), HasSubstr("found 7"));
}

TEST(HostileSafetensors, HeaderLongerThanTheFileIsRefused) {
  EXPECT_THAT(answer_to(eight_bytes(3) + "{}"), HasSubstr("header: expected at most 2 bytes"));
  EXPECT_THAT(answer_to(eight_bytes(~uint64_t{0}) + "{}"), HasSubstr("at most 2 bytes"));
  EXPECT_THAT(answer_to(eight_bytes(uint64_t{1} << 63) + "{}"), HasSubstr("at most 2 bytes"));
}

TEST(HostileSafetensors, HeaderOverTheLimitIsRefused) {
  const std::string header = "{}" + std::string(100'000'000 - 1, ' ');
  EXPECT_THAT(answer_to(file_of(header)), HasSubstr("at most 100000000 bytes, found 100000001"));
}

TEST(HostileSafetensors, HeaderThatIsNoObjectIsRefused) {
  for (const char* header : {"", "[]", "null", " {}", "\xef\xbb\xbf{}"})
    EXPECT_THAT(answer_to(file_of(header)), HasSubstr("expected a JSON object")) << header;
}

TEST(HostileSafetensors, HeaderThatIsNotJsonIsRefused) {
  for (const char* header : {"{", "{}}", "{} x", "{\"a\"}", "{\"\\ud800\":1}", "{,}"})
    EXPECT_THAT(answer_to(file_of(header)), HasSubstr("expected JSON in UTF-8")) << header;
  EXPECT_THAT(answer_to(file_of(std::string("{}\0\0", 4))), HasSubstr("expected JSON in UTF-8"));
}

TEST(HostileSafetensors, NamesThatAreNotUtf8AreRefused) {
  for (const char* name : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82"})
    EXPECT_THAT(answer_to(file_of(std::string("{\"") + name + "\":{}}")),
                HasSubstr("expected JSON in UTF-8"));
}

TEST(HostileSafetensors, NameThatComesTwiceIsRefused) {
  const std::string tensor = R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_THAT(answer_to(file_of("{" + tensor + "," + tensor + "}")), HasSubstr("'a' twice"));
  EXPECT_THAT(answer_to(file_of(R"({"__metadata__":{"k":"1","\u006b":"2"}})")),
              HasSubstr("'k' twice"));
  EXPECT_THAT(answer_to_tensor(R"("dtype":"U8","dtype":"F32","shape":[2],"data_offsets":[0,8])"),
              HasSubstr("'dtype' twice"));
}

TEST(HostileSafetensors, DeepNestingIsRefused) {
  const std::string deep(100'000, '[');
  EXPECT_THAT(answer_to(file_of("{\"a\":{\"shape\":" + deep)), HasSubstr("another list"));
  EXPECT_THAT(answer_to(file_of(R"({"a":{"b":{"c":{}}}})")), HasSubstr("them deeper"));
}

TEST(HostileSafetensors, FieldsThatAreMissingOrManyAreRefused) {
  for (const char* fields :
       {"", R"("dtype":"F32","shape":[2])", R"("dtype":"F32","shape":[2],"offsets":[0,8])",
        R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1)"})
    EXPECT_THAT(answer_to_tensor(fields),
                AllOf(HasSubstr("tensor 'a'"), HasSubstr("dtype, shape and data_offsets")));
  EXPECT_THAT(answer_to(file_of(R"({"a":1})")), HasSubstr("dtype, shape and data_offsets"));
}

TEST(HostileSafetensors, UnknownTypesAreRefused) {
  EXPECT_THAT(answer_to_tensor(R"("dtype":"F31","shape":[2],"data_offsets":[0,8])"),
              HasSubstr("found 'F31'"));
  EXPECT_THAT(answer_to_tensor(R"("dtype":32,"shape":[2],"data_offsets":[0,8])"),
              HasSubstr("a dtype in quotes, found number"));
}

TEST(HostileSafetensors, LengthsThatAreNoCountsAreRefused) {
  for (const char* length :
       {"-2", "2.0", "\"2\"", "null", "9223372036854775808", "1e400", "true", "-0"}) {
    const std::string list = std::string("[") + length + "]";
    EXPECT_NE(answer_to_tensor("\"dtype\":\"F32\",\"shape\":" + list + R"(,"data_offsets":[0,8])"),
              "accepted")
        << length;
    EXPECT_NE(answer_to_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,)" +
                               std::string(length) + "]"),
              "accepted")
        << length;
  }
}

TEST(HostileSafetensors, OffsetsThatAreNotTwoAreRefused) {
  for (const char* offsets : {"[]", "[0]", "[0,8,8]", "8", "{}"})
    EXPECT_NE(answer_to_tensor("\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" +
                               std::string(offsets)),
              "accepted")
        << offsets;
}

TEST(HostileSafetensors, ProductThatOverflowsIsRefused) {
  EXPECT_THAT(answer_to_tensor(R"("dtype":"F32","shape":[4294967296,4294967296,2],)"
                               R"("data_offsets":[0,8])"),
              HasSubstr("64 bits can count"));
  // Four bytes for each of 2^62 + 2 elements are eight, modulo 2^64.
  EXPECT_THAT(
      answer_to_tensor(R"("dtype":"F32","shape":[4611686018427387906],"data_offsets":[0,8])"),
      HasSubstr("64 bits can count"));
}

TEST(HostileSafetensors, RangeThatDoesNotFitTheShapeIsRefused) {
  EXPECT_THAT(answer_to_tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,8])"),
              HasSubstr("tensor 'a': expected 4 bytes, found F32 [1] from 0 to 8"));
  EXPECT_THAT(answer_to_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"),
              HasSubstr("from 8 to 0"));
}

TEST(HostileSafetensors, OverlapsAreRefused) {
  EXPECT_THAT(answer_to(file_of(tensors_at({0, 0}), "1234")),
              HasSubstr("tensor 'b': expected its first byte at 4"));
  EXPECT_THAT(answer_to(file_of(tensors_at({0, 2}), "123456")), HasSubstr("found it at 2"));
}

TEST(HostileSafetensors, GapsAreRefused) {
  EXPECT_THAT(answer_to(file_of(tensors_at({4}), "12345678")),
              HasSubstr("tensor 'a': expected its first byte at 0"));
  EXPECT_THAT(answer_to(file_of(tensors_at({0, 6}), std::string(10, 'x'))),
              HasSubstr("tensor 'b': expected its first byte at 4"));
}

TEST(HostileSafetensors, ElementsOutsideTheFileAreRefused) {
  EXPECT_THAT(answer_to(file_of(tensors_at({0, 4}), "1234567")),
              HasSubstr("tensor 'b': expected its end within 7, found it at 8"));
}

TEST(HostileSafetensors, TrailingBytesAreRefused) {
  EXPECT_THAT(answer_to(file_of(tensors_at({0}), "12345")),
              HasSubstr("end: expected 4 bytes after the header, found 5"));
  EXPECT_THAT(answer_to(file_of("{}", "x")), HasSubstr("expected 0 bytes"));
}

TEST(HostileSafetensors, MetadataOfOtherThanStringsIsRefused) {
  for (const char* metadata : {"1", "null", "[]", R"({"a":1})", R"({"a":["b"]})"})
    EXPECT_NE(answer_to(file_of(std::string(R"({"__metadata__":)") + metadata + "}")), "accepted")
        << metadata;
}

TEST(HostileSafetensors, EveryPrefixIsRefused) {
  const std::string whole = file_of(tensors_at({0, 4}), "12345678");
  ASSERT_EQ(answer_to(whole), "accepted");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(answer_to(whole.substr(0, size)), "accepted") << size;
}

TEST(HostileSafetensors, MissingFileIsNamed) {
  const seda::testing_support::TemporaryFolder folder;
  try {
    const SafetensorsFile file(folder / "none.safetensors");
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("none.safetensors"));
  }
}

}  // namespace
}  // namespace seda::train
