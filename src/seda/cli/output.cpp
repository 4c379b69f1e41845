// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/log.h"

namespace seda::cli {

void configure_log(const Common& common) {
  log::Options options{.color = color_suits(STDERR_FILENO)};
  if (common.quiet) options.level = log::Level::error;
  if (common.verbose) options.level = log::Level::debug;
  log::configure(options);
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    throw_errno("cannot write to", "standard output", errno);
  }
}

void print_json(const Json& value) {
  print(to_json_text(value) + "\n");
}

int flush_output() {
  if (std::fflush(stdout) != 0) throw_errno("cannot write to", "standard output", errno);
  return 0;
}

void check_writable(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (file.empty() || fs::is_other(file, none)) return;
  const fs::path target = fs::exists(file, none) ? fs::canonical(file, none) : fs::path(file);
  if (fs::is_directory(target, none)) {
    throw_error(ErrorKind::io, "cannot write {}: expected a file, found a folder", file);
  }
  const fs::path folder = folder_of(target);
  if (fs::is_directory(folder, none) && access(folder.c_str(), W_OK) == 0) return;
  throw_error(ErrorKind::io, "cannot write {}: expected a folder {} that can be written to", file,
              folder.string());
}

void put_file(std::string_view what, const std::string& file, std::string_view content) {
  if (file.empty()) return;
  write_file(file, content);
  log::info("{}: {}", what, file);
}

void do_each(const std::vector<std::function<void()>>& tasks) {
  std::exception_ptr first;
  for (const auto& task : tasks) {
    try {
      task();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

bool color_suits(int descriptor) {
  const char* forbidden = std::getenv("NO_COLOR");
  if (forbidden != nullptr && *forbidden != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return isatty(descriptor) == 1;
}

}  // namespace seda::cli
