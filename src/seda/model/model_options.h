// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "seda/base/json.h"
#include "seda/config/config.h"

namespace seda::model {

/// The shape of a voice model: what must be equal for weights to fit.
struct ModelOptions {
  int symbols = 0;    ///< Of the tokenizer.
  int speakers = 1;   ///< Rows of the speaker table.
  int languages = 1;  ///< Rows of the language table.
  int n_mels = 80;

  int hidden_size = 128;
  int feed_forward_size = 512;
  int encoder_layers = 4;
  int decoder_layers = 4;
  int heads = 2;  ///< Divide hidden_size; hidden_size / heads is even.
  double dropout = 0;

  // Log-mels are brought to mean 0 and deviation 1 inside the model.
  float mel_mean = 0;
  float mel_deviation = 1;

  bool operator==(const ModelOptions&) const = default;
};

/// "tiny", "small", "normal", "big": about 4, 15, 45 and 150 million weights. Another name is an
/// Error(config) that lists them.
ModelOptions model_size(std::string_view name);
std::vector<std::string_view> model_size_names();

/// What the keys `model.*` ask for; what the corpus decides (symbols, speakers, languages, mel) is
/// left as it is by default. Values that do not fit each other are an Error(config).
ModelOptions model_options(const config::Config& config);

/// Error(config) that names the first value that cannot be, and what would do.
void check(const ModelOptions& options);

/// Every value by its name, for checkpoints and comparison.
Json describe(const ModelOptions& options);

/// Reads `describe` back; a missing or foreign value is an Error(io).
ModelOptions read_model_options(const Json& description);

}  // namespace seda::model
