# SPDX-License-Identifier: Apache-2.0
# Finds what the Python package is built with: a Python with its headers, and nanobind. Sets SEDA_PYTHON (ON/OFF),
# SEDA_PYTHON_SUMMARY and SEDA_PYTHON_PACKAGES, the folder of `scripts/setup.sh python`.

set(SEDA_PYTHON OFF)
set(SEDA_PYTHON_SUMMARY "no Python package (SEDA_WITH_PYTHON=OFF)")
if(SEDA_WITH_PYTHON STREQUAL "OFF" OR SEDA_SANITIZE)
  return()
endif()

set(SEDA_PYTHON_PACKAGES "${SEDA_HOME}/python")

# seda_no_python(reason): the build goes on without the package, unless that was asked for.
macro(seda_no_python reason)
  if(SEDA_WITH_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "SEDA_WITH_PYTHON=ON, but ${reason}")
  endif()
  set(SEDA_PYTHON_SUMMARY "no Python package (${reason})")
endmacro()

# The system's own, for which scripts/setup.sh installs packages; who wants another says so, as pip does.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python 3.10 COMPONENTS Interpreter Development.Module QUIET)
if(NOT Python_FOUND)
  seda_no_python("no Python 3.10 or later with its headers was found: install python3-dev")
  return()
endif()

execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=$ENV{PYTHONPATH}:${SEDA_PYTHON_PACKAGES}" "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  seda_no_python("nanobind is not there: scripts/setup.sh python installs it")
  return()
endif()
# The stable ABI (Python 3.12 and later) has no more to it here than the headers; CMake has this target since 3.26.
if(NOT TARGET Python::SABIModule)
  add_library(Python::SABIModule INTERFACE IMPORTED)
  target_link_libraries(Python::SABIModule INTERFACE Python::Module)
endif()
find_package(nanobind CONFIG REQUIRED)
set(SEDA_PYTHON ON)
set(SEDA_PYTHON_SUMMARY "Python ${Python_VERSION}")
