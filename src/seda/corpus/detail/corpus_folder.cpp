// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/detail/corpus_folder.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/audio/wav_writer.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/interrupt.h"

namespace seda::corpus::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecipe = ".seda-corpus.json";
constexpr const char* kLock = ".seda-corpus.lock";
constexpr std::string_view kOwn = ".seda-corpus.";
constexpr const char* kMetadata = "metadata.csv";
constexpr size_t kHeader = 44;

/// Whether there is nothing but what a run leaves that was cut short before its first clip.
bool holds_nothing(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename().string().find(kOwn) == std::string::npos) return false;
  }
  if (error) throw_errno("cannot read folder", folder.native(), error.value());
  return true;
}

/// What was asked then and now, as far as it differs: "voices: [\"slt\"] then, [\"rms\"] now".
std::string differences(const Json& then, const Json& now) {
  std::string out;
  for (const auto& [key, value] : now.items()) {
    const Json earlier = then.is_object() && then.contains(key) ? then[key] : Json();
    if (earlier == value) continue;
    out += fmt::format("{}{}: {} then, {} now", out.empty() ? "" : "; ", key,
                       to_json_text(earlier, -1), to_json_text(value, -1));
  }
  return out;
}

Json read_recipe(const fs::path& file) {
  try {
    return parse_json(read_file(file, 1 << 20), file.string());
  } catch (const Error&) {
    return nullptr;
  }
}

void refuse_another(const fs::path& folder, const Json& recipe) {
  std::error_code ignored;
  if (!fs::exists(folder / kRecipe, ignored)) {
    throw_error(ErrorKind::usage,
                "{}: expected an empty folder, or one this command was making; found other files. "
                "Name another folder, or --force to write into it",
                folder.string());
  }
  const std::string different = differences(read_recipe(folder / kRecipe), recipe);
  if (different.empty()) return;
  throw_error(
      ErrorKind::usage,
      "{} holds another practice corpus ({}). Name another folder, or --force to replace it",
      folder.string(), different);
}

}  // namespace

CorpusFolder::CorpusFolder(fs::path folder, const Json& recipe, bool force,
                           const std::vector<std::string>& clips)
    : folder_(std::move(folder)) {
  std::error_code ignored;
  const auto status = fs::status(folder_, ignored);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw_error(ErrorKind::usage, "{}: expected a folder to make the corpus in, found a file",
                folder_.string());
  }
  const bool fresh = !fs::exists(status) || holds_nothing(folder_);
  if (!fresh && !force) refuse_another(folder_, recipe);
  create_folders(folder_);
  lock_.emplace(folder_ / kLock);
  resumes_ = !fresh && !force;
  if (!resumes_) {
    fs::remove(folder_ / kMetadata, ignored);
    remove(clips);
    write_file(folder_ / kRecipe, to_json_text(recipe) + "\n");
  }
}

void CorpusFolder::remove(const std::vector<std::string>& clips) const {
  for (const std::string& clip : clips) {
    throw_if_interrupted();
    if (unlink((folder_ / clip).c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
      throw_errno("cannot remove", (folder_ / clip).native(), errno);
    }
  }
}

void CorpusFolder::finish(const std::string& metadata) const {
  sync_file_system(folder_);
  write_file(folder_ / kMetadata, metadata);
}

std::optional<double> whole_wav_seconds(const fs::path& file, int sample_rate) {
  try {
    struct stat status{};
    const FileDescriptor opened = open_regular_file(file, status);
    std::array<char, kHeader> header{};
    if (read(opened.get(), header.data(), header.size()) != ssize_t{kHeader}) return std::nullopt;
    uint32_t bytes = 0;
    std::memcpy(&bytes, header.data() + kHeader - sizeof bytes, sizeof bytes);
    const std::string expected = audio::wav_header(bytes, sample_rate);
    const bool whole = static_cast<uint64_t>(status.st_size) == kHeader + uint64_t{bytes} &&
                       bytes > 0 && std::memcmp(header.data(), expected.data(), kHeader) == 0;
    if (!whole) return std::nullopt;
    const size_t samples = bytes / sizeof(int16_t);
    return static_cast<double>(samples) / sample_rate;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace seda::corpus::detail
