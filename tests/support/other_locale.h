// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clocale>
#include <cstdlib>
#include <string>

#include "tests/support/temporary_folder.h"

namespace seda::testing_support {

/// A locale made in a folder of its own, with localedef, so that the machine need not have it.
class MadeLocale {
 public:
  explicit MadeLocale(const std::string& name) : name_(name + ".UTF-8") {
    const std::string command =
        "localedef -i " + name + " -f UTF-8 '" + (folder_ / name_).string() + "' >/dev/null 2>&1";
    // 1 is localedef's for a locale that was made, with a warning.
    made_ = std::system(command.c_str()) >= 0 && std::filesystem::exists(folder_ / name_);
  }

  /// False where the machine has no localedef or not the locale's source.
  bool made() const { return made_; }
  const std::string& name() const { return name_; }

  /// What a shell puts before a command that is to run in it.
  std::string prefix() const {
    return "env LOCPATH='" + folder_.path().string() + "' LC_ALL=" + name_ + " LANG=" + name_ + " ";
  }

  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::string name_;
  bool made_ = false;
};

/// The process is in a made locale, as that of a host program may be, while this lives.
class InLocale {
 public:
  explicit InLocale(const MadeLocale& locale) : before_(std::setlocale(LC_ALL, nullptr)) {
    setenv("LOCPATH", locale.folder().c_str(), 1);
    entered_ = std::setlocale(LC_ALL, locale.name().c_str()) != nullptr;
  }
  ~InLocale() {
    std::setlocale(LC_ALL, before_.c_str());
    unsetenv("LOCPATH");
  }
  InLocale(const InLocale&) = delete;
  InLocale& operator=(const InLocale&) = delete;

  bool entered() const { return entered_; }

 private:
  std::string before_;
  bool entered_ = false;
};

}  // namespace seda::testing_support
