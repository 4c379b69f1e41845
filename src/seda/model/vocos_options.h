// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/base/json.h"

namespace seda::model {

/// The shape of a Vocos generator (Siuzdak 2023) and the mels it speaks.
struct VocosOptions {
  int blocks = 8;     ///< ConvNeXt blocks.
  int width = 512;    ///< Channels between them.
  int hidden = 1536;  ///< Channels inside each.
  audio::MelOptions mel;

  bool operator==(const VocosOptions&) const = default;
};

/// The shape of the networks that tell its sound from recordings while it is trained.
struct DiscriminatorOptions {
  std::vector<int> periods = {2, 3, 5, 7, 11};          ///< Samples that are laid side by side.
  int period_channels = 16;                             ///< Of the first layer; later ones grow.
  std::vector<int> spectrum_sizes = {2048, 1024, 512};  ///< Samples of a frame, a quarter apart.
  int spectrum_channels = 32;                           ///< Of every layer.

  bool operator==(const DiscriminatorOptions&) const = default;
};

/// Both, and what they are trained on, for one of the names of `model.size`.
struct VocoderSize {
  VocosOptions network;  ///< Its mel is the default one.
  DiscriminatorOptions discriminators;
  int crop_samples = 16384;  ///< At least so many in each row of a batch.
};

/// "tiny", "small", "normal", "big". Another name is an Error(config) that lists them.
VocoderSize vocoder_size(std::string_view name);

/// Error(config) that names the first value that cannot be.
void check(const VocosOptions& options);
void check(const DiscriminatorOptions& options);

/// Every value, with the mel, by the names that `read_vocos_options` knows.
Json describe(const VocosOptions& options);
Json describe(const DiscriminatorOptions& options);

/// Reads `describe` back; a missing or foreign value is an Error(io) that names it and `where`.
VocosOptions read_vocos_options(const Json& description, const std::string& where);
DiscriminatorOptions read_discriminator_options(const Json& description, const std::string& where);

/// What a file of its weights says of itself.
std::map<std::string, std::string> vocos_metadata(const VocosOptions& options);

/// Whether a file of weights says that it is such a generator.
bool is_vocos(const std::map<std::string, std::string>& metadata);

/// Reads `vocos_metadata` back; a missing or foreign value is an Error(io).
VocosOptions read_vocos_metadata(const std::map<std::string, std::string>& metadata);

}  // namespace seda::model
