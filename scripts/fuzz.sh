#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fuzz target for SECONDS each: scripts/fuzz.sh SECONDS JOBS. Finds are kept in build-fuzz/finds.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
jobs=${2:-$(nproc)}

cmake --preset fuzz -Wno-dev >/dev/null
cmake --build build-fuzz --parallel "$jobs" --target fuzz_targets
mkdir -p build-fuzz/finds
for target in build-fuzz/bin/*_fuzz; do
  name=$(basename "$target")
  echo "fuzz: $name for $seconds s"
  mkdir -p "build-fuzz/corpus/$name"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build-fuzz/finds/$name-" "build-fuzz/corpus/$name" "fuzz/corpus/$name"
done
