// SPDX-License-Identifier: Apache-2.0
#include "seda/model/hifigan_options.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json.h"

namespace seda::model {
namespace {

using Metadata = std::map<std::string, std::string>;

constexpr int kMost = 1 << 20;  // of any size: above it lies nobody's vocoder

[[noreturn]] void refuse(const std::string& name, std::string_view expected,
                         std::string_view found) {
  throw_error(ErrorKind::io,
              "metadata of the vocoder: {}: expected {}, found {}; write the file with "
              "scripts/convert_hifigan.py",
              name, expected, found);
}

Json value_of(const Metadata& metadata, const std::string& name) {
  const auto found = metadata.find(name);
  if (found == metadata.end()) refuse(name, "a value", "none");
  return parse_json(found->second, "metadata of the vocoder: " + name);
}

int read_int(const Json& value, const std::string& name) {
  if (!value.is_number_integer() || value.get<double>() < 1 || value.get<double>() > kMost) {
    refuse(name, "whole numbers above 0", to_json_text(value, -1));
  }
  return value.get<int>();
}

std::vector<int> read_list(const Json& value, const std::string& name) {
  if (!value.is_array() || value.empty()) refuse(name, "a list", to_json_text(value, -1));
  std::vector<int> out;
  for (const Json& entry : value)
    out.push_back(read_int(entry, name));
  return out;
}

std::vector<std::vector<int>> read_lists(const Json& value, const std::string& name) {
  if (!value.is_array()) refuse(name, "a list of lists", to_json_text(value, -1));
  std::vector<std::vector<int>> out;
  for (const Json& entry : value)
    out.push_back(read_list(entry, name));
  return out;
}

double read_frequency(const Json& value, const std::string& name, double absent) {
  if (value.is_null()) return absent;
  if (!value.is_number()) refuse(name, "a frequency", to_json_text(value, -1));
  return value.get<double>();
}

/// "1" as published, or 1.
int read_resblock(const Json& value) {
  if (value == Json("1") || value == Json(1)) return 1;
  if (value == Json("2") || value == Json(2)) return 2;
  refuse("resblock", "1 or 2", to_json_text(value, -1));
}

void check_sizes(const HifiGanOptions& options) {
  const size_t rates = options.upsample_rates.size();
  if (options.upsample_kernel_sizes.size() != rates) {
    refuse("upsample_kernel_sizes", fmt::format("{} of them, one for each rate", rates),
           fmt::format("{}", options.upsample_kernel_sizes.size()));
  }
  for (size_t i = 0; i < rates; ++i) {
    if (options.upsample_kernel_sizes[i] >= options.upsample_rates[i]) continue;
    refuse("upsample_kernel_sizes", fmt::format("at least the rate {}", options.upsample_rates[i]),
           fmt::format("{}", options.upsample_kernel_sizes[i]));
  }
  const size_t kernels = options.resblock_kernel_sizes.size();
  if (options.resblock_dilation_sizes.size() != kernels) {
    refuse("resblock_dilation_sizes", fmt::format("{} lists, one for each kernel size", kernels),
           fmt::format("{}", options.resblock_dilation_sizes.size()));
  }
  for (const int kernel : options.resblock_kernel_sizes) {
    if (kernel % 2 == 0) refuse("resblock_kernel_sizes", "odd ones", fmt::format("{}", kernel));
  }
}

void check_hop(const HifiGanOptions& options) {
  int64_t product = 1;
  for (const int rate : options.upsample_rates)
    product = std::min<int64_t>(product * rate, kMost + 1);
  if (product == options.mel.hop_length) return;
  refuse("upsample_rates", fmt::format("a product of hop_size = {}", options.mel.hop_length),
         fmt::format("{}", product));
}

}  // namespace

HifiGanOptions read_hifigan_options(const Metadata& metadata) {
  const auto number = [&](const std::string& name) {
    return read_int(value_of(metadata, name), name);
  };
  const auto list = [&](const std::string& name) {
    return read_list(value_of(metadata, name), name);
  };
  HifiGanOptions out;
  out.resblock = read_resblock(value_of(metadata, "resblock"));
  out.upsample_rates = list("upsample_rates");
  out.upsample_kernel_sizes = list("upsample_kernel_sizes");
  out.resblock_kernel_sizes = list("resblock_kernel_sizes");
  out.resblock_dilation_sizes =
      read_lists(value_of(metadata, "resblock_dilation_sizes"), "resblock_dilation_sizes");
  out.mel.sample_rate = number("sampling_rate");
  out.mel.n_fft = number("n_fft");
  out.mel.hop_length = number("hop_size");
  out.mel.win_length = number("win_size");
  out.mel.n_mels = number("num_mels");
  out.mel.fmin = read_frequency(value_of(metadata, "fmin"), "fmin", 0);
  out.mel.fmax = read_frequency(value_of(metadata, "fmax"), "fmax", out.mel.sample_rate / 2.0);
  check_sizes(out);
  check_hop(out);
  return out;
}

void check_vocoder_mel(const audio::MelOptions& vocoder, const audio::MelOptions& voice) {
  const Json theirs = audio::describe(vocoder);
  const Json ours = audio::describe(voice);
  std::vector<std::string> differences;
  for (const auto& [name, value] : theirs.items()) {
    if (value == ours[name]) continue;
    differences.push_back(
        fmt::format("{} {} and {}", name, to_json_text(value, -1), to_json_text(ours[name], -1)));
  }
  if (differences.empty()) return;
  throw_error(ErrorKind::config,
              "the vocoder was trained on other mels than the voice speaks (the vocoder's and the "
              "voice's {}); take a vocoder of the voice's mels, or --vocoder griffin_lim",
              fmt::join(differences, ", "));
}

}  // namespace seda::model
