// SPDX-License-Identifier: Apache-2.0
#include "seda/train/checkpoint_folder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/hash.h"
#include "seda/base/log.h"
#include "seda/base/mapped_file.h"
#include "seda/base/units.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kUnfinished = ".step-";
constexpr const char* kBest = "best";
constexpr const char* kNewBest = ".best";  // until it is renamed

std::string hash_of(const fs::path& file) {
  const MappedFile content(file);
  return hash128(content.bytes()).hex();
}

void write_files(const fs::path& folder, const EngineState& state, const CheckpointText& text) {
  write_safetensors(folder / kAverageFile, state.average, text.metadata);
  write_safetensors(folder / kTrainingFile, state.training, {{"format", "pt"}});
  write_file(folder / kDescriptionFile,
             text.describe({.average = hash_of(folder / kAverageFile),
                            .training = hash_of(folder / kTrainingFile)}));
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  fs::rename(from, to, problem);
  if (problem) throw_errno("rename to", to.string(), problem.value());
}

/// Into a new folder `<run>/before-<n>`, which is returned. What is not there is passed over.
fs::path move_aside(const fs::path& run_folder, const std::vector<fs::path>& paths) {
  int number = 1;
  while (fs::exists(run_folder / fmt::format("before-{}", number)))
    ++number;
  fs::path aside = run_folder / fmt::format("before-{}", number);
  create_folders(aside);
  for (const fs::path& path : paths) {
    if (fs::exists(fs::symlink_status(path))) move(path, aside / path.filename());
  }
  return aside;
}

/// What is there already is moved aside. A plain rename: not every file system has the other kinds.
void put_in_place(const fs::path& from, const fs::path& to) {
  if (fs::exists(to)) move_aside(folder_of(to), {to});
  move(from, to);
  sync_folder(folder_of(to));
}

/// Fewer updates first.
auto order_of(const fs::path& checkpoint) {
  std::string name = checkpoint.filename().string();
  return std::pair(name.size(), std::move(name));  // more digits, more updates
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

void check_hash(const fs::path& file, const std::string& expected) {
  const std::string found = hash_of(file);
  if (found == expected) return;
  throw_error(ErrorKind::io,
              "{}: damaged: expected the hash {}, found {}; go on from an earlier checkpoint "
              "(--resume), or start anew (--reset-training)",
              file.string(), expected, found);
}

/// A name that is no checkpoint's, and that `prune_checkpoints` removes.
fs::path unfinished_path(const fs::path& run_folder, const std::string& name) {
  return run_folder / fmt::format(".{}.{}", name, ::getpid());
}

/// Under another name first: a kill in the middle must not leave half a checkpoint.
void try_remove(const fs::path& folder) {
  fs::path leaving = folder;
  std::error_code problem;
  if (folder.filename().string().starts_with(kPrefix)) {
    leaving = unfinished_path(folder_of(folder), folder.filename().string());
    fs::rename(folder, leaving, problem);
  }
  if (!problem) fs::remove_all(leaving, problem);
  if (problem) log::warning("{} could not be removed: {}", folder.string(), problem.message());
}

}  // namespace

std::string checkpoint_name(uint64_t updates) {
  return fmt::format("{}{:08}", kPrefix, updates);
}

fs::path write_checkpoint_folder(const fs::path& run_folder, uint64_t updates,
                                 const EngineState& state, const CheckpointText& text) {
  const std::string name = checkpoint_name(updates);
  const UnfinishedFolder unfinished(unfinished_path(run_folder, name));
  write_files(unfinished.path(), state, text);
  sync_folder(unfinished.path());
  put_in_place(unfinished.path(), run_folder / name);
  return run_folder / name;
}

fs::path find_checkpoint_folder(const fs::path& folder) {
  if (fs::exists(folder / kDescriptionFile)) return folder;
  const auto all = list_checkpoints(folder);
  if (!all.empty()) return all.back();
  throw_error(ErrorKind::io,
              "{}: expected a checkpoint ({}) or a folder of checkpoints ({}00001000), found {}",
              folder.string(), kDescriptionFile, kPrefix,
              fs::exists(folder) ? "neither" : "no such folder");
}

void check_hashes(const fs::path& folder, const FileHashes& hashes) {
  check_hash(folder / kAverageFile, hashes.average);
  check_hash(folder / kTrainingFile, hashes.training);
}

std::vector<fs::path> list_checkpoints(const fs::path& run_folder) {
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(run_folder, none)) {
    if (entry.path().filename().string().starts_with(kPrefix) &&
        fs::exists(entry.path() / kDescriptionFile)) {
      out.push_back(entry.path());
    }
  }
  std::ranges::sort(out, {}, order_of);
  return out;
}

void prune_checkpoints(const fs::path& run_folder, size_t keep, const fs::path& best) {
  const auto all = list_checkpoints(run_folder);
  for (size_t i = 0; i + keep < all.size(); ++i) {
    if (all[i].filename() != best.filename()) try_remove(all[i]);
  }
  remove_unfinished(run_folder);
}

void remove_unfinished(const fs::path& run_folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(run_folder, none)) {
    if (entry.path().filename().string().starts_with(kUnfinished)) try_remove(entry.path());
  }
  fs::remove(run_folder / kNewBest, none);
}

fs::path best_checkpoint(const fs::path& run_folder) {
  std::error_code none;
  const fs::path name = fs::read_symlink(run_folder / kBest, none);
  return name.empty() ? fs::path() : run_folder / name;
}

void point_best_at(const fs::path& run_folder, const std::string& name) {
  const fs::path made = run_folder / kNewBest;
  std::error_code problem;
  fs::remove(made, problem);
  fs::create_symlink(name, made, problem);
  if (!problem) fs::rename(made, run_folder / kBest, problem);
  if (problem) throw_errno("cannot make", (run_folder / kBest).string(), problem.value());
  sync_folder(run_folder);
}

void put_checkpoints_aside(const fs::path& run_folder) {
  auto moved = list_checkpoints(run_folder);
  if (moved.empty()) return;
  const size_t count = moved.size();
  moved.insert(moved.end(), {run_folder / kBest, run_folder / "log.jsonl"});
  const fs::path aside = move_aside(run_folder, moved);
  log::info("starting anew: {} moved to {}", format_count(count, "checkpoint"), aside.string());
}

void put_later_checkpoints_aside(const fs::path& run_folder, const fs::path& newest) {
  auto later = list_checkpoints(run_folder);
  std::erase_if(later, [&](const fs::path& path) { return order_of(path) <= order_of(newest); });
  if (later.empty()) return;
  const size_t count = later.size();
  if (std::ranges::find(later, best_checkpoint(run_folder)) != later.end())
    later.push_back(run_folder / kBest);
  const fs::path aside = move_aside(run_folder, later);
  log::info("{} later checkpoints, of before this run went back, were moved to {}", count,
            aside.string());
}

}  // namespace seda::train
