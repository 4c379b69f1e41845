// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/text_lines.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/parallel.h"
#include "seda/feed/text_options.h"

namespace seda::cli {

text::Frontend make_frontend(const config::Config& config, text::Stage stage) {
  feed::TextOptions options = feed::text_options(config);
  options.frontend.stage = stage;
  if (stage != text::Stage::tokens) return {options.frontend, nullptr};
  auto tokenizer = feed::ready_tokenizer(options);
  if (tokenizer == nullptr) {
    throw_error(ErrorKind::config,
                "the tokenizer sentencepiece learns its pieces from a corpus, and here is none; "
                "name a model with data.text.tokenizer_model, or stop before tokens with --stage");
  }
  return {options.frontend, std::move(tokenizer)};
}

std::vector<text::Line> apply_all(const text::Frontend& frontend,
                                  const std::vector<std::string>& lines, int threads) {
  std::vector<text::Line> results(lines.size());
  parallel_for(lines.size(), {.threads = threads, .grain = 32, .name = "text"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i)
                   results[i] = frontend.apply(lines[i], "");
               });
  return results;
}

Json to_json(const std::string& input, const text::Line& line, text::Stage stage) {
  Json out = {{"input", input},
              {"language", line.language.code},
              {"language_confidence", line.language.confidence},
              {"language_source", text::to_string(line.language.source)},
              {"normalized", line.normalized}};
  if (stage != text::Stage::normalize) out["phonemes"] = line.phonemes;
  if (stage == text::Stage::tokens) {
    out["tokens"] = line.encoded.tokens;
    out["unknown"] = line.encoded.unknown;
  }
  if (line.emoji > 0) out["dropped_emoji"] = line.emoji;
  if (line.dropped > 0) out["dropped_characters"] = line.dropped;
  return out;
}

}  // namespace seda::cli
