# SPDX-License-Identifier: Apache-2.0
"""Log-mel spectrograms, as caches, batches and vocoders have them."""
from __future__ import annotations

import functools
import os
import sys
from typing import Any

from . import settings
from .errors import UsageError
from .native import _seda


class Mel:
    """One definition of a log-mel spectrogram, planned once. Thread-safe.

    preset: 'hifigan' (the default), 'tacotron2' or 'fullband'. sample_rate: of the samples, in Hz.
    config: a YAML file, or a dictionary of keys (data.mel.*, data.audio.*).
    """

    def __init__(self, *, preset: str | None = None, sample_rate: int | None = None,
                 config: settings.Configuration = None) -> None:
        self._native = _seda.Mel(settings.read(config, settings.arguments(preset=preset, sample_rate=sample_rate)))

    @property
    def n_mels(self) -> int:
        return self._native.n_mels

    @property
    def sample_rate(self) -> int:
        return self._native.sample_rate

    def frames(self, samples: int) -> int:
        """Of a clip of so many samples."""
        return self._native.frames(settings.integer("samples", samples, 0))

    def __call__(self, sound: Any) -> Any:
        """[n_mels, frames] of samples, [clips, n_mels, frames] of rows of samples, of a path that of the file.

        Samples are finite float32 in [-1, 1) or int16, at the sample rate of the definition, on the CPU. A torch tensor
        gives a torch tensor, all else a NumPy array. A file may be of another rate; it is read as `seda mel` reads it.
        """
        if isinstance(sound, (str, os.PathLike)):
            return self._file(settings.path("sound", sound))
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(sound, torch.Tensor):
            return self._torch(sound)
        return self._numpy(sound)

    def _file(self, path: str) -> Any:
        import numpy  # what is read comes as an array of it

        return self._numpy(self._native.read(path))

    def _numpy(self, sound: Any) -> Any:
        import numpy

        samples = numpy.ascontiguousarray(sound)
        if samples.dtype != numpy.int16:
            if samples.dtype.kind != "f":
                raise UsageError(f"samples: expected float32 or int16, found {samples.dtype}")
            samples = samples.astype(numpy.float32, copy=False)
        return self._rows(samples, lambda shape: numpy.empty(shape, dtype=numpy.float32))

    def _torch(self, sound: Any) -> Any:
        import torch

        if sound.device.type != "cpu":
            raise UsageError(f"samples: expected a tensor on the CPU, found one on {sound.device}; a seda.Loader with "
                             "device='cuda' makes mels on the GPU")
        samples = sound.detach().contiguous()
        if samples.dtype != torch.int16:
            if not samples.dtype.is_floating_point:
                raise UsageError(f"samples: expected float32 or int16, found {samples.dtype}")
            samples = samples.to(torch.float32)
        return self._rows(samples, lambda shape: torch.empty(shape, dtype=torch.float32, device="cpu"))

    def _rows(self, samples: Any, empty: Any) -> Any:
        if samples.ndim not in (1, 2):
            raise UsageError(f"samples: expected one clip or rows of clips, found {samples.ndim} dimensions")
        frames = self.frames(samples.shape[-1])
        if frames == 0:
            raise UsageError(f"samples: {samples.shape[-1]} are too few for a frame")
        out = empty((*samples.shape[:-1], self.n_mels, frames))
        for clip, row in zip(samples, out) if samples.ndim == 2 else [(samples, out)]:
            self._native.apply(clip, row)
        return out


@functools.lru_cache(maxsize=16)
def _definition(preset: str | None, sample_rate: int | None) -> Mel:
    return Mel(preset=preset, sample_rate=sample_rate)


def mel(sound: Any, *, preset: str | None = None, sample_rate: int | None = None,
        config: settings.Configuration = None) -> Any:
    """The log-mel spectrogram of samples or of a file; see `Mel`.

    >>> seda.mel("clip.flac").shape
    (80, 431)
    """
    if config is None and isinstance(preset, (str, type(None))) and isinstance(sample_rate, (int, type(None))):
        return _definition(preset, sample_rate)(sound)
    return Mel(preset=preset, sample_rate=sample_rate, config=config)(sound)
