# SPDX-License-Identifier: Apache-2.0
"""What holds training back."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
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
        words += ["--config", _file_of(config, Path(folder)), "--output", str(Path(folder) / "report.txt")]
        for flag, value in (("--step-ms", step_ms), ("--num-batches", num_batches), ("--html", html)):
            if value is not None:
                words += [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        return program.run_json(*words)


def _file_of(config: settings.Configuration, folder: Path) -> str:
    """The file that was named, or one that has the keys: JSON is YAML too."""
    if config is not None and not isinstance(config, Mapping):
        return os.fspath(config)
    settings.read(config)  # says what is wrong in terms of the dictionary
    file = folder / "config.yaml"
    file.write_text(json.dumps(settings.nested(config or {})))
    return str(file)
