# SPDX-License-Identifier: Apache-2.0
"""What holds training back."""
from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from . import program, settings


def diagnose(path: str | os.PathLike[str] | None = None, *, config: settings.Configuration = None,
             step_ms: float | None = None, num_batches: int | None = None,
             html: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Measures machine, storage, loader and step, names one cause, and tries what helps: what `seda diagnose --json` prints.

    step_ms: how long a training step takes; without it steps are taken with seda's own model. html: a file for the report
    with charts. The dictionary has verdict, sections, issues, recommendations and config_changes. Runs as a process of its
    own, so that what this one does is measured as part of the machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = ["diagnose"] + ([os.fspath(path)] if path is not None else [])
        words += ["--config", settings.file_of(config, Path(folder)), "--output", str(Path(folder) / "report.txt")]
        for flag, value in (("--step-ms", step_ms), ("--num-batches", num_batches), ("--html", html)):
            if value is not None:
                words += [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        return program.run_json(*words)
