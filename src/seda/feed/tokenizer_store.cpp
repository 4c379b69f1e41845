// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/tokenizer_store.h"

#include <nlohmann/json.hpp>

#include "seda/base/log.h"
#include "seda/base/parallel.h"
#include "seda/cache/description.h"
#include "seda/text/pieces.h"

namespace seda::feed {
namespace {

constexpr std::string_view kTable = "vocabulary";
const cache::Key kModel = hash128("model");

/// The frontend up to what pieces are made of.
text::Frontend spoken_form(const TextOptions& options) {
  text::FrontendOptions frontend = options.frontend;
  frontend.stage = frontend.phonemes ? text::Stage::phonemes : text::Stage::normalize;
  return {frontend, nullptr};
}

std::string learn(const TextOptions& options, const std::vector<dataset::Utterance>& utterances) {
  const text::Frontend frontend = spoken_form(options);
  std::vector<std::string> lines(utterances.size());
  parallel_for(
      lines.size(), {.threads = 0, .grain = 32, .name = "text"}, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          if (utterances[i].split != dataset::Split::train) continue;
          const text::Line line = frontend.apply(utterances[i].text, utterances[i].language);
          lines[i] = options.frontend.phonemes ? line.phonemes : line.normalized;
        }
      });
  std::vector<std::string_view> spoken;
  for (const std::string& line : lines) {
    if (!line.empty()) spoken.emplace_back(line);
  }
  log::info("learning {} pieces from {} lines", options.vocabulary_size, spoken.size());
  return text::piece_library().train(spoken, options.vocabulary_size);
}

std::optional<std::string> kept_model(const cache::Cache* cache, const Json& description) {
  if (cache == nullptr) return std::nullopt;
  const cache::Table* table = cache->find_table(kTable, cache::fingerprint_of(description));
  if (table == nullptr) return std::nullopt;
  const auto record = table->read(kModel);
  if (!record) return std::nullopt;
  const auto bytes = record.value().bytes;
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

Json vocabulary_description(const TextOptions& options) {
  Json out = spoken_form(options).description();
  out["pieces"] = options.vocabulary_size;
  return out;
}

std::shared_ptr<const text::Tokenizer> corpus_tokenizer(
    const TextOptions& options, const std::vector<dataset::Utterance>& utterances,
    const cache::Cache* cache, cache::Writer* writer, bool force) {
  if (auto ready = ready_tokenizer(options)) return ready;
  const Json description = vocabulary_description(options);
  std::optional<std::string> model;
  if (!force) model = kept_model(cache, description);
  if (!model) {
    model = learn(options, utterances);
    const cache::NewRecord record = {kModel,
                                     {std::as_bytes(std::span(*model)), {}, cache::DataType::raw}};
    if (writer != nullptr) writer->replace(kTable, description, {&record, 1});
  }
  return text::make_piece_tokenizer(*model, options.add_blank, "the learned vocabulary");
}

}  // namespace seda::feed
