// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/speech_tensors.h"

#include <algorithm>
#include <cstring>

#include "seda/base/error.h"

namespace seda::train {
namespace {

using model::ModelOptions;
using model::SpeechRequest;
using Requests = std::span<const SpeechRequest>;

[[noreturn]] void refuse(size_t place, std::string_view what, int64_t found, int64_t limit) {
  throw_error(ErrorKind::usage, "speech request {}: expected {} below {}, found {}", place, what,
              limit, found);
}

bool below(int64_t value, int64_t limit) {
  return value >= 0 && value < limit;
}

bool has_reference(const SpeechRequest& request) {
  return request.reference.frames > 0;
}

void check_request(const SpeechRequest& request, size_t place, const ModelOptions& options) {
  if (request.tokens.empty())
    throw_error(ErrorKind::usage, "speech request {}: expected tokens, found none", place);
  for (const int32_t token : request.tokens)
    if (!below(token, options.symbols)) refuse(place, "tokens", token, options.symbols);
  if (!has_reference(request) && !below(request.speaker, options.speakers))
    refuse(place, "a speaker", request.speaker, options.speakers);
  if (!below(request.language, options.languages))
    refuse(place, "a language", request.language, options.languages);
  const size_t values =
      static_cast<size_t>(request.reference.frames) * static_cast<size_t>(options.n_mels);
  if (!has_reference(request) || request.reference.values.size() == values) return;
  throw_error(ErrorKind::usage, "speech request {}: expected a reference of {} mels, found {}",
              place, options.n_mels, request.reference.n_mels);
}

/// One number of each request.
template <typename Number>
torch::Tensor column(Requests requests, Number number) {
  auto values = torch::zeros({static_cast<int64_t>(requests.size())}, torch::kInt32);
  for (size_t i = 0; i < requests.size(); ++i)
    values[static_cast<int64_t>(i)] = static_cast<int32_t>(number(requests[i]));
  return values;
}

torch::Tensor tokens_of(Requests requests, int64_t longest) {
  auto tokens = torch::zeros({static_cast<int64_t>(requests.size()), longest}, torch::kInt32);
  for (size_t i = 0; i < requests.size(); ++i) {
    auto* const row = tokens[static_cast<int64_t>(i)].mutable_data_ptr<int32_t>();
    std::ranges::copy(requests[i].tokens, row);
  }
  return tokens;
}

torch::Tensor references_of(Requests requests, int64_t n_mels, int64_t longest) {
  auto references = torch::zeros({static_cast<int64_t>(requests.size()), n_mels, longest});
  for (size_t i = 0; i < requests.size(); ++i) {
    const model::MelData& mel = requests[i].reference;
    if (mel.frames == 0) continue;
    const auto values = torch::from_blob(const_cast<float*>(mel.values.data()),  // NOLINT: read
                                         {n_mels, mel.frames}, torch::kFloat32);
    references[static_cast<int64_t>(i)].narrow(1, 0, mel.frames).copy_(values);
  }
  return references;
}

model::SpeechBatch speech_batch(Requests requests, const ModelOptions& options,
                                torch::Device device) {
  model::SpeechBatch batch;
  batch.token_lengths = column(requests, [](const auto& r) { return r.tokens.size(); });
  batch.tokens = tokens_of(requests, batch.token_lengths.max().item<int64_t>()).to(device);
  batch.token_lengths = batch.token_lengths.to(device);
  batch.speakers =
      column(requests, [](const auto& r) { return has_reference(r) ? 0 : r.speaker; }).to(device);
  batch.languages = column(requests, [](const auto& r) { return r.language; }).to(device);
  const auto lengths = column(requests, [](const auto& r) { return r.reference.frames; });
  batch.reference_lengths = lengths.to(device);
  if (std::ranges::none_of(requests, has_reference)) return batch;
  batch.references =
      references_of(requests, options.n_mels, lengths.max().item<int64_t>()).to(device);
  return batch;
}

std::vector<model::SpokenMel> spoken_mels(const model::SpeechTensors& speech, Requests requests) {
  const auto mel = speech.mel.to(torch::kCPU, torch::kFloat32);
  const auto lengths = speech.lengths.to(torch::kCPU, torch::kInt32);
  const auto durations = speech.durations.to(torch::kCPU, torch::kInt32).contiguous();
  std::vector<model::SpokenMel> spoken;
  for (int64_t i = 0; i < mel.size(0); ++i) {
    const int frames = lengths[i].item<int32_t>();
    const auto values = mel[i].narrow(1, 0, frames).contiguous();
    const auto* first = values.const_data_ptr<float>();
    const auto* duration = durations[i].const_data_ptr<int32_t>();
    const auto tokens = static_cast<int64_t>(requests[static_cast<size_t>(i)].tokens.size());
    spoken.push_back({.mel = {.n_mels = static_cast<int>(mel.size(1)),
                              .frames = frames,
                              .values = {first, first + values.numel()}},
                      .durations = {duration, duration + tokens}});
  }
  return spoken;
}

}  // namespace

std::vector<model::SpokenMel> speak_requests(model::VoiceModel& model, torch::Device device,
                                             Requests requests,
                                             const model::SpeechOptions& options) {
  if (requests.empty()) return {};
  for (size_t i = 0; i < requests.size(); ++i)
    check_request(requests[i], i, model->options());
  const torch::NoGradGuard no_grad;
  return spoken_mels(model->speak(speech_batch(requests, model->options(), device), options),
                     requests);
}

}  // namespace seda::train
