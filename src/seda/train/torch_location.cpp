// SPDX-License-Identifier: Apache-2.0
#include "seda/train/torch_location.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "seda/base/build_info.h"
#include "seda/base/program.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

struct Candidate {
  fs::path folder;
  std::string found_by;
};

/// `<prefix>/lib/python3.*/site-packages`, newest Python first.
std::vector<fs::path> package_folders(const fs::path& prefix) {
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", ignored)) {
    if (!entry.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      if (fs::is_directory(entry.path() / packages, ignored))
        out.push_back(entry.path() / packages);
    }
  }
  // 3.12 is newer than 3.9, and longer.
  std::ranges::sort(out, std::greater<>{},
                    [](const fs::path& path) { return std::pair(path.native().size(), path); });
  return out;
}

/// Prefixes of the Pythons that a plain `python3` may mean, likeliest first.
std::vector<fs::path> python_prefixes(const TorchSearch& search) {
  std::vector<fs::path> out;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const auto prefix = search.environment(name)) out.emplace_back(*prefix);
  }
  std::istringstream path(search.environment("PATH").value_or(""));
  std::error_code ignored;
  for (std::string folder; std::getline(path, folder, ':');) {
    if (folder.empty() || !fs::exists(fs::path(folder) / "python3", ignored)) continue;
    out.push_back(fs::path(folder).parent_path());
    const auto real = fs::canonical(fs::path(folder) / "python3", ignored);
    if (!real.empty()) out.push_back(real.parent_path().parent_path());
  }
  if (const auto home = search.environment("HOME")) out.push_back(fs::path(*home) / ".local");
  return out;
}

fs::path setup_folder(const TorchSearch& search) {
  const fs::path name = "torch-" + search.wanted_version;
  if (const auto home = search.environment("SEDA_HOME")) return fs::path(*home) / name;
  if (const auto data = search.environment("XDG_DATA_HOME")) return fs::path(*data) / "seda" / name;
  return fs::path(search.environment("HOME").value_or("/")) / ".local/share/seda" / name;
}

std::vector<Candidate> candidates(const TorchSearch& search) {
  if (const auto given = search.environment("SEDA_TORCH")) return {{*given, "SEDA_TORCH"}};
  std::vector<Candidate> out = {{search.program_root, "beside the program"},
                                {setup_folder(search), "set-up folder"}};
  std::set<fs::path> known;  // a folder has many names: /lib is /usr/lib
  std::error_code ignored;
  for (const fs::path& prefix : python_prefixes(search)) {
    for (const fs::path& folder : package_folders(prefix)) {
      if (known.insert(fs::canonical(folder, ignored)).second)
        out.push_back({folder, "active Python"});
    }
  }
  return out;
}

/// `__version__` of the torch package in `folder`, if there is one.
std::optional<std::string> read_torch_version(const fs::path& folder) {
  std::ifstream file(folder / "torch/version.py");
  constexpr std::string_view kStart = "__version__ = '";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kStart)) continue;
    return line.substr(kStart.size(), line.find('\'', kStart.size()) - kStart.size());
  }
  return std::nullopt;
}

}  // namespace

TorchSearch TorchSearch::of_this_process() {
  return {.environment = [](const char* name) -> std::optional<std::string> {
            const char* value = std::getenv(name);
            if (value == nullptr || *value == '\0') return std::nullopt;
            return value;
          },
          .program_root = seda::program_root(),
          .wanted_version = std::string(build_info().torch)};
}

bool same_release(const std::string& found, const std::string& wanted) {
  const auto release = [](const std::string& version) {
    const auto minor = version.find('.');
    return version.substr(0, version.find_first_not_of("0123456789", minor + 1));
  };
  return !wanted.empty() && release(found) == release(wanted);
}

std::variant<TorchLocation, TorchMissing> find_torch(const TorchSearch& search) {
  if (search.wanted_version.empty()) return TorchMissing{"this build has no trainer (TORCH=OFF)"};
  std::string looked;
  for (const Candidate& candidate : candidates(search)) {
    const auto version = read_torch_version(candidate.folder);
    if (version && same_release(*version, search.wanted_version)) {
      return TorchLocation{candidate.folder, *version, candidate.found_by};
    }
    looked += fmt::format("{}{} ({}{})", looked.empty() ? "" : ", ", candidate.folder.string(),
                          candidate.found_by, version ? fmt::format(", with {}", *version) : "");
  }
  if (const auto given = search.environment("SEDA_TORCH"); given && !read_torch_version(*given)) {
    return TorchMissing{fmt::format(
        "SEDA_TORCH={} holds no torch/version.py; it should name the folder that holds torch/",
        *given)};
  }
  return TorchMissing{fmt::format(
      "torch {0} not found: looked in {1}{2}; run scripts/setup.sh torch in a clone of "
      "seda, or pip install torch=={0}, or set SEDA_TORCH to the folder that holds "
      "torch/",
      search.wanted_version, looked, search.environment("HOME") ? "" : "; HOME is not set")};
}

}  // namespace seda::train
