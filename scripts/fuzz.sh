#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fuzz target for SECONDS each, JOBS at a time: scripts/fuzz.sh SECONDS JOBS. What ends one is kept in build-fuzz/finds,
# what each said in build-fuzz/logs; one line a target, and exit code 1 where any found something.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly seconds=${1:-60} jobs=${2:-$(nproc)}

fuzz_one() {
  local name=$1 seconds=$2 log=build-fuzz/logs/$1.txt status=0 executions
  mkdir -p "build-fuzz/corpus/$name"
  "build-fuzz/bin/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build-fuzz/finds/$name-" "build-fuzz/corpus/$name" "fuzz/corpus/$name" >"$log" 2>&1 || status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$status" -eq 0 ]; then
    printf 'fuzz: %s: %s s, %s executions, nothing found\n' "$name" "$seconds" "$executions"
  else
    printf 'fuzz: %s: ended with %s, see %s and build-fuzz/finds\n' "$name" "$status" "$log" >&2
    return 1
  fi
}
export -f fuzz_one

cmake --preset fuzz -Wno-dev >/dev/null
cmake --build build-fuzz --parallel "$jobs" --target fuzz_targets
mkdir -p build-fuzz/finds build-fuzz/logs
for target in build-fuzz/bin/*_fuzz; do basename "$target"; done |
  xargs -P "$jobs" -I{} bash -c 'fuzz_one "$@"' _ {} "$seconds" || exit 1  # xargs itself says 123
