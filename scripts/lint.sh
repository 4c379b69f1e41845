#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   scripts/lint.sh format         rewrites every source file in the project's format
#   scripts/lint.sh check BUILD    format, clang-tidy, shellcheck, Persian documents; changes nothing
#
# clang-tidy reads src, bench and fuzz; tests are held to the compiler's warnings and the sanitizers. It reads what
# differs, committed or not, from the commit that .ci/linted names, at which everything was read and found clean; all of it
# with LINT_ALL=1, or where that commit is not there. A header that changed brings in the files of its folder. Results are
# kept by content, so that a second run reads only what is new.
set -euo pipefail
cd "$(dirname "$0")/.."

sources() { git ls-files --cached --others --exclude-standard -- '*.h' '*.cpp' '*.cu' '*.cuh'; }

scripts() { git ls-files --cached --others --exclude-standard -- '*.sh' .ci/run; }

changed_files() {
  local base
  base=$(cat .ci/linted 2>/dev/null || true)
  if [ "${LINT_ALL:-0}" = 1 ] || [ -z "$base" ] || ! git merge-base --is-ancestor "$base" HEAD 2>/dev/null; then
    sources
    return
  fi
  { git diff --name-only "$base"; git ls-files --others --exclude-standard; } | sort -u
}

# The files of `changed_files` that clang-tidy can read alone, and those that stand in the folder of a changed header.
tidy_files() {
  local build=$1 file
  changed_files | while read -r file; do
    case "$file" in
      tests/*) ;;
      *.cpp) printf '%s\n' "$file" ;;
      *.h) git ls-files --cached --others --exclude-standard -- "$(dirname "$file")/*.cpp" ;;
    esac
  done | sort -u | while read -r file; do
    if [ ! -f "$file" ]; then continue; fi
    if grep -qF "/$file\"" "$build/compile_commands.json"; then printf '%s\n' "$file"; else together "$build" "$file"; fi
  done | sort -u
}

# The file that includes FILE among others, where it is compiled so.
together() {
  find "$1/src" -path '*/Unity/*.cxx' -exec grep -lF "/$2\"" {} + || true
}

# What decides a file's result: the checks, the file, and every header of ours.
tidy_key() {
  { cat .clang-tidy "$1"; sed -n 's/^#include "\(.*\.cpp\)"$/\1/p' "$1" | xargs -r cat; git ls-files -s -- 'src/*.h' 'tests/*.h'; git diff -- 'src/*.h' 'tests/*.h'; } | sha1sum | cut -d' ' -f1
}

tidy_one() {
  local build=$1 file=$2 kept
  kept="$build/lint/$(tidy_key "$file")"
  [ -f "$kept" ] && return 0
  # Flags of g++ and of precompiled headers are not clang's. Files that are compiled together are included on purpose.
  if clang-tidy-19 --quiet -p "$build" --checks=-bugprone-suspicious-include --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-gch \
    "$file" 2>/dev/null; then
    mkdir -p "$build/lint" && touch "$kept"
  else
    printf 'lint: clang-tidy found problems in %s\n' "$file" >&2
    return 1
  fi
}

check() {
  local build=$1 failed=0 count
  echo "lint: format"
  sources | xargs clang-format-19 --dry-run --Werror || failed=1
  echo "lint: shell"
  scripts | xargs shellcheck || failed=1
  echo "lint: Persian"
  python3 scripts/persian.py --check README.fa.md docs/fa/*.md || failed=1
  count=$(tidy_files "$build" | wc -l)
  echo "lint: clang-tidy, $count files"
  export -f tidy_one tidy_key
  tidy_files "$build" | xargs -r -P "$(nproc)" -I{} bash -c 'tidy_one "$@"' _ "$build" {} || failed=1
  [ "$failed" -eq 0 ] || { echo "lint: failed (make format mends the format)" >&2; exit 1; }
  echo "lint: clean"
}

case "${1:-}" in
  format) sources | xargs clang-format-19 -i ;;
  check) check "${2:-build}" ;;
  *)
    echo "usage: scripts/lint.sh format | check BUILD" >&2
    exit 2
    ;;
esac
