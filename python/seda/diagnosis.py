# SPDX-License-Identifier: Apache-2.0
"""What holds training back."""
from __future__ import annotations

import os
import tempfile
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
    words = ["diagnose"]
    if step_ms is not None:
        words += ["--step-ms", str(settings.plain(step_ms))]
    if num_batches is not None:
        words += ["--num-batches", str(settings.integer("num_batches", num_batches, 1))]
    if html is not None:
        words += ["--html", settings.path("html", html)]
    with tempfile.TemporaryDirectory() as folder:
        return program.run_json(*words, "--output", os.path.join(folder, "report.txt"), config=config,
                                place=None if path is None else settings.path("path", path))
