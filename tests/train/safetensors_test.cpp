// SPDX-License-Identifier: Apache-2.0
#include "seda/train/safetensors.h"

#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/support/size_limit.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/tensors.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::read_file;
using seda::testing_support::SizeLimit;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::bytes_of;
using testing_support::eight_bytes;
using testing_support::file_of;
using testing_support::text_of;

class Safetensors : public testing::Test {
 protected:
  void write(std::span<const TensorView> tensors, const TensorMetadata& metadata = {}) const {
    write_safetensors(path, tensors, metadata);
  }

  std::string failure_of(const TensorView& tensor) const {
    return error_message([&] { write(std::span(&tensor, 1)); });
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "weights.safetensors";
};

TEST_F(Safetensors, EveryTypeComesBack) {
  std::string elements(48, '\0');
  std::iota(elements.begin(), elements.end(), '\1');
  std::vector<TensorView> tensors;
  for (size_t i = 0; i < kTensorTypes; ++i) {
    const auto type = static_cast<TensorType>(i);
    tensors.push_back({std::string("of ") + std::string(name_of(type)),
                       type,
                       {2, 3},
                       bytes_of(elements).first(6 * size_of(type))});
  }
  write(tensors);
  const SafetensorsFile file(path);
  ASSERT_EQ(file.tensors().size(), tensors.size());
  for (const TensorView& tensor : tensors) {
    const TensorView& found = file.get(tensor.name, tensor.type, tensor.shape);
    EXPECT_EQ(text_of(found.bytes), text_of(tensor.bytes)) << tensor.name;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(found.bytes.data()) % size_of(tensor.type), 0u);
  }
}

TEST_F(Safetensors, ScalarsEmptyTensorsAndAnyNameComeBack) {
  const std::vector<TensorView> tensors = {
      {"scalar", TensorType::f32, {}, bytes_of("abcd")},
      {"none", TensorType::i64, {3, 0, 2}, {}},
      {"", TensorType::u8, {1}, bytes_of("x")},
      {"رمزگذار.وزن \"1\"\n", TensorType::u8, {1}, bytes_of("y")}};
  write(tensors, {{"زبان", "فارسی"}, {"line", "a\nb"}});
  const SafetensorsFile file(path);
  for (const TensorView& tensor : tensors)
    EXPECT_EQ(text_of(file.get(tensor.name, tensor.type, tensor.shape).bytes),
              text_of(tensor.bytes));
  EXPECT_EQ(file.metadata(), (TensorMetadata{{"زبان", "فارسی"}, {"line", "a\nb"}}));
}

TEST_F(Safetensors, NoTensorsMakeAFileToo) {
  write({});
  EXPECT_EQ(read_file(path), eight_bytes(8) + "{}      ");
  EXPECT_THAT(SafetensorsFile(path).tensors(), IsEmpty());
}

TEST_F(Safetensors, BytesAreWideTypesFirstThenNames) {
  const std::vector<TensorView> tensors = {{"b", TensorType::f32, {1}, bytes_of("bbbb")},
                                           {"bytes", TensorType::u8, {3}, bytes_of("123")},
                                           {"a", TensorType::f32, {1, 1}, bytes_of("aaaa")},
                                           {"n", TensorType::i64, {}, bytes_of("eightbyt")}};
  write(tensors, {{"seda", "1"}, {"format", "pt"}});
  const std::string header = R"({"__metadata__":{"format":"pt","seda":"1"},)"
                             R"("n":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
                             R"("a":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]},)"
                             R"("b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]},)"
                             R"("bytes":{"dtype":"U8","shape":[3],"data_offsets":[16,19]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(read_file(path), file_of(header + padding, "eightbytaaaabbbb123"));
}

TEST_F(Safetensors, OrderOfTheCallDoesNotMatter) {
  std::vector<TensorView> tensors = {{"a", TensorType::f16, {1}, bytes_of("aa")},
                                     {"b", TensorType::bf16, {1}, bytes_of("bb")},
                                     {"c", TensorType::f16, {1}, bytes_of("cc")}};
  write(tensors);
  const std::string first = read_file(path);
  std::ranges::reverse(tensors);
  write(tensors);
  EXPECT_EQ(read_file(path), first);
}

