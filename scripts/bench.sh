#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every benchmark below BUILD and its peers, into bench/results/<machine>.json and .md: scripts/bench.sh BUILD
#
# The peers' packages are those of `scripts/setup.sh torch peers`, where they are; otherwise python3's own.
set -euo pipefail
cd "$(dirname "$0")/.."
home=${SEDA_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/seda}
packages=$(realpath "$1")/python
torch=$(scripts/setup.sh torch-folder)
export PYTHONPATH="$packages:$home/python:$home/peers:$torch${PYTHONPATH:+:$PYTHONPATH}" OMP_NUM_THREADS=1
# One corpus for the loader and its peer.
SEDA_LOADER_CORPUS=$(mktemp -d)
export SEDA_LOADER_CORPUS
trap 'rm -rf "$SEDA_LOADER_CORPUS"' EXIT
python3 bench/report.py bench/results "$1"/bin/*_bench bench/*_peers.py bench/python_bench.py
