# SPDX-License-Identifier: Apache-2.0
"""A batch, and the libraries whose arrays it is given as."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .errors import UsageError
from .native import _seda

FIELDS: tuple[str, ...] = tuple(_seda.tensor_names())


def _numpy() -> Callable[[Any], Any]:
    import numpy

    convert: Callable[[Any], Any] = numpy.from_dlpack
    return convert


def _torch() -> Callable[[Any], Any]:
    import torch

    convert: Callable[[Any], Any] = torch.from_dlpack
    return convert


def _jax() -> Callable[[Any], Any]:
    import jax

    convert: Callable[[Any], Any] = jax.dlpack.from_dlpack
    return convert


_OUTPUTS: dict[str, Callable[[], Callable[[Any], Any]]] = {
    "dlpack": lambda: lambda tensor: tensor,
    "numpy": _numpy,
    "torch": _torch,
    "jax": _jax,
}


def converter(output: str) -> Callable[[Any], Any]:
    """What makes an array of a library out of a tensor, without a copy."""
    if output not in tuple(_OUTPUTS):
        raise UsageError(f"output: expected {', '.join(_OUTPUTS)}, found {output!r}")
    return _OUTPUTS[output]()


class Batch:
    """Clips in one shape, on the loader's device, in memory that is the loader's own.

    Its arrays are attributes and, by the same names, items; `dict(batch)` has them all. `len(batch)` is clips:

    ==================  =========================  =======  ================================================
    mel                 [batch, n_mels, frames]    float32  padded with what silence has
    tokens              [batch, tokens]            int32    padded with 0
    mel_mask            [batch, frames]            bool     where the clip is
    token_mask          [batch, tokens]            bool
    mel_lengths         [batch]                    int32    frames
    token_lengths       [batch]                    int32
    speakers            [batch]                    int32    places in `Loader.speakers`
    languages           [batch]                    int32    places in `Loader.languages`
    ==================  =========================  =======  ================================================

    The memory is filled anew once the batch and every array made of it are gone. Copy what is to be kept: a loader whose
    slots are all held raises `seda.UsageError`.
    """

    __slots__ = ("_arrays", "_convert", "_held")

    def __init__(self, held: _seda.Batch, convert: Callable[[Any], Any]) -> None:
        self._held = held
        self._convert = convert
        self._arrays: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._arrays:
            if name not in FIELDS:
                raise KeyError(name)
            self._arrays[name] = self._convert(self._held.tensor(name))
        return self._arrays[name]

    def keys(self) -> tuple[str, ...]:
        return FIELDS

    def values(self) -> Iterator[Any]:
        return (self[name] for name in FIELDS)

    def items(self) -> Iterator[tuple[str, Any]]:
        return ((name, self[name]) for name in FIELDS)

    def __iter__(self) -> Iterator[str]:
        return iter(FIELDS)

    def __len__(self) -> int:
        """Clips."""
        return len(self._held.tensor("mel_lengths"))

    @property
    def mel(self) -> Any:
        return self["mel"]

    @property
    def tokens(self) -> Any:
        return self["tokens"]

    @property
    def mel_mask(self) -> Any:
        return self["mel_mask"]

    @property
    def token_mask(self) -> Any:
        return self["token_mask"]

    @property
    def mel_lengths(self) -> Any:
        return self["mel_lengths"]

    @property
    def token_lengths(self) -> Any:
        return self["token_lengths"]

    @property
    def speakers(self) -> Any:
        return self["speakers"]

    @property
    def languages(self) -> Any:
        return self["languages"]

    @property
    def ids(self) -> list[str]:
        """Of the clips, as they were fed."""
        return self._held.ids

    @property
    def bucket(self) -> int:
        """Which of `Loader.buckets` has this shape."""
        return self._held.bucket

    @property
    def epoch(self) -> int:
        return self._held.epoch

    @property
    def index(self) -> int:
        """Of the epoch."""
        return self._held.index

    @property
    def step(self) -> int:
        """Since the first epoch."""
        return self._held.step

    @property
    def repeats(self) -> int:
        """The last so many clips were already fed in this epoch, to fill the batch."""
        return self._held.repeats

    @property
    def replaced(self) -> int:
        """Clips that stand in for bad ones."""
        return self._held.replaced

    @property
    def real_frames(self) -> int:
        """Without padding."""
        return self._held.real_frames

    @property
    def real_tokens(self) -> int:
        return self._held.real_tokens

    def __repr__(self) -> str:
        shape = self._held.tensor("mel").shape
        return f"seda.Batch(epoch {self.epoch}, {self.index}: mel {list(shape)})"
