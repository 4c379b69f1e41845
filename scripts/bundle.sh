#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes BUILD/bundle, a folder that runs from anywhere on another Linux with glibc 2.36 or later, and its archive:
#   scripts/bundle.sh BUILD TESTS ESPEAK
#
#   bin/seda             the program; finds all else from its own place
#   lib/                 every library that is not the system's; those opened on demand, of which the trainer needs
#                        torch 2.11 on that machine
#   share/seda/          sample configuration, completions
#   licenses/            the licence of everything inside, listed in LICENSES.txt
#   tests/               with TESTS=1: the tests and benchmarks
#   espeak-ng/           with ESPEAK=1: espeak-ng, its data and its licence (GPL-3)
set -euo pipefail
cd "$(dirname "$0")/.."
readonly build=$1 with_tests=${2:-0} with_espeak=${3:-0}
readonly bundle=$build/bundle
readonly most_bytes=$((60 * 1000 * 1000))

# Left to the system, and to torch: neither is copied.
readonly system_libraries='^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+)[.-]'
readonly torch_libraries='^(libtorch|libc10)'

fail() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

copy_libraries() {
  local file=$1 folder=$2 path
  for path in $(scripts/licenses.sh --needed "$file"); do
    cp -Lu "$path" "$folder/$(basename "$path")"
  done
}

copy_program() {
  local from=$1 to=$2
  cp "$from" "$to"
  strip --strip-unneeded "$to"
  copy_libraries "$to" "$bundle/lib"
}

# espeak-ng plays sound through libpcaudio, which drags in sound servers; seda only asks it for phonemes. A library of
# the same name whose functions do nothing takes its place.
silent_pcaudio() {
  local original=$1 output=$2
  nm -D --defined-only "$original" | awk '$2 == "T" {print "void *" $3 "(void) { return 0; }"}' |
    cc -shared -fPIC -x c - -Wl,-soname,"$(basename "$original")" -o "$output"
}

add_espeak() {
  local folder=$bundle/espeak-ng library pcaudio
  library=$(ldconfig -p | awk '/libespeak-ng\.so\.1/ && !path {path = $NF} END {print path}')
  mkdir -p "$folder/lib"
  cp -L "$library" "$folder/lib/libespeak-ng.so.1"
  copy_libraries "$library" "$folder/lib"
  pcaudio=$(ldd "$library" | awk '/libpcaudio/ {print $3}')
  if [ -n "$pcaudio" ]; then
    # Keep only what espeak-ng itself needs beside it.
    find "$folder/lib" -type f ! -name 'libespeak-ng*' ! -name 'libsonic*' -delete
    silent_pcaudio "$pcaudio" "$folder/lib/$(basename "$pcaudio")"
  fi
  # shellcheck disable=SC2016
  for file in "$folder"/lib/*; do patchelf --set-rpath '$ORIGIN' "$file"; done
  cp -r "$(dirname "$(dpkg -L espeak-ng-data | grep '/phondata$')")" "$folder/espeak-ng-data"
  cp /usr/share/doc/libespeak-ng1/copyright "$folder/COPYING"
}

# Nothing may resolve to a place outside the bundle but the system's own libraries.
check_contained() {
  local file=$1 stray
  stray=$(env -u LD_LIBRARY_PATH ldd "$file" | awk '$2 == "=>" {print $1, $3}' | while read -r name path; do
    [[ $name =~ $system_libraries || $name =~ $torch_libraries ]] && continue
    [[ $path == "$(realpath "$bundle")"/* ]] || printf '%s (%s) ' "$name" "$path"
  done)
  [ -z "$stray" ] || fail "$file needs libraries that are not in the bundle: $stray"
}

rm -rf "$bundle"
mkdir -p "$bundle"/{bin,lib,licenses,share/seda}
copy_program "$build/bin/seda" "$bundle/bin/seda"
for file in "$build"/lib/libseda_*.so; do copy_program "$file" "$bundle/lib/$(basename "$file")"; done
cp configs/config.yaml "$bundle/share/seda/config.yaml"
cp "$build/completion.bash" "$bundle/share/seda/seda.bash"
cp "$build/completion.zsh" "$bundle/share/seda/_seda"
if [ "$with_tests" = 1 ]; then
  mkdir -p "$bundle/tests"
  for file in "$build"/bin/*_test "$build"/bin/*_bench; do copy_program "$file" "$bundle/tests/$(basename "$file")"; done
  # Libraries that tests load from beside themselves.
  for file in "$build"/bin/*.so; do copy_program "$file" "$bundle/tests/$(basename "$file")"; done
fi
# shellcheck disable=SC2016
for file in "$bundle"/bin/* "$bundle"/tests/*; do [ -f "$file" ] && patchelf --set-rpath '$ORIGIN/../lib' "$file"; done
# shellcheck disable=SC2016
for file in "$bundle"/lib/*; do patchelf --set-rpath '$ORIGIN' "$file"; done
[ "$with_espeak" = 1 ] && add_espeak
cp LICENSE "$bundle/LICENSE"
inside=("$build/bin/seda" "$build"/lib/libseda_*.so)
[ "$with_tests" = 1 ] && inside+=("$build"/bin/*_test "$build"/bin/*_bench)
scripts/licenses.sh "$bundle/licenses" "${inside[@]}"
for file in "$bundle"/bin/* "$bundle"/lib/* "$bundle"/tests/*; do [ -f "$file" ] && check_contained "$file"; done

version=$("$bundle/bin/seda" --version --json | sed -n 's/.*"version": "\([^"]*\)".*/\1/p' | head -n 1)
archive=$build/seda-$version-linux-$(uname -m).tar.gz
tar -C "$build" --sort=name --owner=0 --group=0 --numeric-owner --transform "s,^bundle,seda-$version," -czf "$archive" bundle
bytes=$(stat -c %s "$archive")
# Tests are for those who build, and as large as they are.
[ "$with_tests" = 1 ] || [ "$bytes" -le "$most_bytes" ] || fail "$archive has $bytes bytes, more than the $most_bytes allowed"

# It must run from another place, in an empty environment.
moved=$(mktemp -d)
trap 'rm -rf "$moved"' EXIT
tar -C "$moved" -xzf "$archive"
env -i "$moved/seda-$version/bin/seda" --version >/dev/null || fail "the bundle does not run after being moved"
printf 'bundle: %s (%s), archive %s (%s)\n' "$bundle" "$(du -sh "$bundle" | cut -f1)" "$archive" "$(du -h "$archive" | cut -f1)"
