// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

namespace seda {

/// A library opened while the program runs; closed with its owner unless `keep`.
class SharedLibrary {
 public:
  enum class Visibility { local, global };

  /// An Error(unavailable) carries the loader's own words.
  explicit SharedLibrary(const std::string& name, Visibility visibility = Visibility::local);
  ~SharedLibrary();

  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;

  /// `function<int(int)>("f")`: pointer to a function, or nullptr where the library has none of
  /// that name.
  template <typename Signature>
  std::add_pointer_t<Signature> function(const char* name) const {
    return reinterpret_cast<std::add_pointer_t<Signature>>(symbol(name));
  }

  /// Leaves the library loaded for the life of the process: for those that do not survive being
  /// unloaded.
  void keep() noexcept { kept_ = true; }

 private:
  void* symbol(const char* name) const noexcept;

  void* handle_ = nullptr;
  bool kept_ = false;
};

}  // namespace seda
