// SPDX-License-Identifier: Apache-2.0
#include "tests/support/include_graph.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace seda::testing_support {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

Names operator+(Names a, const Names& b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// Where one file stands: its folder, whether it is below detail/, its name.
struct Place {
  std::string folder;
  bool detail = false;
  std::string name;
};

bool in(const Place& place, std::initializer_list<std::string_view> folders) {
  return std::ranges::find(folders, place.folder) != folders.end();
}

bool is_cuda_file(const Place& place) {
  return place.name.ends_with(".cu") || place.name.ends_with(".cuh") ||
         place.name.find("_cuda.") != std::string::npos;
}

/// Headers that begin with one of `prefixes` may stand only where `allowed` says.
struct Containment {
  std::vector<std::string_view> prefixes;
  std::string_view where;
  std::function<bool(const Place&)> allowed;
};

const std::vector<Containment>& containments() {
  static const std::vector<Containment> rules = {
      {{"fmt/"}, "anywhere", [](const Place&) { return true; }},
      {{"nlohmann/"}, "anywhere", [](const Place&) { return true; }},
      {{"spdlog/"},
       "base/log.cpp",
       [](const Place& p) { return p.folder == "base" && p.name == "log.cpp"; }},
      {{"sanitizer/"},
       "base/leaks_allowed.h",
       [](const Place& p) { return p.folder == "base" && p.name == "leaks_allowed.h"; }},
      {{"yaml-cpp/"},
       "config/detail/",
       [](const Place& p) { return p.folder == "config" && p.detail; }},
      {{"nanobind/"}, "python/", [](const Place& p) { return in(p, {"python"}); }},
      {{"CLI/"}, "cli/", [](const Place& p) { return in(p, {"cli"}); }},
      {{"torch/", "ATen/", "c10/", "caffe2/"},
       "model/ and train/",
       [](const Place& p) { return in(p, {"model", "train"}); }},
      {{"cuda", "cublas", "cufft", "cupti", "cub/", "thrust/", "cooperative_groups", "mma.h"},
       "*_cuda.* and .cu files",
       is_cuda_file},
      {{"nvml"},
       "device/monitor_nvml.cpp",
       [](const Place& p) { return p.folder == "device" && p.name == "monitor_nvml.cpp"; }},
      {{"sndfile", "mpg123", "soxr", "ebur128", "espeak", "unicode/", "cld2/", "flite",
        "sentencepiece", "hwy/", "httplib", "xxhash", "png.h", "zlib.h"},
       "detail/ folders",
       [](const Place& p) { return p.detail; }},
  };
  return rules;
}

bool is_system_header(std::string_view header) {
  static const Names posix = {
      "dlfcn.h",     "fcntl.h", "poll.h",   "pthread.h", "sched.h", "signal.h",   "spawn.h",
      "termios.h",   "time.h",  "unistd.h", "fnmatch.h", "glob.h",  "link.h",     "errno.h",
      "immintrin.h", "cpuid.h", "elf.h",    "pwd.h",     "netdb.h", "execinfo.h", "cxxabi.h"};
  const bool standard =
      header.find('.') == std::string_view::npos && header.find('/') == std::string_view::npos;
  return standard || posix.contains(header) || header.starts_with("sys/") ||
         header.starts_with("linux/") || header.starts_with("asm/") ||
         header.starts_with("netinet/") || header.starts_with("arpa/");
}

std::string check_own(const Place& place, std::string_view header) {
  constexpr std::string_view kRoot = "seda/";
  if (!header.starts_with(kRoot))
    return "own headers are included from the root: \"seda/<folder>/<file>\"";
  const auto rest = header.substr(kRoot.size());
  const std::string target(rest.substr(0, rest.find('/')));
  if (target == place.folder) return {};
  const auto layer = layer_rules().find(place.folder);
  if (layer != layer_rules().end() && layer->second.contains(target)) return {};
  return fmt::format("{}/ may not include {}/", place.folder, target);
}

std::string check_third_party(const Place& place, std::string_view header) {
  if (is_system_header(header)) return {};
  for (const Containment& rule : containments()) {
    const bool match = std::ranges::any_of(
        rule.prefixes, [&](std::string_view prefix) { return header.starts_with(prefix); });
    if (match && rule.allowed(place)) return {};
    if (match) return fmt::format("this header is contained in {}", rule.where);
  }
  return "no rule says where this header may be used; add one to tests/support/include_graph.cpp";
}

void check_file(const fs::path& root, const fs::path& path, std::vector<Violation>& out) {
  static const std::regex include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  const fs::path relative = fs::relative(path, root);
  const Place place{relative.begin()->string(),
                    std::ranges::find(relative, fs::path("detail")) != relative.end(),
                    relative.filename().string()};
  std::ifstream file(path);
  std::string line;
  std::smatch match;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!std::regex_search(line, match, include)) continue;
    const std::string header = match[2];
    const bool own = match[1] == "\"";
    const std::string reason = own ? check_own(place, header) : check_third_party(place, header);
    if (!reason.empty()) out.push_back({relative.string(), number, header, reason});
  }
}

}  // namespace

const LayerRules& layer_rules() {
  static const auto table = [] {
    const Names data = {"base",    "config", "device", "text",    "audio",
                        "dataset", "corpus", "cache",  "pipeline"};
    const Names feed = data + Names{"feed"};
    LayerRules rules = {
        {"base", {}},
        {"report", {"base"}},
        {"config", {"base"}},
        {"device", {"base"}},
        {"text", {"base"}},
        {"audio", {"base", "device"}},
        {"dataset", {"base"}},
        {"corpus", {"base", "text", "audio", "dataset"}},
        {"cache", {"base"}},
        {"pipeline", {"base", "device"}},
        {"feed", data},
        {"model", feed},
        {"diagnose", feed + Names{"report"}},
        {"train", feed + Names{"report", "model", "diagnose"}},
    };
    rules["speak"] = feed + Names{"model", "train"};
    rules["cli"] = feed + Names{"report", "model", "train", "diagnose", "speak"};
    rules["python"] = rules["cli"] + Names{"cli"};
    return rules;
  }();
  return table;
}

std::string Violation::text() const {
  return fmt::format("{}:{}: includes {}: {}", file, line, header, reason);
}

std::vector<Violation> check_includes(const fs::path& root) {
  constexpr std::array<std::string_view, 5> kSources = {".h", ".cpp", ".cu", ".cuh", ".inl"};
  std::vector<Violation> out;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path relative = fs::relative(entry.path(), root);
    if (entry.is_directory() && std::distance(relative.begin(), relative.end()) == 1 &&
        !layer_rules().contains(relative.string())) {
      out.push_back(
          {relative.string(), 0, "", "no layer has this name (tests/support/include_graph.cpp)"});
    }
    if (std::ranges::find(kSources, entry.path().extension().string()) != kSources.end()) {
      check_file(root, entry.path(), out);
    }
  }
  std::ranges::sort(out, {}, [](const Violation& v) { return std::pair(v.file, v.line); });
  return out;
}

}  // namespace seda::testing_support
