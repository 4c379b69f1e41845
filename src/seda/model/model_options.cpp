// SPDX-License-Identifier: Apache-2.0
#include "seda/model/model_options.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_object.h"

namespace seda::model {
namespace {

struct Size {
  std::string_view name;
  ModelOptions options;
};

const std::array<Size, 4>& sizes() {
  static const std::array<Size, 4> all = {{
      {"tiny",
       {.hidden_size = 128,
        .feed_forward_size = 512,
        .encoder_layers = 4,
        .decoder_layers = 4,
        .heads = 2}},
      {"small",
       {.hidden_size = 256,
        .feed_forward_size = 768,
        .encoder_layers = 4,
        .decoder_layers = 6,
        .heads = 4}},
      {"normal",
       {.hidden_size = 384,
        .feed_forward_size = 1152,
        .encoder_layers = 6,
        .decoder_layers = 8,
        .heads = 6,
        .dropout = 0.05}},
      {"big",
       {.hidden_size = 640,
        .feed_forward_size = 1920,
        .encoder_layers = 6,
        .decoder_layers = 11,
        .heads = 10,
        .dropout = 0.1}},
  }};
  return all;
}

}  // namespace

std::vector<std::string_view> model_size_names() {
  std::vector<std::string_view> names;
  for (const Size& size : sizes())
    names.push_back(size.name);
  return names;
}

ModelOptions model_size(std::string_view name) {
  const auto found = std::ranges::find(sizes(), name, &Size::name);
  if (found != sizes().end()) return found->options;
  throw_error(ErrorKind::config, "model.size: expected one of {}, found '{}'",
              fmt::join(model_size_names(), ", "), name);
}

ModelOptions model_options(const config::Config& config) {
  ModelOptions options = model_size(config.text("model.size"));
  const auto take = [&](const char* key, int& value) {
    if (!config.is_auto(key)) value = static_cast<int>(config.integer(key));
  };
  take("model.hidden_size", options.hidden_size);
  take("model.feed_forward_size", options.feed_forward_size);
  take("model.encoder_layers", options.encoder_layers);
  take("model.decoder_layers", options.decoder_layers);
  take("model.heads", options.heads);
  if (!config.is_auto("model.dropout")) options.dropout = config.number("model.dropout");
  check(options);
  return options;
}

void check(const ModelOptions& options) {
  if (options.hidden_size % options.heads != 0) {
    throw_error(ErrorKind::config,
                "model.heads: expected a divisor of model.hidden_size {}, found {}",
                options.hidden_size, options.heads);
  }
  if (options.hidden_size / options.heads % 2 != 0) {
    throw_error(ErrorKind::config,
                "model.hidden_size: expected an even number of channels for each of the {} heads, "
                "found {}; rotary positions turn them in pairs",
                options.heads, options.hidden_size / options.heads);
  }
}

Json describe(const ModelOptions& options) {
  return {{"symbols", options.symbols},
          {"speakers", options.speakers},
          {"languages", options.languages},
          {"n_mels", options.n_mels},
          {"hidden_size", options.hidden_size},
          {"feed_forward_size", options.feed_forward_size},
          {"encoder_layers", options.encoder_layers},
          {"decoder_layers", options.decoder_layers},
          {"heads", options.heads},
          {"dropout", options.dropout},
          {"mel_mean", options.mel_mean},
          {"mel_deviation", options.mel_deviation}};
}

ModelOptions read_model_options(const Json& description) {
  const JsonObject from(description, "model description");
  ModelOptions options;
  from.read("symbols", options.symbols);
  from.read("speakers", options.speakers);
  from.read("languages", options.languages);
  from.read("n_mels", options.n_mels);
  from.read("hidden_size", options.hidden_size);
  from.read("feed_forward_size", options.feed_forward_size);
  from.read("encoder_layers", options.encoder_layers);
  from.read("decoder_layers", options.decoder_layers);
  from.read("heads", options.heads);
  from.read("dropout", options.dropout);
  from.read("mel_mean", options.mel_mean);
  from.read("mel_deviation", options.mel_deviation);
  if (options.heads < 1 || options.hidden_size < 1) {
    throw_error(ErrorKind::io, "model description: expected sizes above 0, found {} heads of {}",
                options.heads, options.hidden_size);
  }
  check(options);
  return options;
}

}  // namespace seda::model
