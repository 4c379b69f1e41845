// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint.h"

#include <algorithm>
#include <cstdio>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/hash.h"
#include "seda/base/log.h"
#include "seda/base/mapped_file.h"
#include "seda/feed/text_options.h"
#include "seda/train/detail/checkpoint_description.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;
using detail::kAverageFile;
using detail::kTrainingFile;

constexpr const char* kDescription = "checkpoint.json";
constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kUnfinished = ".step-";

std::string hash_of(const fs::path& file) {
  const MappedFile content(file);
  return hash128(content.bytes()).hex();
}

void write_files(const fs::path& folder, const VoiceDescription& voice, const RunProgress& progress,
                 const EngineState& state) {
  write_safetensors(folder / kAverageFile, state.average, {{"format", "pt"}});
  write_safetensors(folder / kTrainingFile, state.training, {{"format", "pt"}});
  write_file(folder / kDescription,
             detail::to_text({.version = std::string(build_info().version),
                              .progress = progress,
                              .voice = voice,
                              .average_hash = hash_of(folder / kAverageFile),
                              .training_hash = hash_of(folder / kTrainingFile)}));
}

/// In one step, whether or not something of that name is there.
void put_in_place(const fs::path& from, const fs::path& to) {
  const unsigned how = fs::exists(to) ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), how) != 0) {
    throw_errno("rename to", to.string(), errno);
  }
  sync_folder(folder_of(to));
  fs::remove_all(from);
}

/// Removed unless it became a checkpoint.
class UnfinishedFolder {
 public:
  explicit UnfinishedFolder(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    create_folders(path_);
  }
  ~UnfinishedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

fs::path newest_below(const fs::path& folder) {
  if (fs::exists(folder / kDescription)) return folder;
  const auto all = list_checkpoints(folder);
  if (!all.empty()) return all.back();
  throw_error(ErrorKind::io,
              "{}: expected a checkpoint ({}) or a folder of checkpoints ({}00001000), found {}",
              folder.string(), kDescription, kPrefix,
              fs::exists(folder) ? "neither" : "no such folder");
}

void check_hash(const fs::path& file, const std::string& expected) {
  const std::string found = hash_of(file);
  if (found == expected) return;
  throw_error(ErrorKind::io,
              "{}: damaged: expected the hash {}, found {}; go on from an earlier checkpoint "
              "(--resume), or start anew (--reset-training)",
              file.string(), expected, found);
}

void try_remove(const fs::path& folder) {
  std::error_code problem;
  fs::remove_all(folder, problem);
  if (problem) log::warning("{} could not be removed: {}", folder.string(), problem.message());
}

}  // namespace

std::string checkpoint_name(uint64_t updates) {
  return fmt::format("{}{:08}", kPrefix, updates);
}

fs::path write_checkpoint(const fs::path& runs, const VoiceDescription& voice,
                          const RunProgress& progress, const EngineState& state) {
  const std::string name = checkpoint_name(progress.updates);
  const UnfinishedFolder unfinished(runs / fmt::format(".{}.{}", name, ::getpid()));
  write_files(unfinished.path(), voice, progress, state);
  sync_folder(unfinished.path());
  put_in_place(unfinished.path(), runs / name);
  return runs / name;
}

std::vector<fs::path> list_checkpoints(const fs::path& runs) {
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(runs, none)) {
    if (entry.path().filename().string().starts_with(kPrefix) &&
        fs::exists(entry.path() / kDescription)) {
      out.push_back(entry.path());
    }
  }
  std::ranges::sort(out, {}, [](const fs::path& path) {
    const std::string name = path.filename().string();
    return std::pair(name.size(), name);  // more digits, more updates
  });
  return out;
}

void prune_checkpoints(const fs::path& runs, size_t keep, const fs::path& best) {
  const auto all = list_checkpoints(runs);
  for (size_t i = 0; i + keep < all.size(); ++i) {
    if (all[i].filename() != best.filename()) try_remove(all[i]);
  }
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(runs, none)) {
    if (entry.path().filename().string().starts_with(kUnfinished)) try_remove(entry.path());
  }
}

Checkpoint Checkpoint::open(const fs::path& folder, bool verify) {
  Checkpoint out;
  out.folder_ = newest_below(folder);
  const std::string where = (out.folder_ / kDescription).string();
  auto description = detail::parse_checkpoint(read_file(where), where);
  if (verify) {
    check_hash(out.folder_ / kAverageFile, description.average_hash);
    check_hash(out.folder_ / kTrainingFile, description.training_hash);
  }
  out.version_ = std::move(description.version);
  out.progress_ = description.progress;
  out.voice_ = std::move(description.voice);
  return out;
}

SafetensorsFile Checkpoint::average() const {
  return SafetensorsFile(folder_ / kAverageFile);
}

SafetensorsFile Checkpoint::training() const {
  return SafetensorsFile(folder_ / kTrainingFile);
}

std::unique_ptr<text::Frontend> Checkpoint::frontend() const {
  text::FrontendOptions options = feed::text_options(voice_.config).frontend;
  options.fallback_language = voice_.language;
  const std::string where = (folder_ / kDescription).string();
  return std::make_unique<text::Frontend>(
      options, text::read_tokenizer(parse_json(voice_.tokenizer, where), where));
}

}  // namespace seda::train
