# SPDX-License-Identifier: Apache-2.0
"""The cache of a prepared corpus."""
from __future__ import annotations

import os
from typing import Any

from . import program


class Cache:
    """The cache of a corpus folder, or that in a folder of its own: what `seda cache` does, as dictionaries."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    def stat(self) -> dict[str, Any]:
        """What is in it: clips, hours, bytes, parts, open_ms, mel, tokenizer, tables."""
        return program.run_json("cache", "stat", self.path)

    def verify(self, sample: int | None = None) -> dict[str, Any]:
        """Holds every record against its checksum, or as many as `sample` says: records, bad, bytes, seconds."""
        return program.run_json("cache", "verify", self.path, *(["--sample", str(sample)] if sample else []))

    def gc(self, repair: bool = False) -> dict[str, Any]:
        """Keeps what the last preparation uses, drops the rest; with `repair` also what is damaged."""
        return program.run_json("cache", "gc", self.path, *(["--repair"] if repair else []))

    def clear(self) -> dict[str, Any]:
        """Removes it, and nothing else in its folder."""
        return program.run_json("cache", "clear", self.path, "--yes")

    def __repr__(self) -> str:
        return f"seda.Cache({self.path!r})"
