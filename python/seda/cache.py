# SPDX-License-Identifier: Apache-2.0
"""The cache of a prepared corpus."""
from __future__ import annotations

import os
from typing import Any

from . import program, settings


class Cache:
    """The cache of a corpus folder, or that in a folder of its own: what `seda cache` does, as dictionaries.

    config: a YAML file, or a dictionary of keys: data.cache_dir says where the cache of a corpus is. No other file is
    read.
    """

    def __init__(self, path: str | os.PathLike[str], *, config: settings.Configuration = None) -> None:
        self.path = settings.path("path", path)
        self._config = config

    def stat(self) -> dict[str, Any]:
        """What is in it: clips, hours, bytes, parts, open_ms, mel, tokenizer, tables."""
        return self._run("stat")

    def verify(self, sample: int | None = None) -> dict[str, Any]:
        """Holds every record against its checksum, or as many as `sample` says: records, bad, bytes, seconds."""
        return self._run("verify", *([] if sample is None else ["--sample", str(settings.integer("sample", sample, 1))]))

    def gc(self, repair: bool = False) -> dict[str, Any]:
        """Keeps what the last preparation uses, drops the rest; with `repair` also what is damaged."""
        return self._run("gc", *(["--repair"] if repair else []))

    def clear(self) -> dict[str, Any]:
        """Removes it, and nothing else in its folder."""
        return self._run("clear", "--yes")

    def _run(self, *words: str) -> dict[str, Any]:
        return program.run_json("cache", *words, place=self.path, config=self._config)

    def __repr__(self) -> str:
        return f"seda.Cache({self.path!r})"
