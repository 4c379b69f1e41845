#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Puts the licence of every library that FILEs need, and is not the system's, into FOLDER, and a list of them:
#   scripts/licenses.sh FOLDER FILE...
#
# `scripts/licenses.sh --needed FILE` prints the path of each such library.
set -euo pipefail

# Left to the system: the C and C++ runtime, which must be as new as this machine's, and the loader.
readonly system_libraries='^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libgcc_s|libstdc\+\+)[.-]'
# Torch's own, found on the machine where the program runs.
readonly torch_libraries='^(libtorch|libc10)'

# Path of each library FILE needs, itself or through another.
needed_libraries() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | while read -r name path; do
    [[ $name =~ $system_libraries || $name =~ $torch_libraries || $path == */torch/lib/* ]] || printf '%s\n' "$path"
  done
}

if [ "$1" = --needed ]; then
  needed_libraries "$2"
  exit
fi

readonly folder=$1
shift

# The licence text that came with a package, and a line for the list.
add_package() {
  local shown=$1 package=$2
  cp "/usr/share/doc/$package/copyright" "$folder/$package.txt"
  printf '%s\t%s\t%s\n' "$shown" "$(dpkg-query -W -f='${source:Package} ${Version}' "$package")" "licenses/$package.txt"
}

add_library() {
  local path=$1 package file
  file=$(realpath "$path")
  # Packages older than the merge of /lib into /usr/lib name their files by the old path.
  package=$({ dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}"; } | head -n 1 | cut -d: -f1)
  add_package "$(basename "$path")" "$package"
}

mkdir -p "$folder"
{
  printf 'What is inside, beside seda itself (Apache-2.0, LICENSE):\n\n'
  for library in $(for file in "$@"; do needed_libraries "$file"; done | sort -u); do add_library "$library"; done
  # Header-only libraries leave no file behind, but are inside all the same.
  for package in libcli11-dev nlohmann-json3-dev flite1-dev; do add_package "(compiled in)" "$package"; done
  if "$1" --version --json | grep -q '"cuda": "'; then
    printf '(compiled in)\tNVIDIA CUDA runtime, redistributable part\tCUDA Toolkit End User License Agreement\n'
  fi
} >"$folder/LICENSES.txt"
