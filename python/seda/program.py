# SPDX-License-Identifier: Apache-2.0
"""The program `seda`, which is inside the package."""
from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from . import settings
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
    try:
        lines = (torch / "version.py").read_text().splitlines()
    except OSError:
        return []  # something else of that name
    for line in lines:
        if line.startswith("__version__ = '"):
            return line.split("'")[1].split(".")[:2]
    return []


def run_json(*arguments: str, place: str | None, config: settings.Configuration) -> dict[str, Any]:
    """What the program prints with --json, of a place and with a configuration that is always named: a file that lies where
    this process was started is not read. What it found wrong (exit code 1) is in the result; what kept it from looking is
    raised, in its own words."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*arguments, "--config", settings.file_of(config, Path(folder)), "--json", "--quiet"]
        words += [] if place is None else ["--", place]  # also where it begins like a flag
        return _told(subprocess.run([str(path()), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env=environment(), check=False))


def _told(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    if done.returncode in (0, 1) and done.stdout:
        result: dict[str, Any] = json.loads(done.stdout)
        return result
    message = "\n".join(line.removeprefix("error: ") for line in done.stderr.splitlines())
    if done.returncode in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if done.returncode == 2:
        raise UsageError(message)
    error = Unavailable if done.returncode == 3 else Error
    raise error(message or f"the program ended with {done.returncode}")
