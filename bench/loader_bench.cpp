// SPDX-License-Identifier: Apache-2.0
// Rows 6, 7, 16, 21 and 22 of bench/README.md: wavs beside PyTorch's DataLoader (loader_peers.py),
// the rest beside published figures of FFCV, SPDL, tf.data, Grain and PyTorch.
//
// The loader: clips/s from wavs, from a warm cache and from a resident corpus; what a paced
// consumer sees of it; start, memory, and what its counters cost.
//
//   loader_bench [--clips N] [--corpus FOLDER] [--only GROUP,…] [--make]     prints one JSON object
//
// The corpus is made in FOLDER (or in what SEDA_LOADER_CORPUS names) and stays there, for
// loader_peers.py to read the same files; else in a temporary folder. --make only makes it. Groups:
// files, warm, resident, next, paced, start, growth, workers, counters.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "bench/loader/corpus.h"
#include "bench/loader/rows.h"
#include "bench/support/report_row.h"
#include "bench/support/scratch_folder.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"

namespace seda::bench {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  int clips = 2000;
  fs::path corpus;   ///< Empty: one that goes with the run.
  std::string only;  ///< Empty: every group.
  bool make_only = false;
  int memory_of = 0;  ///< Workers; for a process of its own.
};

Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments out;
  if (const char* named = std::getenv("SEDA_LOADER_CORPUS")) out.corpus = named;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw_error(ErrorKind::usage, "{}: expected a value", words[i]);
      return words[++i];
    };
    if (words[i] == "--clips") {
      out.clips = std::stoi(value());
    } else if (words[i] == "--corpus") {
      out.corpus = value();
    } else if (words[i] == "--only") {
      out.only = value();
    } else if (words[i] == "--memory-of") {
      out.memory_of = std::stoi(value());
    } else if (words[i] == "--make") {
      out.make_only = true;
    } else {
      throw_error(ErrorKind::usage, "expected --clips, --corpus, --only or --make, found '{}'",
                  words[i]);
    }
  }
  return out;
}

/// What a process of its own holds with so many workers.
double memory_elsewhere(const fs::path& corpus, int workers) {
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("'{}' --corpus '{}' --memory-of {}", program, corpus.string(), workers);
  FILE* const output = popen(command.c_str(), "r");
  double megabytes = 0;
  const bool found = output != nullptr && std::fscanf(output, "%lf", &megabytes) == 1;
  if (output == nullptr || pclose(output) != 0 || !found) {
    throw_error(ErrorKind::internal, "{}: expected a number", command);
  }
  return megabytes;
}

std::vector<Json> worker_rows(const fs::path& corpus) {
  const double one = memory_elsewhere(corpus, 1);
  const double sixteen = memory_elsewhere(corpus, 16);
  return {make_row("loader/memory/workers:1", "MB", one),
          make_row("loader/memory/workers:16", "MB", sixteen),
          make_row("loader/memory/each_worker", "MB", (sixteen - one) / 15)};
}

Json measure(const Arguments& arguments) {
  const LoaderSetting setting(arguments.corpus);
  using Group = std::vector<Json> (*)(const LoaderSetting&);
  const std::pair<const char*, Group> groups[] = {
      {"files", files_rows},   {"warm", warm_rows},       {"resident", resident_rows},
      {"next", next_rows},     {"paced", paced_rows},     {"start", start_rows},
      {"growth", growth_rows}, {"counters", counter_rows}};
  const auto wanted = [&](const std::string& name) {
    return arguments.only.empty() ||
           ("," + arguments.only + ",").find("," + name + ",") != std::string::npos;
  };
  Json rows = Json::array();
  const auto add = [&](const std::vector<Json>& more) {
    for (const Json& row : more) {
      std::cerr << row.dump() << "\n";
      rows.push_back(row);
    }
  };
  for (const auto& [name, group] : groups) {
    if (wanted(name)) add(group(setting));
  }
  if (wanted("workers")) add(worker_rows(arguments.corpus));
  return {{"rows", rows}};
}

void run(Arguments arguments) {
  std::optional<ScratchFolder> scratch;
  if (arguments.corpus.empty()) arguments.corpus = scratch.emplace().path();
  make_speech_corpus(arguments.corpus, arguments.clips);
  if (arguments.make_only) return;
  if (arguments.memory_of > 0) {
    const LoaderSetting setting(arguments.corpus);
    std::cout << memory_with_workers(setting, arguments.memory_of) << "\n";
    return;
  }
  std::cout << to_json_text(measure(arguments)) << "\n";
}

}  // namespace
}  // namespace seda::bench

int main(int count, char** words) {
  using namespace seda;
  log::configure({.level = log::Level::warning});
  try {
    bench::run(bench::read_arguments({words + 1, words + count}));
  } catch (const Error& error) {
    std::cerr << "loader_bench: " << error.what() << "\n";
    return exit_code(error.kind());
  }
}
