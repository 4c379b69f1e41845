# SPDX-License-Identifier: Apache-2.0
"""Where the sources are; importing it makes bench/ importable."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
RESULTS = BENCH / "results"
sys.path.insert(0, str(BENCH))

LAPTOP = ["CPU: Some CPU, 2 cores", "no GPU"]
SERVER = ["CPU: Some CPU, 16 cores", "GPU: NVIDIA H200, 580"]
