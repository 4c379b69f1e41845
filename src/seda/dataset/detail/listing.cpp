// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/listing.h"

#include <algorithm>
#include <system_error>

#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/interrupt.h"
#include "seda/dataset/detail/lines.h"

namespace seda::dataset::detail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHead = size_t{64} << 10;

void find_into(const fs::path& folder, const std::vector<std::string>& suffixes, int depth,
               size_t limit, std::vector<fs::path>& found) {
  throw_if_interrupted();
  const Listing listing = list_folder(folder);
  for (const std::string& name : listing.files) {
    if (found.size() >= limit) return;
    const auto fits = [&](const std::string& suffix) { return name.ends_with(suffix); };
    if (std::ranges::any_of(suffixes, fits)) found.push_back(folder / name);
  }
  if (depth == 0) return;
  for (const std::string& name : listing.folders) {
    if (found.size() >= limit) return;
    find_into(folder / name, suffixes, depth - 1, limit, found);
  }
}

}  // namespace

bool Listing::has_file(std::string_view name) const {
  return std::ranges::binary_search(files, name);
}

bool Listing::has_folder(std::string_view name) const {
  return std::ranges::binary_search(folders, name);
}

Listing list_folder(const fs::path& folder) {
  Listing listing{folder, {}, {}};
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code ignored;  // a link to nothing is no folder
    (entry->is_directory(ignored) ? listing.folders : listing.files).push_back(name);
  }
  if (error) throw_errno("cannot read folder", folder.native(), error.value());
  std::ranges::sort(listing.files);
  std::ranges::sort(listing.folders);
  return listing;
}

std::string read_head(const fs::path& file) {
  try {
    struct stat status{};
    const FileDescriptor opened = open_regular_file(file, status);
    std::string head(kHead, '\0');
    const ssize_t got = read(opened.get(), head.data(), head.size());
    head.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
    return head;
  } catch (const Error&) {
    return {};
  }
}

std::string read_first_line(const fs::path& file) {
  const std::string head = read_head(file);
  const std::string_view line = first_line(head);
  return line.find('\0') == std::string_view::npos ? std::string(line) : std::string();
}

std::vector<fs::path> find_below(const fs::path& folder, const std::vector<std::string>& suffixes,
                                 int depth, size_t limit) {
  std::vector<fs::path> found;
  find_into(folder, suffixes, depth, limit, found);
  return found;
}

}  // namespace seda::dataset::detail
