# SPDX-License-Identifier: Apache-2.0
"""What seda raises. Every message says what was expected, what was found, and what to do."""
from __future__ import annotations

from typing import Any


class Error(Exception):
    """The call cannot finish."""

    kind = "internal"
    """check_failed, usage, config, io, memory, unavailable or internal."""


class CheckFailed(Error):
    """A problem was looked for and found."""

    kind = "check_failed"
    report: dict[str, Any] | None = None
    """What was found, where a call that raises this also has a result."""


class UsageError(Error, ValueError):
    """A bad argument, or a call that cannot be at this point."""

    kind = "usage"


class ConfigError(Error, ValueError):
    """A key that is not there, or a value that it may not hold."""

    kind = "config"


class StorageError(Error, OSError):
    """The file system refused, or data is damaged."""

    kind = "io"


class OutOfMemory(Error, MemoryError):
    """A memory budget or the machine's memory is exceeded."""

    kind = "memory"


class Unavailable(Error, RuntimeError):
    """No such device, library or permission."""

    kind = "unavailable"


class InternalError(Error, RuntimeError):
    """A bug of seda's own."""

    kind = "internal"


_CLASSES: dict[str, type[BaseException]] = {
    each.kind: each
    for each in (CheckFailed, UsageError, ConfigError, StorageError, OutOfMemory, Unavailable, InternalError)
}
_CLASSES["interrupted"] = KeyboardInterrupt


def of_kind(kind: str) -> type[BaseException]:
    """The class of a kind of error. Ctrl-C is Python's own KeyboardInterrupt."""
    return _CLASSES.get(kind, InternalError)
