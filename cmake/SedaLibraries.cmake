# SPDX-License-Identifier: Apache-2.0
# Libraries without a CMake package of their own, as targets.
find_package(PkgConfig REQUIRED)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc icu-i18n)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(SNDFILE REQUIRED IMPORTED_TARGET sndfile)
pkg_check_modules(MPG123 REQUIRED IMPORTED_TARGET libmpg123)
pkg_check_modules(SOXR REQUIRED IMPORTED_TARGET soxr)
pkg_check_modules(EBUR128 REQUIRED IMPORTED_TARGET libebur128)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)

# CLD2 finds its tables by name: the full ones must come first, and must be kept although nothing here names them.
find_library(SEDA_CLD2_FULL cld2_full REQUIRED)
find_library(SEDA_CLD2 cld2 REQUIRED)
add_library(seda_cld2 INTERFACE)
target_link_libraries(seda_cld2 INTERFACE
  "-Wl,--push-state,--no-as-needed" "${SEDA_CLD2_FULL}" "-Wl,--pop-state" "${SEDA_CLD2}")

# Highway: its headers alone. What dispatch needs of the library is in src/seda/audio/detail/simd_targets.cpp.
find_path(SEDA_HWY hwy/highway.h REQUIRED)
