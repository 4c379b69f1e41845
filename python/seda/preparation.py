# SPDX-License-Identifier: Apache-2.0
"""Preparing a corpus."""
from __future__ import annotations

import json
import os
from typing import Any

from . import settings
from .errors import CheckFailed
from .native import _seda


def prepare(path: str | os.PathLike[str] | None = None, *, config: settings.Configuration = None,
            num_workers: int | None = None, cache_dir: str | os.PathLike[str] | None = None,
            language: str | None = None, shard: str | None = None, force: bool = False, dry_run: bool = False,
            progress: bool = False) -> dict[str, Any]:
    """Builds or updates the cache of a corpus, and says what `seda prepare --json` says.

    shard: 'i/n' prepares the i-th of n parts, from 0, into a cache of its own. force: makes every record again. dry_run:
    says what would be read and why, and writes nothing. progress: shows on stderr how far it is. Stopped by Ctrl-C, the
    next call goes on from there.

    Raises `CheckFailed`, whose `report` is that dictionary, where more clips are bad than data.max_fault_share allows.
    """
    read = settings.read(config, settings.arguments(num_workers=num_workers, cache_dir=cache_dir, language=language))
    report, problem = _seda.prepare(
        settings.corpus_of(path, read), read, None if shard is None else settings.text("shard", shard),
        settings.flag("force", force), settings.flag("dry_run", dry_run), settings.flag("progress", progress))
    result: dict[str, Any] = json.loads(report)
    if problem is not None:
        error = CheckFailed(problem)
        error.report = result
        raise error
    return result
