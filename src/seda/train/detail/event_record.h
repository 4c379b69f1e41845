// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "seda/train/detail/protobuf.h"
#include "seda/train/event_file.h"

namespace seda::train::detail {

/// Appends `content` as one record of an event file: its length, the length's checksum, itself,
/// its checksum.
void append_record(std::string& out, std::string_view content);

/// Values of TensorBoard's Summary message, one tag each. Scalars, images and sounds are written
/// in the older of its two forms, which all of its readers accept.
ProtobufMessage scalar_value(std::string_view tag, double value);
ProtobufMessage image_value(std::string_view tag, const EncodedImage& image);
ProtobufMessage audio_value(std::string_view tag, const EncodedAudio& audio);
ProtobufMessage text_value(std::string_view tag, std::string_view markdown);

}  // namespace seda::train::detail
