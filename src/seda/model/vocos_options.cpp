// SPDX-License-Identifier: Apache-2.0
#include "seda/model/vocos_options.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_object.h"

namespace seda::model {
namespace {

constexpr const char* kKind = "vocoder";
constexpr const char* kVocos = "vocos";
constexpr const char* kNetwork = "network";

constexpr int kMostBlocks = 64;
constexpr int kMostChannels = 8192;

using NamedSize = std::pair<std::string_view, VocoderSize>;

VocosOptions shape(int blocks, int width) {
  return {.blocks = blocks, .width = width, .hidden = 3 * width, .mel = {}};
}

DiscriminatorOptions judges(int period_channels, int spectrum_channels) {
  DiscriminatorOptions options;
  options.period_channels = period_channels;
  options.spectrum_channels = spectrum_channels;
  return options;
}

const std::array<NamedSize, 4>& vocoder_sizes() {
  static const std::array<NamedSize, 4> all = {{
      {"tiny", {shape(4, 128), judges(2, 4), 8192}},
      {"small", {shape(6, 256), judges(8, 16), 16384}},
      {"normal", {shape(8, 512), judges(16, 32), 16384}},
      {"big", {shape(12, 768), judges(32, 32), 16384}},
  }};
  return all;
}

void require_size(int value, int most, const char* name) {
  if (value >= 1 && value <= most) return;
  throw_error(ErrorKind::config, "vocoder: {}: expected 1 to {}, found {}", name, most, value);
}

/// What a file says is an Error(io) where `check` finds an Error(config).
template <typename Options>
Options checked(Options options, const std::string& where) {
  try {
    check(options);
  } catch (const Error& problem) {
    throw_error(ErrorKind::io, "{}: {}", where, problem.what());
  }
  return options;
}

audio::MelOptions read_mel(const JsonObject& vocoder, const std::string& where) {
  const Json& mel = vocoder.at("mel");
  try {
    return audio::read_mel_options(mel);
  } catch (const Error& problem) {
    throw_error(ErrorKind::io, "{}: vocoder: {}", where, problem.what());
  }
}

}  // namespace

VocoderSize vocoder_size(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(vocoder_sizes().size());
  for (const auto& [known, size] : vocoder_sizes()) {
    if (known == name) return size;
    names.push_back(known);
  }
  throw_error(ErrorKind::config, "model.size: expected one of {}, found '{}'",
              fmt::join(names, ", "), name);
}

void check(const VocosOptions& options) {
  require_size(options.blocks, kMostBlocks, "blocks");
  require_size(options.width, kMostChannels, "width");
  require_size(options.hidden, 4 * kMostChannels, "hidden");
  audio::check(options.mel);
}

void check(const DiscriminatorOptions& options) {
  require_size(options.period_channels, kMostChannels / 32, "period_channels");
  require_size(options.spectrum_channels, kMostChannels, "spectrum_channels");
  if (options.periods.empty() || options.spectrum_sizes.empty()) {
    throw_error(ErrorKind::config, "vocoder: expected periods and spectrum_sizes, found none");
  }
  for (const int period : options.periods)
    require_size(period, 4096, "periods");
  for (const int size : options.spectrum_sizes) {
    if (size >= 64 && size <= 16384 && size % 4 == 0) continue;
    throw_error(ErrorKind::config,
                "vocoder: spectrum_sizes: expected multiples of 4 from 64 to 16384, found {}",
                size);
  }
}

Json describe(const VocosOptions& options) {
  return {{"blocks", options.blocks},
          {"width", options.width},
          {"hidden", options.hidden},
          {"mel", audio::describe(options.mel)}};
}

Json describe(const DiscriminatorOptions& options) {
  return {{"periods", options.periods},
          {"period_channels", options.period_channels},
          {"spectrum_sizes", options.spectrum_sizes},
          {"spectrum_channels", options.spectrum_channels}};
}

VocosOptions read_vocos_options(const Json& description, const std::string& where) {
  const JsonObject from(description, where + ": vocoder");
  VocosOptions options;
  from.read("blocks", options.blocks);
  from.read("width", options.width);
  from.read("hidden", options.hidden);
  options.mel = read_mel(from, where);
  return checked(options, where);
}

DiscriminatorOptions read_discriminator_options(const Json& description, const std::string& where) {
  const JsonObject from(description, where + ": vocoder");
  DiscriminatorOptions options;
  from.read("periods", options.periods);
  from.read("period_channels", options.period_channels);
  from.read("spectrum_sizes", options.spectrum_sizes);
  from.read("spectrum_channels", options.spectrum_channels);
  return checked(std::move(options), where);
}

std::map<std::string, std::string> vocos_metadata(const VocosOptions& options) {
  return {{"format", "pt"}, {kKind, kVocos}, {kNetwork, to_json_text(describe(options), -1)}};
}

bool is_vocos(const std::map<std::string, std::string>& metadata) {
  const auto kind = metadata.find(kKind);
  return kind != metadata.end() && kind->second == kVocos;
}

VocosOptions read_vocos_metadata(const std::map<std::string, std::string>& metadata) {
  const std::string where = "metadata of the vocoder";
  const auto network = metadata.find(kNetwork);
  if (network == metadata.end()) {
    throw_error(ErrorKind::io, "{}: expected a value '{}', found none", where, kNetwork);
  }
  return read_vocos_options(parse_json(network->second, where), where);
}

}  // namespace seda::model
