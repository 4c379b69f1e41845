// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_record.h"

#include <gtest/gtest.h>

namespace seda::feed {
namespace {

using cache::DataType;
using cache::Entry;
using cache::RecordView;

Entry entry_of(const RecordView& record) {
  Entry entry;
  entry.size = record.bytes.size();
  entry.dims = record.dims;
  entry.type = record.type;
  return entry;
}

TEST(AudioRecord, SamplesSayHowManyTheyAre) {
  const std::vector<int16_t> samples(123, 7);
  const RecordView record = pcm_record(samples);
  EXPECT_TRUE(cache::shape_fits(record.bytes.size(), record.dims, record.type));
  EXPECT_EQ(audio_shape(entry_of(record)), (AudioShape{123, 0, 0}));
}

TEST(AudioRecord, AMelSaysFromHowManySamplesItIs) {
  const std::vector<float> mel(size_t{80} * 11);
  const RecordView record = mel_record(mel, 80, 2900);
  EXPECT_EQ(record.bytes.size(), mel.size() * sizeof(float));
  EXPECT_EQ(audio_shape(entry_of(record)), (AudioShape{2900, 80, 11}));
}

TEST(AudioRecord, AFaultComesBack) {
  const Fault fault{"", "audio_format", "expected sound,\nfound a letter"};
  const std::string bytes = encode_fault_record(fault);
  const auto view = std::as_bytes(std::span(bytes));
  const auto shape = audio_shape(entry_of({view, {}, DataType::raw}));
  ASSERT_TRUE(shape);
  EXPECT_TRUE(shape->is_fault());
  EXPECT_EQ(decode_fault_record(view), fault);
}

TEST(AudioRecord, OtherShapesAreNone) {
  const std::vector<std::byte> bytes(24);
  for (const RecordView& record :
       {RecordView{bytes, {12}, DataType::uint8}, RecordView{bytes, {3, 4}, DataType::int16},
        RecordView{bytes, {2, 3, 0}, DataType::raw}, RecordView{bytes, {2, 4, 9}, DataType::raw},
        RecordView{bytes, {24}, DataType::raw}, RecordView{{}, {}, DataType::raw},
        RecordView{{}, {0}, DataType::int16}}) {
    EXPECT_FALSE(audio_shape(entry_of(record)));
  }
}

TEST(AudioRecord, BytesThatAreNoFaultAreNone) {
  for (const std::string bytes : {"", "audio_format", "\nno code"})
    EXPECT_FALSE(decode_fault_record(std::as_bytes(std::span(bytes)))) << bytes;
}

}  // namespace
}  // namespace seda::feed
