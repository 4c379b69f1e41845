# SPDX-License-Identifier: Apache-2.0
# Run at every build (cmake -P): asks git for the commit and writes OUTPUT, which changes only when its text does.

execute_process(COMMAND git describe --always --dirty --exclude=* --abbrev=12
                WORKING_DIRECTORY "${SOURCE_FOLDER}" OUTPUT_VARIABLE SEDA_COMMIT
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(SEDA_COMMIT "unknown")
endif()
configure_file("${SOURCE_FOLDER}/cmake/build_info.cpp.in" "${OUTPUT}" @ONLY)
