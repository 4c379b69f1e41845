// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/detail/audio_file.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

#include "seda/base/ascii.h"
#include "seda/dataset/audio_extension.h"
#include "seda/dataset/detail/unicode_name.h"

namespace seda::dataset::detail {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Fault fault(const char* code, const std::string& path, std::string_view found) {
  return {"", code, fmt::format("expected sound in {}, found {}", path, found)};
}

/// What stands at `path`: nothing (nullopt), a file to read, or something that is not one.
std::optional<Result<AudioFile>> look_at(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    if (errno == ELOOP) return fault("audio_not_a_file", path, "a link that leads to itself");
    return fault("audio_unreadable", path, std::generic_category().message(errno));
  }
  if (!S_ISREG(status.st_mode)) return fault("audio_not_a_file", path, kind_of(status.st_mode));
  if (status.st_size == 0) return fault("audio_empty", path, "an empty file");
  const int64_t time_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return AudioFile{path, static_cast<uint64_t>(status.st_size), time_ns};
}

/// `name` with each extension that it may have in truth, as written first.
std::vector<std::string> variants(std::string_view name) {
  const size_t known = audio_extension_length(name);
  const std::string stem(name.substr(0, name.size() - known));
  std::vector<std::string> list;
  if (known > 0) list.emplace_back(name);
  for (const std::string& extension : audio_extensions())
    list.push_back(stem + extension);
  for (const std::string& extension : audio_extensions())
    list.push_back(stem + upper_ascii(extension));
  if (known == 0) list.emplace_back(name);
  return list;
}

std::optional<Result<AudioFile>> look_for(std::string_view name,
                                          const std::vector<std::string>& bases) {
  for (const std::string& base : bases) {
    for (const std::string& variant : variants(name)) {
      if (auto found = look_at(base + variant)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> audio_folders(Format format) {
  switch (format) {
    case Format::ljspeech:
    case Format::split:
      return {"wavs/", "wav/", ""};
    case Format::common_voice:
      return {"clips/", ""};
    case Format::json_lines:
    case Format::table:
      return {"", "wavs/", "clips/"};
    case Format::vctk:
    case Format::libritts:
      return {""};
  }
  return {""};
}

AudioFinder::AudioFinder(const std::filesystem::path& corpus, std::vector<std::string> folders)
    : corpus_(corpus.string()), folders_(std::move(folders)) {
  if (!corpus_.ends_with('/')) corpus_ += '/';
}

std::vector<std::string> AudioFinder::bases(std::string_view name) const {
  if (name.starts_with('/')) return {""};
  std::vector<std::string> list;
  const bool has_folder = name.find('/') != std::string_view::npos;
  if (has_folder) list.push_back(corpus_);
  for (const std::string& folder : folders_) {
    if (!has_folder || !folder.empty()) list.push_back(corpus_ + folder);
  }
  return list;
}

std::string AudioFinder::first_place(std::string_view name) const {
  const bool known = audio_extension_length(name) > 0;
  std::string place = bases(name).front();
  place += name;
  return known ? place : place + audio_extensions().front();
}

Result<AudioFile> AudioFinder::find(std::string_view name) const {
  const std::string first = first_place(name);
  if (auto found = look_at(first)) return *found;
  const auto places = bases(name);
  if (auto found = look_for(name, places)) return *found;
  for (const std::string& spelling : other_spellings(name)) {
    if (auto found = look_for(spelling, places)) return *found;
  }
  if (name.find('\\') != std::string_view::npos) {  // written on Windows
    std::string slashes(name);
    std::ranges::replace(slashes, '\\', '/');
    return find(slashes);
  }
  return fault("audio_missing", first,
               "no such file, nor one with .wav .flac .ogg .opus .mp3, nor in another folder of "
               "this layout");
}

}  // namespace seda::dataset::detail
