# SPDX-License-Identifier: Apache-2.0
# How every file of seda is compiled, and `seda_module`, the one way to add a folder of src/seda.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

find_program(SEDA_CCACHE ccache)
if(SEDA_CCACHE)
  # A precompiled header is found by its content, not by the time it was made; what one clone compiled serves another.
  set(seda_launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime" "${SEDA_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${seda_launcher}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${seda_launcher}")
endif()

add_library(seda_warnings INTERFACE)
target_compile_options(seda_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wcast-align;-Werror>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-unused-parameter,-Werror;--Werror=all-warnings>)

if(SEDA_SANITIZE)
  add_compile_options(-fsanitize=${SEDA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SEDA_SANITIZE})
endif()

# seda_precompile(TARGET header...)
#
# Headers that most files of TARGET include, read once for all of them where a sanitizer makes compiling slow. The plain
# build goes without: there each file must include what it uses.
function(seda_precompile target)
  if(SEDA_SANITIZE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# seda_module(NAME SOURCES file... [DEPENDS module...] [LIBRARIES target...])
#
# A folder of src/seda as the static library seda_NAME. DEPENDS are the layers it stands on; LIBRARIES are third-party
# and stay private to it.
function(seda_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_library(seda_${name} STATIC ${arg_SOURCES})
  target_include_directories(seda_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM arg_DEPENDS PREPEND seda_)
  target_link_libraries(seda_${name} PUBLIC ${arg_DEPENDS} PRIVATE seda_warnings ${arg_LIBRARIES})
  seda_precompile(seda_${name} <algorithm> <filesystem> <functional> <memory> <optional> <span> <string> <vector> <fmt/format.h>)
endfunction()

# seda_simd_sources(file...)
#
# Files that include Highway. Its baseline on x86 must have shuffles, which SSE2 alone lacks; wider instruction sets are
# chosen at run time. Vectors without a fixed size (SVE) cannot stand in arrays, as they do here: NEON serves those machines.
function(seda_simd_sources)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(options -msse4.2 -mpclmul -maes)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "${options}"
    COMPILE_DEFINITIONS "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endfunction()
