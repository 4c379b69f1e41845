// SPDX-License-Identifier: Apache-2.0
#include "seda/train/detail/event_record.h"

#include "seda/train/detail/crc32c.h"

namespace seda::train::detail {
namespace {

// Numbers of the fields in tensorboard/compat/proto/{summary,tensor,tensor_shape}.proto.
namespace value_field {
constexpr int kTag = 1;
constexpr int kSimpleValue = 2;
constexpr int kImage = 4;
constexpr int kAudio = 6;
constexpr int kTensor = 8;
constexpr int kMetadata = 9;
}  // namespace value_field

namespace image_field {
constexpr int kHeight = 1;
constexpr int kWidth = 2;
constexpr int kColorspace = 3;
constexpr int kEncoded = 4;
}  // namespace image_field

namespace audio_field {
constexpr int kSampleRate = 1;
constexpr int kChannels = 2;
constexpr int kFrames = 3;
constexpr int kEncoded = 4;
constexpr int kContentType = 5;
}  // namespace audio_field

namespace tensor_field {
constexpr int kType = 1;
constexpr int kShape = 2;
constexpr int kStringValue = 8;
}  // namespace tensor_field

constexpr int kColorspaceRgb = 3;
constexpr int kTypeString = 7;

template <typename T>
std::string memory_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

ProtobufMessage tagged(std::string_view tag) {
  return ProtobufMessage().add_string(value_field::kTag, tag);
}

/// Metadata that gives a value to one of TensorBoard's plugins.
ProtobufMessage owned_by(std::string_view plugin) {
  constexpr int kPluginData = 1;
  constexpr int kPluginName = 1;
  return ProtobufMessage().add_message(kPluginData,
                                       ProtobufMessage().add_string(kPluginName, plugin));
}

/// The shape of a list of one.
ProtobufMessage shape_of_one() {
  constexpr int kDimension = 2;
  constexpr int kSize = 1;
  return ProtobufMessage().add_message(kDimension, ProtobufMessage().add_varint(kSize, 1));
}

}  // namespace

void append_record(std::string& out, std::string_view content) {
  const std::string length = memory_of(uint64_t{content.size()});
  out += length;
  out += memory_of(masked_crc32c(length));
  out += content;
  out += memory_of(masked_crc32c(content));
}

ProtobufMessage scalar_value(std::string_view tag, double value) {
  return tagged(tag).add_float(value_field::kSimpleValue, static_cast<float>(value));
}

ProtobufMessage image_value(std::string_view tag, const EncodedImage& image) {
  const auto message = ProtobufMessage()
                           .add_varint(image_field::kHeight, image.height)
                           .add_varint(image_field::kWidth, image.width)
                           .add_varint(image_field::kColorspace, kColorspaceRgb)
                           .add_bytes(image_field::kEncoded, image.png);
  return tagged(tag).add_message(value_field::kImage, message);
}

ProtobufMessage audio_value(std::string_view tag, const EncodedAudio& audio) {
  const auto message =
      ProtobufMessage()
          .add_float(audio_field::kSampleRate, static_cast<float>(audio.sample_rate))
          .add_varint(audio_field::kChannels, audio.channels)
          .add_varint(audio_field::kFrames, audio.frames)
          .add_bytes(audio_field::kEncoded, audio.wav)
          .add_string(audio_field::kContentType, "audio/wav");
  return tagged(tag).add_message(value_field::kAudio, message);
}

ProtobufMessage text_value(std::string_view tag, std::string_view markdown) {
  const auto tensor = ProtobufMessage()
                          .add_varint(tensor_field::kType, kTypeString)
                          .add_message(tensor_field::kShape, shape_of_one())
                          .add_string(tensor_field::kStringValue, markdown);
  return tagged(tag)
      .add_message(value_field::kTensor, tensor)
      .add_message(value_field::kMetadata, owned_by("text"));
}

}  // namespace seda::train::detail
