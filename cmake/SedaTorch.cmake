# SPDX-License-Identifier: Apache-2.0
# Finds the torch package and makes seda::torch. Its own CMake files insist on a CUDA toolkit; linking its libraries by
# name needs none. Sets SEDA_TORCH_VERSION, SEDA_TORCH_FOLDER and SEDA_TORCH_SUMMARY.

set(SEDA_TORCH_VERSION 2.11.0)
set(SEDA_TORCH_SUMMARY "no trainer (SEDA_WITH_TORCH=OFF)")
if(NOT SEDA_WITH_TORCH)
  return()
endif()

if(DEFINED ENV{SEDA_TORCH})
  set(SEDA_TORCH_FOLDER "$ENV{SEDA_TORCH}")
else()
  set(SEDA_TORCH_FOLDER "${SEDA_HOME}/torch-${SEDA_TORCH_VERSION}")
endif()
set(torch "${SEDA_TORCH_FOLDER}/torch")
if(NOT EXISTS "${torch}/include/torch/csrc/api/include/torch/torch.h")
  message(FATAL_ERROR "torch ${SEDA_TORCH_VERSION} was expected in ${SEDA_TORCH_FOLDER}: run scripts/setup.sh torch, "
                      "or build without the trainer (make build TORCH=OFF)")
endif()

add_library(seda_torch INTERFACE)
add_library(seda::torch ALIAS seda_torch)
target_include_directories(seda_torch SYSTEM INTERFACE
  "${torch}/include" "${torch}/include/torch/csrc/api/include")
target_link_directories(seda_torch INTERFACE "${torch}/lib")
# Among them is a newer fmt than the system's, which no library here holds.
target_compile_definitions(seda_torch INTERFACE FMT_HEADER_ONLY)
target_link_libraries(seda_torch INTERFACE torch_cpu c10)
if(SEDA_CUDA)
  target_link_libraries(seda_torch INTERFACE -Wl,--no-as-needed torch_cuda c10_cuda -Wl,--as-needed CUDA::toolkit)
endif()
set(SEDA_TORCH_SUMMARY "torch ${SEDA_TORCH_VERSION} in ${SEDA_TORCH_FOLDER}")

# What a program that links torch, and is run where it was built, needs beside it.
add_library(seda_torch_in_place INTERFACE)
target_link_libraries(seda_torch_in_place INTERFACE seda_torch)
target_link_options(seda_torch_in_place INTERFACE "-Wl,-rpath,${torch}/lib")

# seda_torch_module(NAME SOURCES file... [DEPENDS module...])
#
# Sources that include torch, as the static library seda_NAME. Its headers take seconds to read, and what
# they inline seconds more to compile: once for several files, not once a file.
function(seda_torch_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(seda_${name} STATIC ${arg_SOURCES})
  set_target_properties(seda_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  target_include_directories(seda_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  # A file among others is taken for a header, whose types would be seen elsewhere.
  target_compile_options(seda_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  list(TRANSFORM arg_DEPENDS PREPEND seda_)
  target_link_libraries(seda_${name} PUBLIC ${arg_DEPENDS} seda::torch PRIVATE seda_warnings)
  seda_torch_header(seda_${name})
endfunction()

# seda_torch_header(TARGET): the precompiled <torch/torch.h>, made by the first that asks. All who use it are compiled
# alike: programs as libraries are, too.
function(seda_torch_header target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -fPIC)
  get_property(first GLOBAL PROPERTY SEDA_TORCH_HEADER)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE <torch/torch.h>)
    set_property(GLOBAL PROPERTY SEDA_TORCH_HEADER ${target})
  endif()
endfunction()
