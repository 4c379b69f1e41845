// SPDX-License-Identifier: Apache-2.0
// Rows 1, 2 and 29 of bench/README.md, beside espeak-ng alone and an older system's guides.
//
// Text of 13,100 lines to token ids, without and with phonemes, on 1, 2, 4, … threads, start of the
// frontend included; and what memory it keeps.
//
//   text_bench [TRANSCRIPTS]
//
// Reads `id|text` lines, else those of SEDA_TRANSCRIPTS, else lines composed here; prints one JSON
// object.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "bench/support/report_row.h"
#include "bench/support/resident.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/file.h"
#include "seda/base/json.h"
#include "seda/base/parallel.h"
#include "seda/base/random.h"
#include "seda/base/thread.h"
#include "seda/text/frontend.h"

namespace seda {
namespace {

constexpr int kRuns = 7;
constexpr size_t kLines = 13'100;

/// A file's content, and as a file's it is freed before the first line is read: from then on malloc
/// keeps what threads free. To give pages back it would have to stop the other threads for a
/// moment.
std::string composed_transcripts() {
  const char* const words[] = {"the",     "printing", "of",      "books",   "became", "in",
                               "1455",    "a",        "matter",  "great",   "city",   "and",
                               "many",    "people",   "between", "letters", "twenty", "Dr.",
                               "Smith",   "wrote",    "that",    "prison",  "had",    "been",
                               "visited", "by",       "more",    "than"};
  Random random(1);
  std::string content;
  for (size_t line = 0; line < kLines; ++line) {
    content += fmt::format("{}|", line);
    const size_t n = 8 + random.below(19);
    for (size_t i = 0; i < n; ++i)
      content += std::string(words[random.below(std::size(words))]) + (i + 1 < n ? " " : ".\n");
  }
  return content;
}

std::vector<std::string> lines_of(const std::string& transcripts) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < transcripts.size();) {
    const size_t end = std::min(transcripts.find('\n', at), transcripts.size());
    const size_t bar = transcripts.find('|', at);
    if (bar < end) lines.push_back(transcripts.substr(bar + 1, end - bar - 1));
    at = end + 1;
  }
  return lines;
}

text::FrontendOptions options(bool phonemes) {
  text::FrontendOptions options;
  options.phonemes = phonemes;
  return options;
}

void read_all(const text::Frontend& frontend, const std::vector<std::string>& lines, int threads) {
  parallel_for(lines.size(), {.threads = threads, .grain = 16, .name = "text"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i)
                   (void)frontend.apply(lines[i], "");
               });
}

double seconds_once(const std::vector<std::string>& lines, bool phonemes, int threads) {
  const Stopwatch watch;
  const text::FrontendOptions wanted = options(phonemes);
  const text::Frontend frontend(wanted, text::make_fixed_tokenizer(wanted, true));
  read_all(frontend, lines, threads);
  return watch.seconds();
}

Json measure(const std::vector<std::string>& lines, bool phonemes, int threads) {
  Distribution seconds;
  for (int i = 0; i < kRuns; ++i)
    seconds.add(seconds_once(lines, phonemes, threads));
  const char* const what = phonemes ? "phonemes" : "letters";
  return bench::make_row(fmt::format("text/{}/threads:{}", what, threads), "s", seconds);
}

/// Memory that ten more passes over the lines add to the first two.
Json growth(const std::vector<std::string>& lines) {
  const text::FrontendOptions wanted = options(true);
  const text::Frontend frontend(wanted, text::make_fixed_tokenizer(wanted, true));
  for (int i = 0; i < 2; ++i)
    read_all(frontend, lines, 0);
  const double before = bench::resident_mb();
  for (int i = 0; i < 10; ++i)
    read_all(frontend, lines, 0);
  return bench::make_row("text/phonemes/growth_over_ten_passes", "MB",
                         bench::resident_mb() - before);
}

std::string transcripts(int count, char** arguments) {
  if (count > 1) return read_file(arguments[1]);
  const char* const named = std::getenv("SEDA_TRANSCRIPTS");
  return named != nullptr ? read_file(named) : composed_transcripts();
}

}  // namespace
}  // namespace seda

int main(int count, char** arguments) {
  using namespace seda;
  const auto lines = lines_of(transcripts(count, arguments));
  Json rows = Json::array();
  for (const bool phonemes : {false, true}) {
    for (int threads = 1; threads <= usable_cores(); threads *= 2)
      rows.push_back(measure(lines, phonemes, threads));
  }
  rows.push_back(growth(lines));
  std::cout << to_json_text({{"lines", lines.size()}, {"rows", rows}}) << "\n";
}
