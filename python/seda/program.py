# SPDX-License-Identifier: Apache-2.0
"""The program `seda`, which is inside the package."""
from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from .errors import Error, Unavailable, UsageError
from .native import _seda


def path() -> Path:
    """Where the program is."""
    program = Path(_seda.root()) / "bin" / "seda"
    if not program.exists():
        raise Unavailable(f"expected the program at {program}, found nothing there; install the package again")
    return program


def environment() -> dict[str, str]:
    """This process' environment, with the torch of this Python where it is the one that the trainer needs."""
    out = dict(os.environ)
    if _seda.torch_version and "SEDA_TORCH" not in out:
        found = importlib.util.find_spec("torch")
        folder = Path(found.origin).parent if found and found.origin else None
        if folder and _release(folder) == _seda.torch_version.split(".")[:2]:
            out["SEDA_TORCH"] = str(folder.parent)
    return out


def _release(torch: Path) -> list[str]:
    for line in (torch / "version.py").read_text().splitlines():
        if line.startswith("__version__ = '"):
            return line.split("'")[1].split(".")[:2]
    return []


def run_json(*arguments: str) -> dict[str, Any]:
    """What the program prints with --json. What it found wrong (exit code 1) is in the result; what kept it from
    looking is raised, in its own words."""
    done = subprocess.run([path(), *arguments, "--json", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=environment(), check=False)
    if done.returncode in (0, 1) and done.stdout:
        result: dict[str, Any] = json.loads(done.stdout)
        return result
    message = "\n".join(line.removeprefix("error: ") for line in done.stderr.splitlines())
    if done.returncode in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if done.returncode == 2:
        raise UsageError(message)
    error = Unavailable if done.returncode == 3 else Error
    raise error(message or f"{path()} ended with {done.returncode}")
