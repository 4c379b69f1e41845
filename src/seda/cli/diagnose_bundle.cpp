// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/diagnose_bundle.h"

#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include "seda/base/build_info.h"
#include "seda/base/clock.h"
#include "seda/base/file.h"
#include "seda/base/json.h"
#include "seda/base/thread.h"
#include "seda/cli/devices.h"
#include "seda/cli/diagnose_page.h"
#include "seda/cli/diagnose_report.h"
#include "seda/config/describe.h"
#include "seda/config/schema.h"

namespace seda::cli {
namespace {

constexpr size_t kWidth = 100;

Json system_json() {
  const BuildInfo& build = build_info();
  utsname system{};
  uname(&system);
  return {{"made_at", utc_now()},
          {"seda",
           {{"version", build.version},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"build", build.type},
            {"cuda", build.cuda},
            {"torch", build.torch}}},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"cores", usable_cores()},
          {"devices", devices_json()}};
}

Json effective_json(const config::Config& config) {
  Json out = Json::object();
  for (const config::Key& key : config::keys()) {
    out[key.path] = {{"value", config::to_json(config.value(key.path))},
                     {"source", config.source(key.path).text()}};
  }
  return out;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string without_homes(std::string text, const std::string& home) {
  if (home.size() > 1) replace_all(text, home, "~");
  constexpr std::string_view kHomes = "/home/";
  for (size_t at = text.find(kHomes); at != std::string::npos; at = text.find(kHomes, at + 1)) {
    const size_t end = text.find_first_of("/\"'\n ,", at + kHomes.size());
    const size_t length = (end == std::string::npos ? text.size() : end) - at;
    text.replace(at, length, "~");
  }
  return text;
}

std::vector<diagnose::ArchiveEntry> bundle_entries(
    const diagnose::Diagnosis& diagnosis, const config::Config& config,
    const std::optional<std::filesystem::path>& file) {
  std::vector<diagnose::ArchiveEntry> entries = {
      {"seda-diagnosis/system.json", to_json_text(system_json())},
      {"seda-diagnosis/corpus.json", to_json_text(corpus_json(diagnosis.corpus))},
      {"seda-diagnosis/configuration.json", to_json_text(effective_json(config))},
      {"seda-diagnosis/report.txt", diagnosis_text(diagnosis, kWidth)},
      {"seda-diagnosis/report.json", to_json_text(diagnosis_json(diagnosis))},
      {"seda-diagnosis/report.html", diagnosis_page(diagnosis)}};
  if (file) entries.push_back({"seda-diagnosis/configuration.yaml", read_file(*file)});
  const char* home = std::getenv("HOME");
  for (diagnose::ArchiveEntry& entry : entries)
    entry.content = without_homes(std::move(entry.content), home == nullptr ? "" : home);
  return entries;
}

void write_bundle(const std::filesystem::path& path,
                  const std::vector<diagnose::ArchiveEntry>& entries) {
  write_file(path, diagnose::gzip_of(diagnose::tar_of(entries)));
}

}  // namespace seda::cli
