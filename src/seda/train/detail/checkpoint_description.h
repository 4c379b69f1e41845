// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "seda/base/json_object.h"
#include "seda/train/checkpoint.h"
#include "seda/train/voice_description.h"

namespace seda::train::detail {

/// What the descriptions of voices and vocoders have in common.
struct CommonDescription {
  std::string version;  ///< Of the seda that wrote it.
  RunProgress progress;
  FileHashes hashes;
};

/// What `checkpoint.json` says of a voice.
struct CheckpointDescription {
  CommonDescription common;
  VoiceDescription voice;
};

/// Adds what else this program was built from.
std::string to_text(const CheckpointDescription& description);

/// Reads `to_text` back. Other text, and that of a newer format, is an Error(io) that names
/// `where`.
CheckpointDescription parse_checkpoint(std::string_view text, const std::string& where);

/// With the versions of this program.
Json describe_common(const CommonDescription& description);

/// Reads it back. Error(io) where something is missing, or the format newer than this program
/// knows.
CommonDescription read_common(const JsonObject& content, const std::string& where);

}  // namespace seda::train::detail
