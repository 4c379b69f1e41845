#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every test below BUILD; the last line is the count: scripts/test.sh BUILD JOBS
set -uo pipefail
cd "$(dirname "$0")/.." || exit
readonly build=$1 jobs=${2:-$(nproc)}
readonly results=$build/test_results.xml

rm -f "$results"
ctest --test-dir "$build" --output-on-failure --parallel "$jobs" --output-junit "$PWD/$results"
status=$?

# <testsuite … tests="850" failures="0" disabled="0" skipped="85" …>
count() { grep -m1 -oE "$1=\"[0-9]+\"" "$results" | grep -oE '[0-9]+'; }
total=$(count tests) failed=$(count failures) skipped=$(count skipped)
echo "$((total - failed - skipped)) passed, $failed failed, $skipped skipped"
[ "$total" -gt 0 ] || status=1
exit "$status"