TEST_F(Safetensors, TensorOfManyPiecesComesBack) {
  std::string elements(size_t{5} << 20 | 3, '\0');
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = static_cast<char>(i * 2654435761u >> 13);
  const TensorView tensor{
      "large", TensorType::u8, {static_cast<int64_t>(elements.size())}, bytes_of(elements)};
  write(std::span(&tensor, 1));
  EXPECT_TRUE(text_of(SafetensorsFile(path).find("large")->bytes) == elements);
}

TEST_F(Safetensors, ViewsOutliveAMove) {
  const TensorView tensor{"a", TensorType::u8, {3}, bytes_of("abc")};
  write(std::span(&tensor, 1));
  SafetensorsFile file(path);
  const SafetensorsFile moved = std::move(file);
  EXPECT_EQ(text_of(moved.find("a")->bytes), "abc");
}

TEST_F(Safetensors, WhatDoesNotFitIsNotWritten) {
  EXPECT_THAT(failure_of({"w", TensorType::f32, {2}, bytes_of("abcd")}),
              AllOf(HasSubstr("'w'"), HasSubstr("expected 8 bytes"), HasSubstr("found 4")));
  EXPECT_THAT(failure_of({"w", TensorType::f32, {-1}, {}}), HasSubstr("expected lengths"));
  EXPECT_THAT(failure_of({"w", TensorType::f32, {int64_t{1} << 40, int64_t{1} << 40}, {}}),
              HasSubstr("expected lengths"));
  EXPECT_THAT(failure_of({"__metadata__", TensorType::f32, {0}, {}}),
              HasSubstr("expected another name"));
  EXPECT_THAT(failure_of({"\xff", TensorType::f32, {0}, {}}), HasSubstr("expected UTF-8"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Safetensors, NameOfTwoTensorsIsNotWritten) {
  const std::vector<TensorView> twice = {{"a", TensorType::f32, {0}, {}},
                                         {"b", TensorType::f32, {0}, {}},
                                         {"a", TensorType::u8, {0}, {}}};
  EXPECT_THAT(error_message([&] { write(twice); }), HasSubstr("found 'a' twice"));
}

TEST_F(Safetensors, MetadataThatIsNotUtf8IsNotWritten) {
  EXPECT_THAT(error_message([&] { write({}, {{"key", "\xc3"}}); }), HasSubstr("metadata 'key'"));
  EXPECT_THAT(error_message([&] { write({}, {{"\xc3", ""}}); }), HasSubstr("expected UTF-8"));
}

TEST_F(Safetensors, FailedWriteLeavesTheOldFile) {
  const TensorView good{"a", TensorType::u8, {3}, bytes_of("abc")};
  write(std::span(&good, 1));
  failure_of({"w", TensorType::f32, {2}, bytes_of("abcd")});
  EXPECT_NE(SafetensorsFile(path).find("a"), nullptr);
}

TEST_F(Safetensors, FullDiskIsAnErrorAndLeavesTheOldFile) {
  const TensorView good{"a", TensorType::u8, {3}, bytes_of("abc")};
  write(std::span(&good, 1));
  const std::string before = read_file(path);
  const std::string elements(size_t{3} << 20, 'x');
  const TensorView large{"b", TensorType::u8, {3 << 20}, bytes_of(elements)};
  {
    const SizeLimit full(size_t{2} << 20);
    EXPECT_THAT(failure_of(large), HasSubstr(path.string()));
  }
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(Safetensors, FindOfAnotherNameIsNull) {
  write({});
  EXPECT_EQ(SafetensorsFile(path).find("a"), nullptr);
}

TEST_F(Safetensors, GetNamesFileTensorExpectedAndFound) {
  const TensorView tensor{"encoder.weight", TensorType::f16, {1, 2}, bytes_of("abcd")};
  write(std::span(&tensor, 1));
  const SafetensorsFile file(path);
  const auto message = [&](const char* name, TensorType type, std::vector<int64_t> shape) {
    return error_message([&] { file.get(name, type, shape); });
  };
  EXPECT_THAT(message("encoder.weight", TensorType::f32, {1, 2}),
              AllOf(HasSubstr(path.string()), HasSubstr("'encoder.weight'"),
                    HasSubstr("expected F32 [1, 2], found F16 [1, 2]")));
  EXPECT_THAT(message("encoder.weight", TensorType::f16, {2, 1}),
              HasSubstr("expected F16 [2, 1], found F16 [1, 2]"));
  EXPECT_THAT(message("bias", TensorType::f16, {}), HasSubstr("expected F16 [], found none"));
}

}  // namespace
}  // namespace seda::train
