# SPDX-License-Identifier: Apache-2.0
"""Configuration as Python gives it: a file, or a dictionary of keys, and arguments over it."""
from __future__ import annotations

import contextlib
import json
import operator
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Union

from .errors import UsageError
from .native import _seda

Configuration = Union[str, "os.PathLike[str]", Mapping[str, Any], None]
"""A YAML file, or keys: {"data.batch_size": 32} or {"data": {"batch_size": 32}}."""

Device = Any
"""'cpu', 'cuda', 'cuda:1', 1, or whatever says so as text, such as a torch.device."""

DEVICES = ("data.model_gpu", "data.data_gpu")


def flat(keys: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every key with its full path."""
    for name, value in keys.items():
        key = f"{above}{name}"
        if isinstance(value, Mapping):
            yield from flat(value, f"{key}.")
        else:
            yield key, value


def nested(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The same keys, section in section, as a file has them."""
    out: dict[str, Any] = {}
    for key, value in flat(keys):
        *sections, name = key.split(".")
        place = out
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = plain(value)
    return out


def plain(value: Any) -> Any:
    """Paths, tuples, enumerations and the numbers of other libraries as what a configuration holds."""
    if value is None or type(value) in (bool, int, float, str, bytes):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, str):
        return str.__str__(value)
    for convert in (operator.methodcaller("item"), operator.index, float):  # the first is of NumPy and torch
        with contextlib.suppress(AttributeError, RuntimeError, TypeError, ValueError):
            return convert(value)
    return value


def arguments(**given: Any) -> dict[str, tuple[str, Any]]:
    """Those that were given, by their keys: batch_size=32 sets data.batch_size."""
    keys = {
        "batch_frames": "data.batch_frames",
        "batch_size": "data.batch_size",
        "cache_dir": "data.cache_dir",
        "data_device": "data.data_gpu",
        "device": "data.model_gpu",
        "language": "data.text.language",
        "num_workers": "data.num_workers",
        "preset": "data.mel.preset",
        "sample_rate": "data.mel.sample_rate",
        "seed": "training.seed",
    }
    return {name: (keys[name], value) for name, value in given.items() if value is not None}


def read(config: Configuration, given: Mapping[str, tuple[str, Any]] | None = None) -> _seda.Config:
    """The configuration: defaults, then `config`, then arguments. No file is read unless it is named."""
    if isinstance(config, Mapping):
        out = _seda.Config()
        for key, value in flat(config):
            put(out, key, value, f'config["{key}"]')
    else:
        out = _seda.Config(None if config is None else path("config", config))
    for name, (key, value) in (given or {}).items():
        put(out, key, value, name)
    out.check()
    return out


def put(config: _seda.Config, key: str, value: Any, name: str) -> None:
    if key in DEVICES and value is not None:
        config.set_device(key, text(name, str(value)), name)
    else:
        value = plain(value)
        config.set(key, text(name, value) if isinstance(value, str) else value, name)


def file_of(config: Configuration, folder: Path) -> str:
    """The file that was named, or one in `folder` that has the keys, for the program: JSON is YAML too."""
    if config is not None and not isinstance(config, Mapping):
        return path("config", config)
    known = read(config)  # says what is wrong in terms of the dictionary
    keys = {key: known.get(key) if key in DEVICES else value for key, value in flat(config or {})}
    file = folder / "config.yaml"
    file.write_text(json.dumps(nested(keys)))
    return str(file)


def text(name: str, value: Any) -> str:
    """An argument that is text."""
    if not isinstance(value, str):
        raise UsageError(f"{name}: expected text, found {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name}: expected text that UTF-8 can hold, found {value!r}") from None
    return value


def path(name: str, value: Any) -> str:
    """An argument that is a path."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise UsageError(f"{name}: expected a path, found {value!r}")
    return text(name, os.fsdecode(value))


def flag(name: str, value: Any) -> bool:
    """An argument that is true or false."""
    if plain(value) not in (True, False):
        raise UsageError(f"{name}: expected True or False, found {value!r}")
    return bool(value)


def integer(name: str, value: Any, least: int, most: int | None = None) -> int:
    """An argument that is a whole number."""
    try:
        found = operator.index(value)
    except TypeError:
        found = None
    if found is None or found < least or (most is not None and found > most):
        bounds = f"of {least} or more" if most is None else f"from {least} to {most}"
        raise UsageError(f"{name}: expected an integer {bounds}, found {value!r}")
    return found


def corpus_of(place: Any, config: _seda.Config) -> str:
    """The corpus that an argument or the key data.dataset_path names."""
    found: str | None = path("path", place) if place is not None else config.get("data.dataset_path")
    if not found:
        raise UsageError("no corpus: give its folder as the first argument, or set data.dataset_path")
    return found
