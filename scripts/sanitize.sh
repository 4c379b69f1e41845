#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests of the torch-free part under address+undefined and under thread sanitizers: scripts/sanitize.sh JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}

for preset in address thread; do
  echo "sanitize: $preset"
  cmake --preset "$preset" -Wno-dev >/dev/null
  cmake --build "build-$preset" --parallel "$jobs"
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/scripts/thread_sanitizer.supp" \
    scripts/test.sh "build-$preset" "$jobs"
done
