// SPDX-License-Identifier: Apache-2.0
#include "seda/text/espeak_location.h"

#include <cstdlib>
#include <optional>

#include <dlfcn.h>
#include <link.h>

#include "seda/base/error.h"
#include "seda/base/program.h"

namespace seda::text {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libespeak-ng.so.1";

/// The layout of a bundle: `lib/` and `espeak-ng-data/` side by side.
std::optional<EspeakLocation> in_folder(const fs::path& folder) {
  const fs::path library = folder / "lib" / kLibrary;
  if (!fs::exists(library) || !fs::is_directory(folder / "espeak-ng-data")) return std::nullopt;
  return EspeakLocation{library, folder};
}

/// What the system's loader finds under the library's name.
std::optional<EspeakLocation> in_system() {
  void* handle = dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return std::nullopt;
  std::optional<EspeakLocation> found;
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0)
    found = EspeakLocation{map->l_name, {}};
  dlclose(handle);
  return found;
}

}  // namespace

EspeakLocation find_espeak() {
  if (const char* named = std::getenv("SEDA_ESPEAK"); named != nullptr && *named != '\0') {
    if (const auto found = in_folder(named)) return *found;
    throw_error(ErrorKind::unavailable,
                "SEDA_ESPEAK={}: expected lib/{} and espeak-ng-data/ in that folder; correct it or "
                "unset it to use the system's espeak-ng",
                named, kLibrary);
  }
  if (const auto found = in_folder(program_root() / "espeak-ng")) return *found;
  if (const auto found = in_system()) return *found;
  throw_error(
      ErrorKind::unavailable,
      "espeak-ng is not installed, and phonemes need it; install the packages libespeak-ng1 "
      "and espeak-ng-data (apt-get install libespeak-ng1 espeak-ng-data), or speak in "
      "letters with data.text.phonemes: false");
}

}  // namespace seda::text
