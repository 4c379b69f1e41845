// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/text_on_trial.h"

#include <utility>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"
#include "seda/config/diff.h"

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

/// A name that has no file yet.
fs::path free_name(const fs::path& file) {
  for (int number = 1;; ++number) {
    fs::path name = file;
    name += fmt::format(".bak-{}", number);
    if (!fs::exists(name)) return name;
  }
}

/// With the permissions of the file.
void copy_text(const fs::path& file, const fs::path& copy) {
  write_file(copy, read_file(file));
  std::error_code error;
  fs::permissions(copy, fs::status(file).permissions(), error);
  if (error) throw_errno("cannot set permissions of", copy.native(), error.value());
}

/// Moves the copy to where the file is, at the end of links: that takes no room.
bool move_back(const fs::path& backup, const fs::path& file) {
  std::error_code error;
  const fs::path target = fs::canonical(file, error);
  if (!error) fs::rename(backup, target, error);
  return !error;
}

}  // namespace

fs::path replace_text(const fs::path& file, const std::string& text) {
  const fs::path copy = free_name(file);
  try {
    copy_text(file, copy);
    write_file(file, text);
    return copy;
  } catch (const Error& error) {
    std::error_code ignored;  // where there is none it was not made
    fs::remove(copy, ignored);
    throw_error(error.kind(),
                "{}; {} is as it was: make room there, or allow it to be written, and run this "
                "again",
                error.what(), file.string());
  }
}

TextOnTrial::TextOnTrial(fs::path file, std::string before, const std::string& after)
    : file_(std::move(file)),
      before_(std::move(before)),
      diff_(config::diff(before_, after, file_.string())),
      backup_(replace_text(file_, after)) {}

TextOnTrial::~TextOnTrial() {
  if (settled_) return;
  try {
    take_back();
  } catch (const std::exception& error) {
    log::error("{}", error.what());
  }
}

void TextOnTrial::take_back() {
  settled_ = true;
  try {
    write_file(file_, before_);
  } catch (const Error& error) {
    if (!move_back(backup_, file_)) {
      throw_error(ErrorKind::io,
                  "{}; it holds what was tried, and its text before is in {}: copy that over it",
                  error.what(), backup_.string());
    }
    backup_.clear();
  }
}

}  // namespace seda::diagnose
