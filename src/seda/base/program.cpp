// SPDX-License-Identifier: Apache-2.0
#include "seda/base/program.h"

#include <dlfcn.h>
#include <link.h>

#include "seda/base/error.h"

namespace seda {
namespace {

/// The library that holds this code; empty where the program itself does.
std::filesystem::path own_library() {
  Dl_info about{};
  link_map* library = nullptr;
  const int found = dladdr1(reinterpret_cast<const void*>(&program_root), &about,
                            reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP);
  if (found == 0 || library == nullptr) return {};
  return library->l_name;
}

std::filesystem::path own_file() {
  const auto library = own_library();
  if (!library.empty()) return std::filesystem::absolute(library);
  std::error_code failed;
  auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) throw_errno("cannot read", "/proc/self/exe", failed.value());
  return program;
}

}  // namespace

std::filesystem::path program_root() {
  static const std::filesystem::path root = own_file().parent_path().parent_path();
  return root;
}

}  // namespace seda
