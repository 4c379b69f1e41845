#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes dist/seda-VERSION-….whl in the build folder BUILD: scripts/wheel.sh PRESET BUILD PYTHON TORCH CUDA JOBS
#
# The program, its libraries and the extension are inside, and every library they need that is not the system's. Torch and
# the driver's library are those of the machine where it is used. SEDA_BUNDLE=DIR takes program and libraries from a bundle.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly preset=$1 build=$2 python=$3 torch=$4 cuda=$5 jobs=$6
readonly home=${SEDA_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/seda}

# Found on the machine: torch's own libraries, what they bring along, and the driver's.
readonly foreign=('libtorch*' 'libc10*' 'libcuda.so.*' 'libcudart.so.*' 'libcupti.so.*' 'libnccl.so.*' 'libnvrtc*' 'libnvidia-ml.so.*')

fail() {
  printf 'wheel: %s\n' "$*" >&2
  exit 1
}

in_environment() {
  env PYTHONPATH="$home/wheel:$home/python" PATH="$home/wheel/bin:$PATH" "$@"
}

# Of what is inside: the bundle's own where that was taken, and of what the extension is made with.
add_licenses() {
  local folder=$build/python/licenses nanobind=$home/python version
  rm -rf "$folder"
  if [ -n "$SEDA_BUNDLE" ]; then
    cp -r "$SEDA_BUNDLE/licenses" "$folder"
  else
    scripts/licenses.sh "$folder" "$build"/python/seda/bin/seda "$build"/python/seda/lib/libseda_*.so "$build"/python/seda/native/_seda.*so
  fi
  version=$(in_environment "$python" -c 'import nanobind; print(nanobind.__version__)')
  cp "$nanobind/nanobind-$version.dist-info/licenses/LICENSE" "$folder/nanobind.txt"
  sed -n '1,/\*\//p' "$nanobind/nanobind/ext/robin_map/include/tsl/robin_map.h" >"$folder/robin_map.txt"
  grep -q 'Permission is hereby granted' "$folder/robin_map.txt" || fail "found no licence in robin_map's header"
  {
    printf '(compiled in)\tnanobind %s\tlicenses/nanobind.txt\n' "$version"
    printf '(compiled in)\trobin-map\tlicenses/robin_map.txt\n'
  } >>"$folder/LICENSES.txt"
}

[ -z "${SEDA_BUNDLE:-}" ] || [ ! -d "$SEDA_BUNDLE/tests" ] || fail "expected a bundle of the program alone, found tests in $SEDA_BUNDLE: make bundle TESTS=0"
echo "wheel: with $("$python" --version), $python"
export SEDA_WITH_TORCH=$torch SEDA_WITH_CUDA=$cuda SEDA_BUNDLE=${SEDA_BUNDLE:-}
in_environment cmake --preset "$preset" -B "$build" -DPython_EXECUTABLE="$python" -DSEDA_WITH_PYTHON=ON -DSEDA_BUNDLE="$SEDA_BUNDLE" \
  -DSEDA_WITH_TORCH="$torch" -DSEDA_WITH_CUDA="$cuda" -DSEDA_WITH_TESTS=OFF -DSEDA_WITH_BENCH=OFF -Wno-dev >/dev/null
cmake --build "$build" --parallel "$jobs" --target seda_package

# Licences first: they go in with the rest.
rm -rf "$build/wheel"
add_licenses
in_environment "$python" -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir "$build/wheel" \
  "--config-settings=build-dir=$build"

mkdir -p dist
excludes=()
for name in "${foreign[@]}"; do excludes+=(--exclude "$name"); done
in_environment "$python" -m auditwheel repair --strip "${excludes[@]}" --wheel-dir "$build/wheel/repaired" "$build"/wheel/*.whl >&2
made=$(find "$build/wheel/repaired" -name '*.whl')
[ -n "$made" ] || fail "auditwheel made nothing of $(ls "$build"/wheel/*.whl)"

# It must work from another place, in an empty environment.
tried=$(mktemp -d)
trap 'rm -rf "$tried"' EXIT
"$python" -m pip install --quiet --no-deps --root-user-action=ignore --target "$tried" "$made"
said=$(env -i PYTHONPATH="$tried" "$python" -c 'import seda; print(seda.__version__, seda.text.normalize("No. 4"))') ||
  fail "the package does not import after being installed elsewhere"
env -i PYTHONPATH="$tried" "$python" -m seda --version >/dev/null || fail "the program inside does not run"
mv "$made" dist/
printf 'wheel: dist/%s (%s), says: %s\n' "$(basename "$made")" "$(du -h "dist/$(basename "$made")" | cut -f1)" "$said"
