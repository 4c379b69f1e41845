#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the Python a wheel is made with: one of 3.12 or later with its headers, on the path or among pyenv's, for whose
# stable ABI one wheel serves all later versions; else the system's own, whose wheel is for that version alone.
set -euo pipefail

can_make_wheels() {
  "$1" - 2>/dev/null <<'PYTHON'
import os, sys, sysconfig
import pip
sys.exit(sys.version_info < (3, 12) or not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
PYTHON
}

candidates() {
  compgen -c python3. | grep -E '^python3\.[0-9]+$' | sort -u | while read -r name; do command -v "$name"; done
  printf '%s\n' "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3
}

for python in $(candidates); do
  if [ -x "$python" ] && can_make_wheels "$python"; then
    printf '%s\n' "$python"
    exit 0
  fi
done
printf '/usr/bin/python3\n'
