// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/log.h"
#include "seda/cli/flags.h"
#include "seda/cli/input.h"
#include "seda/cli/limits.h"
#include "seda/cli/text_lines.h"
#include "seda/cli/verbs.h"
#include "seda/feed/prepare_options.h"

namespace seda::cli {
namespace {

struct TextFlags {
  std::vector<std::string> files;  // none: stdin
  std::string stage = "tokens";
};

std::vector<std::string> read_lines(const std::vector<std::string>& files) {
  std::vector<std::string> lines;
  for (const std::string& file : files.empty() ? std::vector<std::string>{"-"} : files) {
    const std::string content = read_input(file);
    for (size_t at = 0; at < content.size();) {
      const size_t end = std::min(content.find('\n', at), content.size());
      std::string line = content.substr(at, end - at);
      if (line.ends_with('\r')) line.pop_back();
      lines.push_back(std::move(line));
      at = end + 1;
    }
  }
  return lines;
}

text::Stage stage_of(const std::string& word) {
  if (word == "normalize") return text::Stage::normalize;
  return word == "phonemes" ? text::Stage::phonemes : text::Stage::tokens;
}

/// "en (0.96, by content)".
std::string to_text(const text::Language& language) {
  if (language.source == text::LanguageSource::metadata) return language.code + " (as set)";
  return fmt::format("{} ({:.2f}, by {})", language.code, language.confidence,
                     text::to_string(language.source));
}

/// Of one stage its result alone, line for line, fit for a pipe; of all of them each on a row.
std::string to_text(const std::string& input, const text::Line& line, text::Stage stage) {
  if (stage == text::Stage::normalize) return line.normalized + "\n";
  if (stage == text::Stage::phonemes) return line.phonemes + "\n";
  std::string out = fmt::format("input       {}\nlanguage    {}\nnormalized  {}\n", input,
                                to_text(line.language), line.normalized);
  if (!line.phonemes.empty()) out += fmt::format("phonemes    {}\n", line.phonemes);
  out += fmt::format("tokens      {}\n", fmt::join(line.encoded.tokens, " "));
  if (!line.encoded.unknown.empty()) {
    out += fmt::format("unknown     {}\n", fmt::join(line.encoded.unknown, " "));
  }
  return out + "\n";
}

void run(const config::Config& config, const TextFlags& flags, bool json) {
  const text::Stage stage = stage_of(flags.stage);
  const text::Frontend frontend = make_frontend(config, stage);
  const auto lines = read_lines(flags.files);
  const auto results = apply_all(frontend, lines, feed::worker_threads(config));
  Json list = Json::array();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (json) {
      list.push_back(to_json(lines[i], results[i], stage));
    } else {
      print(to_text(lines[i], results[i], stage));
    }
  }
  if (json) print_json({{"lines", std::move(list)}});
  const auto memo = frontend.normalization_memo();
  log::debug("memory of normalised lines: {} hits, {} misses", memo.hits, memo.misses);
}

}  // namespace

void add_text(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("text", "what the text frontend makes of lines");
  const auto flags = std::make_shared<TextFlags>();
  verb->add_option("FILE", flags->files, "files of lines [stdin]; - is stdin");
  one_of(verb->add_option("--stage", flags->stage, "how far to go [tokens]"),
         {"normalize", "phonemes", "tokens"});
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, {"data.text", "data.num_workers"});
  verb->footer(
      "Examples:\n  seda text lines.txt\n  seda text lines.txt --stage normalize\n  echo 'Dr. "
      "Smith paid "
      "$3.50 on May 5, 1998.' | seda text\n  seda text --language fa --stage phonemes --json < "
      "lines.txt");
  verb->callback([=] { run(config_flags->load().config, *flags, common->json); });
}

}  // namespace seda::cli
