// SPDX-License-Identifier: Apache-2.0
#include "seda/base/shared_library.h"

#include <string_view>
#include <utility>

#include <dlfcn.h>

#include "seda/base/error.h"

namespace seda {
namespace {

/// dlerror begins with the name where it is that of the library itself.
std::string_view without_name(std::string_view reason, const std::string& name) {
  const std::string prefix = name + ": ";
  if (reason.starts_with(prefix)) reason.remove_prefix(prefix.size());
  return reason;
}

}  // namespace

SharedLibrary::SharedLibrary(const std::string& name, Visibility visibility)
    : handle_(dlopen(name.c_str(),
                     RTLD_NOW | (visibility == Visibility::global ? RTLD_GLOBAL : RTLD_LOCAL))) {
  if (handle_ == nullptr) {
    const char* reason = dlerror();
    throw_error(ErrorKind::unavailable, "cannot load {}: {}", name,
                reason == nullptr ? "no reason given" : without_name(reason, name));
  }
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr && !kept_) dlclose(handle_);
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), kept_(other.kept_) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(kept_, other.kept_);
  return *this;
}

void* SharedLibrary::symbol(const char* name) const noexcept {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace seda
