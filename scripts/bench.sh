#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every benchmark below BUILD, into bench/results/: scripts/bench.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
python3 bench/report.py bench/results "$1"/bin/*_bench
