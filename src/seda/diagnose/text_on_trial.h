// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace seda::diagnose {

/// Puts `text` into the file and returns the copy of what was there: beside it, with its
/// permissions, under the first free of `<file>.bak-1`, `<file>.bak-2`, … Where one of them cannot
/// be written, the file is as it was, no copy is left, and the Error(io) says so.
std::filesystem::path replace_text(const std::filesystem::path& file, const std::string& text);

/// A new text of a file that is being judged: what was there before is there again when this ends,
/// also by an exception, unless it was kept. Its copy stays in either case.
class TextOnTrial {
 public:
  /// Throws as `replace_text` does.
  TextOnTrial(std::filesystem::path file, std::string before, const std::string& after);
  ~TextOnTrial();
  TextOnTrial(const TextOnTrial&) = delete;
  TextOnTrial& operator=(const TextOnTrial&) = delete;

  void keep() { settled_ = true; }

  /// Puts the text before in place. Where there is no room to write it, its copy is moved there,
  /// and `backup` is empty then; where that cannot be either, an Error(io) names the copy.
  void take_back();

  const std::string& diff() const { return diff_; }
  const std::filesystem::path& backup() const { return backup_; }

 private:
  std::filesystem::path file_;
  std::string before_;
  std::string diff_;
  std::filesystem::path backup_;
  bool settled_ = false;  // kept or taken back
};

}  // namespace seda::diagnose
